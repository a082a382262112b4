import Testing

@testable import Playback

@Suite struct EndEvidenceTests {
  private func isEnd(
    _ position: Double, isSeekTarget: Bool = false, of duration: Double?, read: Int64? = nil, size: Int64? = nil,
    estimated: Bool = false, error: Bool = false, feed: Double? = nil
  ) -> Bool {
    EndEvidence(
      position: isSeekTarget ? .seekTarget(position) : .reached(position), duration: duration, feedDuration: feed,
      bytesRead: read, size: size, isDurationEstimated: estimated, hasStreamError: error
    ).isEnd
  }

  @Test(arguments: [(10, 1), (200, 1), (600, 3), (3600, 10), (36_000, 10)])
  func marginGrowsWithTheDurationWithinLimits(duration: Double, margin: Double) {
    #expect(EndEvidence.margin(duration: duration) == margin)
    #expect(isEnd(duration - margin, of: duration))
    #expect(!isEnd(duration - margin - 0.1, of: duration))
  }

  @Test func reliableDurationOverridesTheBytes() {
    #expect(!isEnd(1800, of: 3600, read: 1_000_000, size: 1_000_000))
    #expect(isEnd(3599, of: 3600, read: 10, size: 1_000_000, error: true))
    #expect(isEnd(3700, of: 3600))
  }

  @Test func bytesOverrideAnEstimatedDuration() {
    #expect(isEnd(1800, of: 3600, read: 9_999_900, size: 10_000_000, estimated: true))
    #expect(!isEnd(1800, of: 3600, read: 5_000_000, size: 10_000_000, estimated: true))
    #expect(!isEnd(1800, of: 1800, read: 5_000_000, size: 10_000_000, estimated: true))
  }

  /// A position that was only sought is no evidence that the file was played to its end.
  @Test func seekTargetIsNoEvidence() {
    #expect(!isEnd(3600, isSeekTarget: true, of: 3600, read: 5_000_000, size: 10_000_000))
    #expect(isEnd(3600, isSeekTarget: true, of: 3600, read: 9_999_900, size: 10_000_000))
    #expect(isEnd(3600, isSeekTarget: true, of: 3600))
    #expect(!isEnd(3600, isSeekTarget: true, of: 3600, error: true))
    #expect(!isEnd(1800, isSeekTarget: true, of: 3600))
  }

  @Test func withoutADurationBytesOrTheConnectionDecide() {
    #expect(!isEnd(1800, of: nil, read: 5_000_000, size: 10_000_000))
    #expect(isEnd(1800, of: nil, read: 10_000_000, size: 10_000_000, error: true))
    #expect(isEnd(1800, of: nil))
    #expect(!isEnd(1800, of: nil, error: true))
    #expect(!isEnd(1800, of: nil, read: 5, size: 0, error: true))
  }

  @Test func withoutALengthTheFeedSaysWhetherItIsCut() {
    #expect(!isEnd(15, of: nil, feed: 60))
    #expect(isEnd(55, of: nil, feed: 60))
    #expect(!isEnd(3400, of: nil, feed: 3600))
    #expect(isEnd(3440, of: nil, feed: 3600))
    // All bytes of a known size were read. The feed is wrong.
    #expect(isEnd(15, of: nil, read: 1_000_000, size: 1_000_000, feed: 60))
    #expect(isEnd(15, of: 15, feed: 60))
  }
}
