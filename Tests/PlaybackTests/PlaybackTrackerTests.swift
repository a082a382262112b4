import Model
import Testing

@testable import Playback

@Suite struct PlaybackTrackerTests {
  private func playing(at start: Double = 0, isLocal: Bool = false, isPaused: Bool = false) -> PlaybackTracker {
    var tracker = PlaybackTracker(generation: 1, isPaused: isPaused)
    _ = tracker.opened(
      at: start, duration: 3600, isSeekable: true, isPaused: isPaused, chapters: [], isLocal: isLocal, now: 0)
    _ = tracker.restarted(at: start, now: 0)
    return tracker
  }

  @Test(arguments: [0.5, 1, 2, 4])
  func playbackReportsAtMostTwoPositionsASecond(speed: Double) {
    var tracker = playing()
    var positions: [Double] = []
    var events = 0
    for tick in 1...(13 * 60) {
      let now = Double(tick) / 13
      let told =
        tracker.changedPosition(now * speed, now: now) + tracker.changedBuffer(until: now * 20, now: now)
        + tracker.timePassed(now: now)
      events += told.count
      positions += told.compactMap(\.positionSeconds)
    }
    #expect(events <= 60 * 4)
    #expect(positions.count <= 60 * 5 / 2)
    // Every second that was shown for at least half a second is reported.
    let shown = Set(positions.map { Int($0) })
    if speed <= 2 { #expect(shown.isSuperset(of: Set(1..<Int(60 * speed)))) }
  }

  @Test func positionIsTheNewest() {
    var tracker = playing()
    _ = tracker.changedPosition(0.3, now: 0.3)
    #expect(tracker.position == 0.3)
    #expect(tracker.changedPosition(0.4, now: 0.4).isEmpty)
    #expect(tracker.position == 0.4)
  }

  @Test func seekReportsItsTargetAndThenThePosition() {
    var tracker = playing()
    #expect(tracker.seekStarted(to: 100, now: 1) == [.position(generation: 1, seconds: 100)])
    #expect(tracker.changedPosition(1.1, now: 1.1).isEmpty)
    #expect(tracker.position == 100)
    #expect(tracker.restarted(at: 100.01, now: 1.2) == [.position(generation: 1, seconds: 100.01)])
    #expect(tracker.restarted(at: nil, now: 1.3) == [.position(generation: 1, seconds: 100.01)])
  }

  /// mpv reports 329.4 then, and continues from 330.
  @Test func seekDuringPauseReportsItsTarget() {
    var tracker = playing(isPaused: true)
    _ = tracker.seekStarted(to: 330, now: 1)
    #expect(tracker.restarted(at: 329.37, now: 1.2) == [.position(generation: 1, seconds: 330)])
    #expect(tracker.changedPosition(329.37, now: 1.3).isEmpty)
    #expect(tracker.changedPause(false, at: 329.37, now: 5).contains(.position(generation: 1, seconds: 330)))
    _ = tracker.seekStarted(to: 330, now: 6)
    #expect(
      tracker.restarted(at: 300, now: 6.1) == [.position(generation: 1, seconds: 300)], "mpv went to another position")
  }

  @Test func pauseReportsThePositionOnce() {
    var tracker = playing()
    #expect(
      tracker.changedPause(true, at: 7.5, now: 8) == [
        .paused(generation: 1, true), .position(generation: 1, seconds: 7.5),
      ])
    #expect(tracker.changedPause(true, at: 7.5, now: 8).isEmpty)
    #expect(tracker.deadline == nil)
  }

  @Test func silenceIsAStall() {
    var tracker = playing()
    #expect(tracker.deadline == PlaybackTracker.timeout)
    #expect(tracker.timePassed(now: 2.9).isEmpty)
    #expect(tracker.timePassed(now: 3) == [.stalled(generation: 1, true)])
    #expect(tracker.deadline == nil)
    #expect(tracker.changedPosition(0.1, now: 4).first == .stalled(generation: 1, false))
  }

  @Test func waitingForDataIsAStallUnlessPaused() {
    var tracker = playing()
    #expect(tracker.changedWaiting(true) == [.stalled(generation: 1, true)])
    #expect(tracker.changedWaiting(true).isEmpty)
    #expect(tracker.changedPause(true, at: nil, now: 1).contains(.stalled(generation: 1, false)))
    #expect(tracker.changedPause(false, at: nil, now: 2).contains(.stalled(generation: 1, true)))
    #expect(tracker.changedWaiting(false) == [.stalled(generation: 1, false)])
  }

  @Test func lastBufferIsPlayed() {
    var tracker = playing(isPaused: true)
    #expect(tracker.changedBuffer(until: 10, now: 0) == [.buffered(generation: 1, until: 10)])
    #expect(tracker.changedBuffer(until: 20, now: 0.1).isEmpty)
    #expect(tracker.changedBuffer(until: 30, now: 0.2).isEmpty)
    #expect(tracker.deadline == 1)
    #expect(tracker.timePassed(now: 1) == [.buffered(generation: 1, until: 30)])
    #expect(tracker.deadline == nil)
  }

  @Test func growingDurationIsReportedSometimes() {
    var tracker = playing()
    #expect(tracker.changedDuration(3600.2, now: 5).isEmpty)
    #expect(tracker.changedDuration(3700, now: 5) == [.duration(generation: 1, seconds: 3700)])
    #expect(tracker.changedDuration(3800, now: 5.5).isEmpty)
    #expect(tracker.timePassed(now: 6).contains(.duration(generation: 1, seconds: 3800)))
    #expect(tracker.duration == 3800)
  }

  @Test func chaptersAreReportedWhenTheyChange() {
    var tracker = playing()
    let chapters = [Chapter(start: 0, title: "One")]
    #expect(tracker.changedChapters([]).isEmpty)
    #expect(tracker.changedChapters(chapters) == [.chapters(generation: 1, chapters)])
    #expect(tracker.changedChapters(chapters).isEmpty)
  }

  @Test func correctionDuringPauseIsReported() {
    var tracker = playing(isPaused: false)
    _ = tracker.changedPosition(7, now: 7)
    _ = tracker.changedPause(true, at: 7.1, now: 7.1)
    #expect(tracker.changedPosition(7.13, now: 7.2).isEmpty)
    #expect(tracker.changedPosition(7.25, now: 7.3) == [.position(generation: 1, seconds: 7.25)])
  }
}
