import Foundation
import Model
import Testing

@testable import Session

/// The session without a player. The scripts of AppCoreTests test it in the full-screen player.
@Suite struct SessionTests {
  struct Subject: Playable {
    var podcastID: PodcastID? = PodcastID(1)
    var episodeID: EpisodeID? = EpisodeID(1)
  }

  static let now = Date(timeIntervalSince1970: 1_763_726_400)

  /// A session that plays from `start`.
  private func playing(from start: Double = 100, duration: Double? = 3600) -> ListeningSession<Subject> {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: start, duration: duration)
    _ = session.handle(.started(generation: 1, duration: duration, seekable: true), now: Self.now)
    return session
  }

  private func report(_ seconds: Double, to session: inout ListeningSession<Subject>) -> [SessionEffect] {
    session.handle(.position(generation: 1, seconds: seconds, seek: session.newestSeek), now: Self.now)
  }

  @Test func stopSavesTheExactPosition() {
    var session = playing()
    _ = report(101, to: &session)
    session.receiveExactPosition(101.7, seek: .none, generation: 1)
    #expect(session.position == 101, "the exact position is used only when playback stops")
    let effects = session.stop(recording: .pause)
    #expect(effects.first == .note(.position(seconds: 101.7, total: 3600)))
    #expect(effects.contains(.note(.event(.play(from: 100, to: 101.7, total: 3600), speed: 1))))
  }

  /// The screen shows the new place at once. A kill must not find the old one stored.
  @Test func seekSavesTheNewPlaceBeforeTheHeardSpan() {
    var session = playing()
    _ = report(101, to: &session)
    let stored = session.seek(by: 30, now: SessionTests.now).filter {
      switch $0 {
      case .note(.position), .note(.event): true
      default: false
      }
    }
    let span = SessionEffect.note(.event(.play(from: 100, to: 101, total: 3600), speed: 1))
    #expect(stored == [.note(.position(seconds: 131, total: 3600)), span])
  }

  /// After a long pause playback begins a little earlier, but not if the listener has chosen another place.
  @Test func resumingAtAChosenPlaceDoesNotRewind() {
    let later = Self.now.addingTimeInterval(7200)
    for target in [30.0, nil] {
      var session = playing()
      _ = session.handle(.paused(generation: 1, true), now: Self.now)
      if let target { _ = session.seek(to: target, as: .jump) }
      let effects = session.setPaused(false, now: later)
      #expect((effects == [.setPaused(false)]) == (target != nil), "\(effects)")
      _ = session.handle(.paused(generation: 1, false), now: later)
      _ = session.handle(.paused(generation: 1, true), now: later)
      #expect(session.setPaused(false, now: later.addingTimeInterval(7200)) != [.setPaused(false)], "the next pause")
    }
  }

  /// The last chapter begins where the outro does.
  @Test func sleepTimerEndsWithTheOutro() {
    var session = playing(from: 3569)
    var settings = PlaybackSettings()
    settings.outro = 30
    session.receive(settings, of: PodcastID(1))
    _ = session.receiveChapters([Chapter(start: 0, title: "One"), Chapter(start: 3570, title: "Two")], generation: 1)
    _ = session.setSleep(.endOfChapter)
    #expect(report(3570.5, to: &session).last == .heardToEnd(sleeps: true, outroPlays: true))
  }

  /// The first seconds of a chapter lead to the chapter before.
  @Test func remoteCommandsSeekChapters() {
    var session = playing(from: 100)
    let chapters = [0.0, 50, 90, 200].map { Chapter(start: $0, title: "At \($0)") }
    _ = session.receiveChapters(chapters, generation: 1)
    func position(after step: RemoteCommand.ChapterStep) -> Double {
      _ = session.handle(RemoteCommand.chapter(step), now: Self.now)
      return session.position
    }
    let back = (1...4).map { _ in position(after: .previous) }
    #expect(back == [90, 50, 0, 0])
    #expect(position(after: .next) == 50)
    #expect(position(after: .number(4)) == 200)
    #expect(position(after: .number(5)) == 200, "there is no such chapter")
  }

  @Test func offeredItemHasNoChaptersOfTheLastOne() {
    var session = playing()
    _ = session.receiveChapters([Chapter(start: 0, title: "One")], generation: 1)
    _ = session.stop(recording: .pause)
    session.offer(Subject(), at: 5, duration: nil)
    #expect(session.chapters.count == 1)
    session.offer(Subject(episodeID: EpisodeID(2)), at: 5, duration: nil)
    #expect(session.chapters == [])
  }

  /// The player reports the exact position after the pause. The library takes the span up to it for listening.
  @Test func soundBeforeAPauseIsRecordedAtOnce() {
    var session = playing()
    _ = report(100, to: &session)
    _ = session.handle(.paused(generation: 1, true), now: Self.now)
    #expect(
      report(100.4, to: &session) == [
        .note(.position(seconds: 100.4, total: 3600)),
        .note(.event(.play(from: 100, to: 100.4, total: 3600), speed: 1)),
        .note(.status(.paused)),
      ])
    // A later note would overwrite what another device has done since.
    #expect(session.stop(recording: .pause) == [.stopPlayer, .phase(.stopped)])
  }

  /// The process is stopped before the player has reported the pause. Meanwhile another device has gone to 20:02.
  @Test func suspensionIsRecordedBeforeTheStop() {
    let later = Self.now.addingTimeInterval(7200)
    var session = playing()
    _ = report(101, to: &session)
    #expect(
      session.suspend(now: Self.now) == [
        .setPaused(true), .note(.position(seconds: 101, total: 3600)),
        .note(.event(.play(from: 100, to: 101, total: 3600), speed: 1)), .note(.event(.pause, speed: nil)),
        .note(.status(.paused)), .phase(.paused),
      ])
    let before = session.newestSeek
    _ = session.seek(to: 1202)
    #expect(session.resumeAfterSuspend(now: later) == [.setPaused(false)])
    let late = [PlayerEvent.paused(generation: 1, true), .position(generation: 1, seconds: 101.4, seek: before)]
    for event in late { #expect(session.handle(event, now: later) == []) }
    #expect(session.handle(.paused(generation: 1, false), now: later).last == .phase(.playing))
    #expect(session.position == 1202)
  }

  /// A paused episode was pushed to other devices as heard, after it had been moved to their position.
  @Test func seekDuringAPauseIsNotHeard() {
    var session = playing()
    _ = report(100, to: &session)
    _ = session.handle(.paused(generation: 1, true), now: Self.now)
    _ = session.seek(to: 0)
    #expect(report(0.02, to: &session) == [.note(.position(seconds: 0.02, total: 3600))])
    #expect(session.stop(recording: .pause) == [.stopPlayer, .phase(.stopped)])
  }

  @Test func playedSpanIsRecordedEveryMinute() {
    var session = playing()
    var spans: [ListeningEvent.Kind] = []
    for second in 101...300 {
      for case .note(.event(let kind, let speed)) in report(Double(second), to: &session) {
        #expect(speed == 1)
        spans.append(kind)
      }
    }
    #expect(
      spans == [
        .play(from: 100, to: 160, total: 3600), .play(from: 160, to: 220, total: 3600),
        .play(from: 220, to: 280, total: 3600),
      ])
  }

  @Test func positionOfAnotherLoadOrSeekIsDropped() {
    for (seconds, seek, generation) in [
      (101.7, SeekID.none, 2), (101.7, SeekID.none.next, 1), (50, .none, 1), (.nan, .none, 1),
    ] {
      var session = playing()
      _ = report(101, to: &session)
      session.receiveExactPosition(seconds, seek: seek, generation: generation)
      #expect(session.stop(recording: .pause).first == .note(.position(seconds: 101, total: 3600)))
    }
  }

  @Test func positionsNeedTheNewestSeekID() {
    var session = playing()
    let effects = session.seek(to: 500)
    #expect(effects.contains(.seek(to: 500, SeekID.none.next)))
    #expect(session.handle(.position(generation: 1, seconds: 101, seek: .none), now: Self.now) == [])
    #expect(session.position == 500)
    #expect(report(499.9, to: &session).contains(.note(.position(seconds: 499.9, total: 3600))))
  }

  @Test func savedTimeIsRecordedWithTheSpan() {
    var session = ListeningSession<Subject>(speed: 2)
    var settings = PlaybackSettings()
    (settings.intro, settings.outro, settings.skippedWords) = (40, 100, ["Ad"])
    session.load(Subject(), at: 0, duration: 3600)
    session.receive(settings, of: PodcastID(1))
    let chapters = [
      Chapter(start: 0, title: "News"), Chapter(start: 50, title: "Ad"), Chapter(start: 80, title: "More"),
    ]
    _ = session.identify(
      Subject(), at: 40, duration: 3600, chapters: chapters, storedState: .init(position: 0, isPlayed: false),
      generation: 1)
    _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
    _ = session.handle(.saved(generation: 1, seconds: 0.4), now: Self.now)
    _ = report(45, to: &session)
    // Playback reaches the skipped chapter, which has 30 seconds, at double speed. The time saved by the intro was
    // already recorded, with the span.
    let skipped = report(50, to: &session)
    #expect(skipped.contains(.note(.savedTime(SavedTime(.intro, seconds: 20)))))
    #expect(skipped.contains(.note(.savedTime(SavedTime(.chapter, seconds: 15)))))
    _ = report(81, to: &session)
    _ = session.handle(.saved(generation: 1, seconds: 3), now: Self.now)
    _ = report(85, to: &session)
    #expect(session.seek(to: 3495).contains(.note(.savedTime(SavedTime(.silence, seconds: 3.4)))))
    _ = report(3495, to: &session)
    #expect(report(3500, to: &session).contains(.note(.savedTime(SavedTime(.intro, seconds: 50)))), "the outro")
  }

  /// `earshot play` knows the item when it loads it. The player reports the speed of the podcast after the start.
  @Test func savedTimeOfAnIntroIsThatOfThePodcastsSpeed() {
    var session = ListeningSession<Subject>()
    var settings = PlaybackSettings()
    (settings.intro, settings.speed) = (20, 4)
    session.receive(settings, of: PodcastID(1))
    session.load(Subject(), at: 20, duration: 3600, storedState: .init(position: 0, isPlayed: false))
    _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
    _ = report(21, to: &session)
    #expect(session.seek(to: 100).contains(.note(.savedTime(SavedTime(.intro, seconds: 5)))))
  }

  @Test func chapterAtTheStartIsSkippedByItsWords() {
    let chapters = [Chapter(start: 0, title: "Sponsor"), Chapter(start: 20, title: "News")]
    func seeks(from start: Double, _ reason: ListeningSession<Subject>.LoadReason, _ chapters: [Chapter]) -> Bool {
      var session = ListeningSession<Subject>()
      var settings = PlaybackSettings()
      settings.skippedWords = ["sponsor"]
      session.receive(settings, of: PodcastID(1))
      session.load(Subject(), at: start, duration: 3600, as: reason)
      _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
      // The list of a slow server comes later.
      _ = report(start + 1, to: &session)
      _ = session.handle(.chapters(generation: 1, chapters), now: Self.now)
      return report(start + 2, to: &session).contains { if case .seek(20, _) = $0 { true } else { false } }
    }
    #expect(seeks(from: 0, .resume, chapters))
    #expect(!seeks(from: 0, .jump, chapters), "the listener chose it")
    #expect(!seeks(from: 10, .resume, chapters), "it was played before")
    #expect(!seeks(from: 0, .resume, [chapters[0]]), "nothing would be left to hear")
  }

  @Test func unplayedEpisodeSavesNoTime() {
    var session = ListeningSession<Subject>()
    var settings = PlaybackSettings()
    settings.intro = 40
    session.load(Subject(), at: 0, duration: 3600)
    session.receive(settings, of: PodcastID(1))
    _ = session.identify(
      Subject(), at: 40, duration: 3600, chapters: [], storedState: .init(position: 0, isPlayed: false), generation: 1)
    #expect(!session.stop(recording: .pause).contains { if case .note(.savedTime) = $0 { true } else { false } })
    session.load(Subject(podcastID: PodcastID(2)), at: 0, duration: 3600)
    _ = session.handle(.started(generation: 2, duration: 3600, seekable: true), now: Self.now)
    _ = session.handle(.position(generation: 2, seconds: 5, seek: session.newestSeek), now: Self.now)
    #expect(!session.stop(recording: .pause).contains { if case .note(.savedTime) = $0 { true } else { false } })
  }

  @Test func phasesHaveTheirData() {
    var session = ListeningSession<Subject>()
    #expect(session.phase == .stopped)
    #expect(session.handle(.stalled(generation: 0, true), now: Self.now) == [] && !session.isStalled)
    session.load(Subject(), at: 7, duration: nil)
    #expect(session.phase == .loading && session.position == 7)
    _ = session.handle(.started(generation: 1, duration: 60, seekable: true), now: Self.now)
    _ = session.handle(.stalled(generation: 1, true), now: Self.now)
    let wait = NetworkWait(seconds: 3, cause: "no network")
    #expect(
      session.handle(.waitsForNetwork(generation: 1, wait), now: Self.now) == [
        .message(.waitsForStream(cause: "no network"))
      ])
    #expect(session.isStalled && session.networkWait == wait)
    #expect(session.handle(.stalled(generation: 1, false), now: Self.now) == [.message(.streamResumed(after: 3))])
    _ = session.handle(.paused(generation: 1, true), now: Self.now)
    #expect(session.phase == .paused)
    _ = session.stop(recording: .pause)
    #expect(session.phase == .stopped && session.position == 7)
  }

  /// The cause is said once, and the wait is shown until the item starts.
  @Test func slowOpeningIsReported() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 7, duration: nil)
    let message = SessionEffect.message(.waitsForStream(cause: "no answer"))
    for seconds in 10...12 {
      let wait = NetworkWait(seconds: Double(seconds), cause: "no answer")
      #expect(session.handle(.waitsForNetwork(generation: 1, wait), now: Self.now) == (seconds == 10 ? [message] : []))
      #expect(session.isStalled && session.nowPlaying.networkWait == wait)
    }
    _ = session.handle(.started(generation: 1, duration: 60, seekable: true), now: Self.now)
    #expect(!session.isStalled && session.networkWait == nil)
    session.load(Subject(), at: 7, duration: nil)
    #expect(!session.isStalled && session.networkWait == nil)
  }

  // MARK: Seeks

  @Test func seekWaitsForTheLoad() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 0, duration: 3600)
    #expect(session.seek(to: 600, as: .jump) == [.message(.seeksWhenOpen)])
    #expect(session.seek(by: -30, now: SessionTests.now) == [.message(.seeksWhenOpen)])
    _ = session.identify(
      Subject(), at: 90, duration: 3600, chapters: [], storedState: .init(position: 90, isPlayed: false), generation: 1)
    let effects = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
    #expect(effects.contains(.seek(to: 570, session.newestSeek)) && session.position == 570)
    // Once.
    #expect(
      !session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now).contains {
        if case .seek = $0 { true } else { false }
      })
  }

  /// Each part is recorded with the speed at which it was heard.
  @Test func changeOfSpeedEndsASpan() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 0, duration: 3600)
    _ = session.identify(
      Subject(), at: 0, duration: 3600, chapters: [], storedState: .init(position: 0, isPlayed: false), generation: 1)
    _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
    for second in 1...9 { _ = session.handle(.position(generation: 1, seconds: Double(second)), now: Self.now) }
    _ = session.setSpeed(3)
    for second in [12.0, 15] { _ = session.handle(.position(generation: 1, seconds: second), now: Self.now) }
    let effects = session.handle(.paused(generation: 1, true), now: Self.now)
    #expect(effects.contains(.note(.event(.play(from: 0, to: 9, total: 3600), speed: 1))))
    #expect(effects.contains(.note(.event(.play(from: 9, to: 15, total: 3600), speed: 3))))
  }

  @Test func relativeSeekWaitsForThePosition() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 0, duration: 3600)
    _ = session.seek(by: 30, now: SessionTests.now)
    _ = session.seek(by: 30, now: SessionTests.now)
    _ = session.identify(
      Subject(), at: 90, duration: 3600, chapters: [], storedState: .init(position: 90, isPlayed: false), generation: 1)
    _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: Self.now)
    #expect(session.position == 150)
  }

  @Test func waitingSeekIsDroppedForTheNextItem() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 0, duration: 3600)
    _ = session.seek(to: 600)
    _ = session.handle(.failed(generation: 1, seconds: nil, message: "not found"), now: Self.now)
    session.load(Subject(), at: 7, duration: 3600)
    _ = session.handle(.started(generation: 2, duration: 3600, seekable: true), now: Self.now)
    #expect(session.position == 7)
  }

  /// A wrong time in the notes must not mark the episode as played.
  @Test(arguments: [SeekKind.jump, .long, .short]) func seekToAPlaceBehindTheEndIsRefused(kind: SeekKind) {
    var session = playing()
    #expect(session.seek(to: 3723, as: kind) == [.message(.endsBefore(wanted: 3723, end: 3600))])
    #expect(session.position == 100 && session.jumps.places.isEmpty)
    // The end of the last skipped chapter, a step forward, and a rounded duration lead to the end.
    let automatic = session.seek(to: 3723, as: .automatic)
    #expect(automatic.seeks == [3600])
    _ = session.seek(to: 3590)
    let step = session.seek(by: 30, now: SessionTests.now)
    #expect(step.seeks == [3600])
    _ = session.seek(to: 3590)
    let rounded = session.seek(to: 3602, as: kind)
    #expect(rounded.seeks == [3600])
  }

  @Test func seekThatMissedItsTargetIsReportedOnce() {
    var session = playing(duration: nil)
    _ = session.seek(to: 2000)
    // The target is reported first, and then the sound comes from another position.
    #expect(report(2000, to: &session).hasNoMessage)
    #expect(report(130, to: &session).contains(.message(.seekedElsewhere(wanted: 2000, position: 130))))
    #expect(report(131, to: &session).hasNoMessage && report(300, to: &session).hasNoMessage)
    _ = session.seek(by: 30, now: SessionTests.now)
    #expect(report(331, to: &session).hasNoMessage, "near enough")
    _ = session.seek(by: -30, now: SessionTests.now)
    #expect(report(302, to: &session).hasNoMessage)
    #expect(report(240, to: &session).hasNoMessage, "no seek led there")
  }

  /// A seek may land a little before its target. Hooks and MPRIS must not see two seeks.
  @Test func seekThatLandsBeforeItsTargetIsCountedOnce() {
    var session = playing(from: 1)
    _ = report(1.5, to: &session)
    _ = session.seek(to: 10)
    for second in [10, 9, 10, 11, 12.0] { _ = report(second, to: &session) }
    #expect(session.seeks == 1)
    _ = report(8, to: &session)
    #expect(session.seeks == 2, "no seek led there")
    _ = session.seek(to: 3000, as: .automatic)
    _ = report(2999, to: &session)
    #expect(session.seeks == 3)
    _ = session.seek(to: 100)
    _ = report(40, to: &session)
    #expect(session.seeks == 5, "it landed elsewhere")
  }

  /// `earshot play --speed 1.5`, then `earshot ctl speed 2`.
  @Test func changedSpeedForEverythingHoldsForTheNextItem() {
    var session = ListeningSession<Subject>(speedOverride: 1.5)
    var settings = PlaybackSettings()
    settings.speed = 3
    session.receive(settings, of: PodcastID(1))
    session.load(Subject(), at: 0, duration: nil)
    let isOfThePodcast = session.setSpeed(2)
    #expect(!isOfThePodcast)
    #expect(session.speed == 2 && session.speed(of: settings) == 2 && session.speed(of: PlaybackSettings()) == 2)
    #expect(session.playbackSettings.speed == 3)
  }

  @Test func fileWithoutAPodcastHasNoSettings() {
    var session = ListeningSession<Subject>(speed: 1.5)
    var settings = PlaybackSettings()
    settings.speed = 2
    session.receive(settings, of: PodcastID(1))
    session.load(Subject(podcastID: nil), at: 0, duration: nil)
    #expect(session.playbackSettings == PlaybackSettings())
    // A speed that is set now does not change the next item, whose podcast has its own.
    _ = session.setSpeed(1.2)
    #expect(session.speed(of: settings) == 2)
  }
}

extension [SessionEffect] {
  fileprivate var seeks: [Double] { compactMap { if case .seek(let second, _) = $0 { second } else { nil } } }
  /// Whether no message is shown.
  fileprivate var hasNoMessage: Bool { !contains { if case .message = $0 { true } else { false } } }
}
