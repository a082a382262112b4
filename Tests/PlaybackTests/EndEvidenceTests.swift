import Testing

@testable import Playback

@Suite struct EndEvidenceTests {
  private func verdict(
    _ position: Double, isSeekTarget: Bool = false, of duration: Double?, read: Int64? = nil, size: Int64? = nil,
    estimated: Bool = false, error: Bool = false, feed: Double? = nil
  ) -> EndOfFile {
    EndEvidence(
      position: isSeekTarget ? .seekTarget(position) : .reached(position), duration: duration, feedDuration: feed,
      bytesRead: read, size: size, isDurationEstimated: estimated, hasStreamError: error
    ).verdict
  }

  @Test(arguments: [(10, 1), (200, 1), (600, 3), (3600, 10), (36_000, 10)])
  func marginGrowsWithTheDurationWithinLimits(duration: Double, margin: Double) {
    #expect(EndEvidence.margin(duration: duration) == margin)
    #expect(verdict(duration - margin, of: duration) == .ended)
    #expect(verdict(duration - margin - 0.1, of: duration) == .cut)
  }

  @Test func reliableDurationOverridesTheBytes() {
    #expect(verdict(1800, of: 3600, read: 1_000_000, size: 1_000_000) == .cut)
    #expect(verdict(3599, of: 3600, read: 10, size: 1_000_000, error: true) == .ended)
    #expect(verdict(3700, of: 3600) == .ended)
  }

  @Test func bytesOverrideAnEstimatedDuration() {
    #expect(verdict(1800, of: 3600, read: 9_999_900, size: 10_000_000, estimated: true) == .ended)
    #expect(verdict(1800, of: 3600, read: 5_000_000, size: 10_000_000, estimated: true) == .cut)
    #expect(verdict(1800, of: 1800, read: 5_000_000, size: 10_000_000, estimated: true) == .cut)
  }

  /// A position that was only sought is no evidence that the file was played to its end.
  @Test func seekTargetIsNoEvidence() {
    #expect(verdict(3600, isSeekTarget: true, of: 3600, read: 5_000_000, size: 10_000_000) == .cut)
    #expect(verdict(3600, isSeekTarget: true, of: 3600, read: 9_999_900, size: 10_000_000) == .ended)
    #expect(verdict(3600, isSeekTarget: true, of: 3600) == .ended)
    #expect(verdict(3600, isSeekTarget: true, of: 3600, error: true) == .cut)
    #expect(verdict(1800, isSeekTarget: true, of: 3600) == .cut)
  }

  @Test func withoutADurationBytesOrTheConnectionDecide() {
    #expect(verdict(1800, of: nil, read: 5_000_000, size: 10_000_000) == .cut)
    #expect(verdict(1800, of: nil, read: 10_000_000, size: 10_000_000, error: true) == .ended)
    #expect(verdict(1800, of: nil) == .ended)
    #expect(verdict(1800, of: nil, error: true) == .cut)
    #expect(verdict(1800, of: nil, read: 5, size: 0, error: true) == .cut)
  }

  @Test func withoutALengthTheFeedSaysWhetherItIsCut() {
    #expect(verdict(15, of: nil, feed: 60) == .cut)
    #expect(verdict(55, of: nil, feed: 60) == .ended)
    #expect(verdict(3400, of: nil, feed: 3600) == .cut)
    #expect(verdict(3440, of: nil, feed: 3600) == .ended)
    // All bytes of a known size were read. The feed is wrong.
    #expect(verdict(15, of: nil, read: 1_000_000, size: 1_000_000, feed: 60) == .ended)
    #expect(verdict(15, of: 15, feed: 60) == .ended)
  }
}
