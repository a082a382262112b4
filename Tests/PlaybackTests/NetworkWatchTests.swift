import Testing

@testable import Playback

/// When the player reports that it waits for the network, and when it does not.
@Suite struct NetworkWatchTests {
  private static let complaint = LogLine("http: Will reconnect at 4096 in 1 second(s), error=Connection refused.")

  private func waits(_ watch: inout NetworkWatch, now: Double, isPaused: Bool = false) -> Double? {
    watch.wait(isStalled: !isPaused, isPaused: isPaused, isConnectionLost: watch.isBroken, now: now)
  }

  @Test func slowServerIsNotAnOutage() {
    var watch = NetworkWatch()
    #expect(waits(&watch, now: 5) == nil)
    watch.read(LogLine("mp3: Estimating duration from bitrate"), now: 5)
    #expect(waits(&watch, now: 6) == nil && watch.deadline == nil)
  }

  /// FFmpeg compares with the largest number if the server does not give the length.
  @Test func endOfAStreamWithoutALengthIsNoConnectionError() {
    let cut = LogLine("http: Stream ends prematurely at 240305, should be 480609")
    let end = LogLine("http: Stream ends prematurely at 480609, should be 18446744073709551615")
    #expect(cut.isConnectionError && !end.isConnectionError)
  }

  @Test func networkWaitIsReportedOnceASecond() {
    var watch = NetworkWatch()
    watch.read(Self.complaint, now: 9)
    #expect(
      watch.wait(isStalled: false, isPaused: false, isConnectionLost: true, now: 9) == nil, "the buffer still sounds")
    #expect(waits(&watch, now: 20) == 0)
    #expect(watch.deadline == 21)
    #expect(waits(&watch, now: 20.5) == nil)
    #expect(waits(&watch, now: 21.25) == 1.25)
    #expect(watch.deadline == 22)
  }

  @Test func networkWaitIncludesPauses() {
    var watch = NetworkWatch()
    watch.read(Self.complaint, now: 0)
    #expect(waits(&watch, now: 1) == 0)
    #expect(waits(&watch, now: 2, isPaused: true) == nil && watch.deadline == nil)
    #expect(waits(&watch, now: 31) == 30)
    #expect(watch.wait(isStalled: false, isPaused: false, isConnectionLost: false, now: 40) == nil)
    #expect(waits(&watch, now: 41) == 0, "sound was heard in between")
  }

  @Test func networkWaitEndsWhenDataArrives() {
    var watch = NetworkWatch()
    watch.read(Self.complaint, now: 0)
    watch.dataArrived(now: 1)
    #expect(watch.isBroken, "the error may have come before the data")
    watch.dataArrived(now: 3)
    #expect(!watch.isBroken)
    watch.read(Self.complaint, now: 4)
    watch.soundStarted()
    #expect(!watch.isBroken)
  }
}

@Suite struct OpeningWatchTests {
  @Test func slowOpeningIsReportedEachSecond() {
    var watch = OpeningWatch()
    #expect(watch.wait(isOpening: false, now: 0) == nil && watch.deadline == nil)
    #expect(watch.wait(isOpening: true, now: 5) == nil && watch.deadline == 15)
    #expect(watch.wait(isOpening: true, now: 14) == nil)
    #expect(watch.wait(isOpening: true, now: 15.5) == 10.5 && watch.deadline == 16)
    #expect(watch.wait(isOpening: true, now: 15.9) == nil)
    #expect(watch.wait(isOpening: true, now: 16) == 11)
    #expect(watch.wait(isOpening: false, now: 16.5) == nil && watch.deadline == nil)
    #expect(watch.wait(isOpening: true, now: 17) == nil && watch.deadline == 27)
  }
}
