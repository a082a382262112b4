import Foundation
import Model
import Testing

@Suite struct ClipLinkTests {
  private func clip(_ start: Double, _ end: Double) -> Clip {
    Clip(id: ClipID(1), episode: EpisodeID(1), startTime: start, endTime: end, dateCreated: Date(), userID: "d")
  }

  @Test func clipLinkContainsTheTimes() {
    #expect(clip(12, 34.5).link(of: "https://example.org/a.mp3#x") == "https://example.org/a.mp3#t=12,34.5")
    #expect(clip(12, 34).link(of: "earshot:welcome/1.mp3") == nil)
    #expect(clip(12, 34).link(of: nil) == nil)
  }

  @Test func clipByteRangeIsInProportion() {
    #expect(clip(25, 50).byteRange(mediaBytes: 1000, duration: 100) == 250...499)
    #expect(clip(0, 500).byteRange(mediaBytes: 1000, duration: 100) == 0...999)
    #expect(clip(200, 500).byteRange(mediaBytes: 1000, duration: 100) == nil)
    #expect(clip(1, 2).byteRange(mediaBytes: nil, duration: 100) == nil)
    #expect(clip(1, 2).byteRange(mediaBytes: 1000, duration: 0) == nil)
  }
}
