import Foundation
import Model
import Testing

@testable import Session

/// A stored position that the file does not reach: the stream cannot seek, or the file is shorter than it was.
@Suite struct UnreachablePositionTests {
  typealias Session = ListeningSession<JumpTests.Subject>

  /// A session whose item has the stored position 50:02 and is loaded again.
  private func loaded(
    as reason: Session.LoadReason = .resume, at second: Double = 3002, duration: Double? = nil
  ) -> Session {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: second, duration: duration, as: reason,
      storedState: .init(position: 3002, isPlayed: false))
    return session
  }

  private func report(_ event: PlayerEvent, _ session: inout Session) -> [SessionEffect] {
    session.handle(event, now: JumpTests.now)
  }

  /// A session whose stream is read silently up to the stored position, or is already heard at another one.
  private func reading(at second: Double = 3002, duration: Double? = nil) -> Session {
    var session = loaded(duration: duration)
    _ = report(.started(generation: 1, duration: nil, seekable: true), &session)
    _ = report(.position(generation: 1, seconds: second), &session)
    return session
  }

  /// The player reports a position after the newest seek.
  private func land(at second: Double, _ session: inout Session) -> [SessionEffect] {
    report(.position(generation: 1, seconds: second, seek: session.newestSeek), &session)
  }

  @Test func unreachablePositionIsKeptAndTheListenerIsAsked() {
    var session = loaded()
    let effects = report(.unreachable(generation: 1, seconds: 3002), &session)
    #expect(effects.last == .unreachable(3002, isWanted: true) && effects.savedPositions == [])
    #expect(session.phase == .stopped && session.position == 3002)
  }

  @Test func endOfTheIntroIsNotAnUnreachablePosition() {
    var session = Session()
    session.load(JumpTests.Subject(), at: 30, duration: nil, storedState: .init(position: 0, isPlayed: false))
    #expect(report(.unreachable(generation: 1, seconds: 30), &session).last == .unreachable(30, isWanted: false))
  }

  /// It was chosen, so the listener is asked, although nothing of the item was heard.
  @Test func startOfAnExcerptIsAnUnreachablePosition() {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: 30, duration: nil, as: .excerpt(30...40),
      storedState: .init(position: 0, isPlayed: false))
    #expect(report(.unreachable(generation: 1, seconds: 30), &session).last == .unreachable(30, isWanted: true))
    #expect(session.reason == .excerpt(30...40))
  }

  @Test func unreachablePositionIsKeptUntilALaterOne() {
    var session = loaded(as: .fromStart, at: 0)
    var effects = report(.started(generation: 1, duration: nil, seekable: false), &session)
    for second in stride(from: 1.0, through: 3002, by: 1) {
      effects += report(.position(generation: 1, seconds: second), &session)
    }
    #expect(effects.savedPositions == [])
    #expect(report(.position(generation: 1, seconds: 3003), &session).savedPositions == [3003])
  }

  @Test func spansBeforeAnUnreachablePositionDoNotMoveIt() {
    var session = loaded(as: .fromStart, at: 0)
    _ = report(.started(generation: 1, duration: nil, seekable: false), &session)
    _ = report(.position(generation: 1, seconds: 5), &session)
    let effects = session.stop(recording: .pause)
    #expect(effects.savedPositions == [] && session.position == 3002)
    let spans = effects.compactMap {
      if case .note(.event(.play(let from, let to, _), _)) = $0 { [from, to] } else { nil }
    }
    #expect(spans == [[0, 5], [3002, 3002]])
  }

  /// A clip behind the kept position says nothing about it.
  @Test func excerptLeavesAnUnreachablePositionKept() {
    var session = loaded(as: .fromStart, at: 0)
    _ = report(.started(generation: 1, duration: nil, seekable: false), &session)
    _ = report(.position(generation: 1, seconds: 7), &session)
    _ = session.playExcerpt(3600...3620)
    let seek = session.newestSeek
    for second in [3600.0, 3601, 3602] {
      _ = report(.position(generation: 1, seconds: second, seek: seek), &session)
    }
    var effects = session.seek(to: 7)
    effects += land(at: 8, &session)
    #expect(effects.savedPositions == [] && session.keptPosition == 3002)
  }

  /// A server without ranges: the seek leads to another position, which would replace the one that was wanted.
  @Test func missedTargetStaysInTheJumpList() {
    var session = loaded(as: .resume)
    _ = report(.started(generation: 1, duration: 7200, seekable: true), &session)
    _ = session.seek(to: 149)
    let effects = land(at: 369, &session)
    #expect(effects.contains(.note(.jump(from: 149, to: 369))))
    #expect(session.jumps.places.last?.seconds == 149)
    // Going back there leads elsewhere again, and must not add the place again.
    let count = session.jumps.places.count
    _ = session.seek(to: 149)
    let again = land(at: 360, &session)
    #expect(!again.isJump && session.jumps.places.count == count)
  }

  /// The publisher has replaced the file by a shorter one.
  @Test(arguments: [Session.LoadReason.resume, .jump]) func fileThatEndsBeforeThePositionIsNotPlayed(
    reason: Session.LoadReason
  ) {
    var session = loaded(as: reason)
    session.receiveStoredDuration(3600, generation: 1)
    var effects = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 2400), &session)
    effects += report(.ended(generation: 1, seconds: 2400, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))) && effects.savedPositions == [])
    #expect(effects.last == .endsTooEarly(end: 2400, position: 3002))
    #expect(session.phase == .stopped && session.position == 3002 && session.duration == 3600)
  }

  /// A stream without a length is read silently up to the position. A live stream, or a broken server, ends before.
  @Test(arguments: [
    PlayerEvent.ended(generation: 1, seconds: 100, atEnd: true),
    .failed(generation: 1, seconds: 100, message: "it broke off"),
  ]) func streamThatEndsBeforeThePositionKeepsIt(end: PlayerEvent) {
    for duration in [nil, 3600.0] {
      var session = loaded(as: .resume)
      if let duration { session.receiveStoredDuration(duration, generation: 1) }
      var effects = report(.started(generation: 1, duration: nil, seekable: false), &session)
      // The player reports the target before it has read up to it.
      effects += report(.position(generation: 1, seconds: 3002), &session)
      if duration != nil { effects += report(.position(generation: 1, seconds: 100), &session) }
      effects += report(end, &session)
      #expect(!effects.contains(.note(.status(.played))) && effects.savedPositions.allSatisfy { $0 == 3002 })
      #expect(session.phase == .stopped && session.position == 3002)
    }
  }

  /// Resuming after a pause goes back a little. The listener has not chosen that position.
  @Test func pauseInAShortStreamKeepsThePosition() {
    var session = reading()
    var effects = report(.position(generation: 1, seconds: 300), &session)
    effects += report(.paused(generation: 1, true), &session)
    effects += session.setPaused(false, now: Date(timeIntervalSince1970: 1_800_000_000))
    effects += report(.paused(generation: 1, false), &session)
    #expect(session.newestSeek != .none)
    effects += land(at: 299, &session)
    #expect(effects.savedPositions == [])
    _ = session.stop(recording: .pause)
    #expect(session.position == 3002)
  }

  /// The pause ends while the stream is still read silently up to the position.
  @Test(arguments: [PlayerEvent.position(generation: 1, seconds: 300, seek: SeekID.none.next), ended])
  func pauseBeforeAShortStreamIsHeardKeepsThePosition(next: PlayerEvent) {
    var session = loaded(as: .resume)
    var effects = report(.started(generation: 1, duration: nil, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 3002), &session)
    effects += report(.paused(generation: 1, true), &session)
    effects += session.setPaused(false, now: Date(timeIntervalSince1970: 1_800_000_000))
    effects += report(.paused(generation: 1, false), &session)
    let rewound = session.position
    effects += land(at: rewound, &session)
    #expect(session.newestSeek != .none && abs(rewound - 3002) < 60)
    effects += report(next, &session) + session.stop(recording: .pause)
    #expect(!effects.contains(.note(.status(.played))))
    #expect(effects.savedPositions.allSatisfy { $0 >= rewound } && session.position == rewound)
  }

  private static let ended = PlayerEvent.ended(generation: 1, seconds: 300, atEnd: true)

  /// The feed gives a duration that ends before the position, or none.
  @Test(arguments: [nil, 1800.0]) func seekInAShortStreamChoosesAnotherPosition(durationInFeed: Double?) {
    var session = loaded(as: .resume, duration: durationInFeed)
    _ = report(.started(generation: 1, duration: nil, seekable: true), &session)
    #expect(report(.position(generation: 1, seconds: 2900), &session).savedPositions == [])
    _ = session.seek(to: 500)
    let effects = land(at: 501, &session)
    #expect(effects.savedPositions.last == 501)
  }

  /// A key is pressed while the stream is still read silently.
  @Test func seekBeforeAShortStreamIsHeardIsKept() {
    var session = loaded(as: .resume)
    var effects = report(.started(generation: 1, duration: nil, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 3002), &session)
    effects += session.seek(by: 10, now: SessionTests.now)
    effects += land(at: 3012, &session)
    effects += report(.ended(generation: 1, seconds: 300, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))))
    #expect(effects.savedPositions.last == 3012 && session.position == 3012)
  }

  /// The listener sought while the stream was being opened. It cannot seek, so it plays from its start.
  @Test func seekThatAStreamCannotFollowChoosesNothing() {
    var session = loaded(as: .resume, at: 0)
    _ = session.seek(to: 1200)
    var effects = report(.started(generation: 1, duration: nil, seekable: false), &session)
    #expect(effects.contains(.seek(to: 1200, session.newestSeek)))
    effects = []
    for second in stride(from: 2.0, through: 300, by: 1) {
      effects += land(at: second, &session)
    }
    #expect(effects.savedPositions.last == 300 && session.keptPosition == nil)
    effects = report(.ended(generation: 1, seconds: 300, atEnd: true), &session)
    #expect(effects.contains(.note(.status(.played))))
  }

  /// The same while the stream is read silently up to the position.
  @Test func seekThatASilentlyReadStreamCannotFollow() {
    var session = reading()
    _ = session.seek(to: 5000)
    var effects: [SessionEffect] = []
    for second in [3002.0, 3003, 3004] {
      effects += land(at: second, &session)
    }
    #expect(effects.savedPositions.last == 3004)
  }

  /// The player reports the old target after the rewind that follows a pause, before or after it plays again.
  @Test(arguments: [true, false]) func rewindToAPlaceThatWasNotReadIsNoProgress(isReportedFirst: Bool) {
    var session = reading()
    _ = report(.paused(generation: 1, true), &session)
    var effects = session.setPaused(false, now: JumpTests.now.addingTimeInterval(660))
    // A longer step would be no progress for another reason.
    #expect(session.position < 3002 && session.position > 3002 - Session.jump)
    if isReportedFirst {
      effects += land(at: session.position, &session)
    } else {
      effects += report(.paused(generation: 1, false), &session)
    }
    effects += land(at: 3002, &session)
    if isReportedFirst { effects += report(.paused(generation: 1, false), &session) }
    effects += report(.ended(generation: 1, seconds: 300, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))) && effects.savedPositions.allSatisfy { $0 >= 2900 })
    #expect(session.position == 3002)
  }

  /// The feed's duration ends before the position, too.
  @Test func seekForwardInAShortStreamKeepsThePosition() {
    var session = reading(duration: 1800)
    var effects = session.seek(by: 30, now: SessionTests.now)
    effects += land(at: 199, &session)
    #expect(effects.savedPositions == [] && session.keptPosition == 3002)
  }

  /// The second press, too: the listener wanted a place that the stream has not reached.
  @Test func secondMissedSeekInAShortStreamKeepsThePosition() {
    var session = reading()
    _ = session.seek(by: 30, now: SessionTests.now)
    _ = land(at: 199, &session)
    #expect(session.keptPosition == 3032)
    var effects = session.seek(by: 30, now: SessionTests.now)
    effects += land(at: 201, &session)
    effects += land(at: 202, &session)
    #expect(effects.savedPositions == [] && session.keptPosition == 3032)
  }

  /// The buffer begins after the target. The listener still wanted to leave the stored position.
  @Test func seekBackInAShortStreamThatLandsTooLateGivesUpThePosition() {
    var session = reading(at: 700)
    #expect(session.keptPosition == 3002)
    var effects = session.seek(to: 0)
    effects += land(at: 434, &session)
    effects += land(at: 435, &session)
    #expect(effects.savedPositions.last == 435 && session.keptPosition == nil)
  }

  /// Plays a clip of a short stream that is at 300, and continues after its end.
  private func continued(after clip: ClosedRange<Double>) -> (Session, [SessionEffect]) {
    var session = reading(at: 300)
    _ = session.playExcerpt(clip)
    _ = land(at: clip.upperBound, &session)
    _ = report(.paused(generation: 1, true), &session)
    var effects = session.setPaused(false, now: JumpTests.now)
    effects += report(.paused(generation: 1, false), &session)
    effects += land(at: clip.upperBound + 1, &session)
    return (session, effects)
  }

  /// The end of the clip is near the position where it was started, so nothing else was chosen.
  @Test func continuingAfterAClipThatEndsAtThePositionKeepsTheStoredOne() {
    let (session, effects) = continued(after: 290...299)
    #expect(effects.savedPositions == [] && session.keptPosition == 3002)
  }

  @Test func continuingAfterAClipInAShortStreamChoosesAnotherPosition() {
    let (_, effects) = continued(after: 100...110)
    #expect(effects.savedPositions.last == 111 && effects.isJump)
  }

  /// The file has no reliable duration, for example because of inserted advertisements.
  @Test func seekBackBehindTheDurationOfTheFeed() {
    var session = loaded(as: .resume, duration: 1800)
    _ = report(.started(generation: 1, duration: nil, seekable: true), &session)
    #expect(session.seek(by: -10, now: SessionTests.now).contains(.seek(to: 2992, session.newestSeek)))
    _ = land(at: 2992, &session)
    _ = session.seek(by: 30, now: SessionTests.now)
    #expect(session.position == 2992, "there is no known place after this one")
  }

  /// A clip, and the key that goes back from it.
  @Test func clipInAShortStreamKeepsThePosition() {
    var session = loaded(as: .resume)
    var effects = report(.started(generation: 1, duration: nil, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 3002), &session)
    effects += report(.position(generation: 1, seconds: 300), &session)
    effects += session.playExcerpt(100...110)
    effects += land(at: 101, &session)
    effects += session.seek(to: 105)
    effects += session.seek(to: 300, as: .jump)
    effects += land(at: 301, &session)
    #expect(effects.savedPositions.allSatisfy { $0 == 3002 } && session.keptPosition == 3002)
  }

  /// The clip is played before the stream has been read up to the position, which it does not reach.
  @Test func clipBeforeAShortStreamIsHeardKeepsThePosition() {
    var session = reading()
    var effects = session.playExcerpt(100...110)
    effects += land(at: 101, &session)
    effects += session.seek(to: 3002, as: .jump)
    effects += land(at: 300, &session)
    #expect(effects.savedPositions.allSatisfy { $0 == 3002 } && session.keptPosition == 3002)
  }

  /// The episode was loaded for the clip. The key that goes back leads to a position that the stream does not reach.
  @Test(arguments: [0.0, 100]) func backFromAClipThatWasLoadedKeepsThePosition(start: Double) {
    var session = loaded(as: .excerpt(start...start + 10), at: start)
    var effects = report(.started(generation: 1, duration: nil, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: start), &session)
    effects += report(.position(generation: 1, seconds: start + 1), &session)
    effects += session.seek(to: 3002, as: .jump)
    effects += land(at: 150, &session)
    effects += land(at: 151, &session)
    #expect(effects.savedPositions.allSatisfy { $0 == 3002 } && session.keptPosition == 3002)
    effects = report(.ended(generation: 1, seconds: 300, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))) && session.position == 3002)
  }

  /// A time in the notes that lies behind the end, in an episode that was never heard.
  @Test func jumpBehindTheEndPlaysNothing() {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: 3002, duration: nil, as: .jump, storedState: .init(position: 60, isPlayed: false))
    var effects = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 2400), &session)
    effects += report(.ended(generation: 1, seconds: 2400, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))) && effects.savedPositions == [])
    #expect(effects.last == .message(.endsBefore(wanted: 3002, end: 2400)))
    #expect(!effects.isJump && !effects.contains(.note(.status(.playing))), "the episode stays as it was")
    #expect(session.phase == .stopped && session.position == 60)
  }

  /// FFmpeg's estimate of the duration may be too low. Then the sound continues.
  @Test func jumpBehindAnEstimatedEndIsHeard() {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: 3002, duration: nil, as: .jump, storedState: .init(position: 60, isPlayed: false))
    var effects = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 3002), &session)
    effects += report(.position(generation: 1, seconds: 3003), &session)
    #expect(effects.savedPositions.last == 3003 && effects.isJump && effects.contains(.note(.status(.playing))))
    effects = report(.ended(generation: 1, seconds: 3003, atEnd: true), &session)
    #expect(effects.contains(.note(.status(.played))))
  }

  private func playedToTheEnd(
    at place: Double = 1000, isPlayed: Bool = false, before: Double?, feed: Double? = nil, file: Double?,
    end: Double
  ) -> (session: Session, effects: [SessionEffect]) {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: place, duration: before, storedState: .init(position: place, isPlayed: isPlayed))
    session.receiveStoredDuration(before, feed: feed, generation: 1)
    var effects = report(.started(generation: 1, duration: file, seekable: true), &session)
    for second in stride(from: place + 1, through: end, by: 1) {
      effects += report(.position(generation: 1, seconds: second), &session)
    }
    effects += report(.ended(generation: 1, seconds: end, atEnd: true), &session)
    return (session, effects)
  }

  /// The file ends after the place, but before the end of the file that was heard.
  @Test(arguments: [2400, nil] as [Double?]) func fileWhoseRestIsMissingIsNotPlayed(file: Double?) {
    let (session, effects) = playedToTheEnd(before: 3600, feed: 3600, file: file, end: 2400)
    #expect(!effects.contains(.note(.status(.played))))
    #expect(effects.last == .endedEarly(end: 2400, before: 3600))
    #expect(
      effects.last { if case .note(.position) = $0 { true } else { false } }
        == .note(.position(seconds: 2400, total: 3600)))
    #expect(session.phase == .stopped && session.position == 2400 && session.duration == 3600)
    let totals = effects.compactMap { if case .note(.event(.play(_, _, let total), _)) = $0 { total } else { nil } }
    #expect(!totals.isEmpty && totals.allSatisfy { $0 == 3600 }, "other devices would take it for played")
  }

  /// A listener who pauses in the shorter file and resumes is asked, too.
  @Test func durationOfTheLongerFileIsKeptInAPause() {
    var session = loaded(at: 1000)
    session.receiveStoredDuration(3600, generation: 1)
    var effects = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 1001), &session)
    effects += session.stop(recording: .pause)
    #expect(effects.contains(.note(.position(seconds: 1001, total: 3600))))
  }

  /// The shorter file is complete: the feed says so, or advertisements have other lengths, or it was heard before.
  @Test func shorterCompleteFileIsPlayed() {
    for (session, effects) in [
      playedToTheEnd(before: 3600, feed: 2410, file: 2400, end: 2400),
      playedToTheEnd(before: 3600, feed: 3600, file: 3500, end: 3500),
      playedToTheEnd(at: 10, isPlayed: true, before: 3600, feed: 3600, file: 2400, end: 2400),
      playedToTheEnd(before: nil, feed: 3600, file: 2400, end: 2400),
      playedToTheEnd(before: 3600, feed: 3600, file: 3600, end: 2400),
    ] {
      #expect(effects.contains(.note(.status(.played))) && session.isFinished)
    }
  }

  /// The feed's duration may be another file's. If it were stored, the file would seem to have lost its end.
  @Test func durationOfTheFeedIsNotStored() {
    var session = Session()
    session.load(
      JumpTests.Subject(), at: 100, duration: 1800, storedState: .init(position: 100, isPlayed: false))
    session.receiveStoredDuration(nil, feed: 1800, generation: 1)
    var effects = report(.started(generation: 1, duration: nil, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 101), &session)
    effects += session.stop(recording: .pause)
    #expect(effects.contains(.note(.position(seconds: 101, total: nil))))
    #expect(effects.contains(.note(.event(.play(from: 100, to: 101, total: nil), speed: 1))))
  }

  @Test func chaptersThatTheFileHasLostAreGone() {
    var session = Session()
    session.load(JumpTests.Subject(), at: 0, duration: nil)
    let isWanted = session.identify(
      JumpTests.Subject(), at: 0, duration: nil, chapters: [Chapter(start: 0, title: "A")],
      storedState: .init(position: 0, isPlayed: false), generation: 1)
    #expect(isWanted && session.chapters.count == 1)
    _ = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    #expect(session.receiveChapters([], generation: 1) == [] && session.chapters.count == 1, "not read yet")
    _ = report(.chapters(generation: 1, []), &session)
    #expect(session.receiveChapters([], generation: 1) == [] && session.chapters.isEmpty)
  }

  /// The chapters show that 20 minutes were cut out before the place.
  @Test func fileThatWasCutBeforeThePlaceIsPlayed() {
    var session = Session()
    session.load(JumpTests.Subject(), at: 2000, duration: nil, storedState: .init(position: 2000, isPlayed: false))
    session.receiveStoredDuration(3600, generation: 1)
    let (old, new) = ([Chapter(start: 0, title: "A"), Chapter(start: 1900, title: "B")], 700.0)
    let isWanted = session.identify(
      JumpTests.Subject(), at: 2000, duration: nil, chapters: old, storedState: .init(position: 2000, isPlayed: false),
      generation: 1)
    #expect(isWanted)
    _ = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    _ = session.receiveChapters([old[0], Chapter(start: new, title: "B")], generation: 1)
    _ = report(.position(generation: 1, seconds: 2001), &session)
    #expect(report(.ended(generation: 1, seconds: 2400, atEnd: true), &session).contains(.note(.status(.played))))
  }

  /// `earshot play` saves the position when the shell suspends it.
  @Test func positionOfASuspendedPlayerIsSaved() {
    var session = loaded()
    #expect(session.suspend(now: JumpTests.now) == [.setPaused(true)], "it has not begun")
    #expect(session.resumeAfterSuspend(now: JumpTests.now) == [.setPaused(false)])
    _ = report(.started(generation: 1, duration: 3600, seekable: true), &session)
    _ = report(.position(generation: 1, seconds: 3003), &session)
    #expect(session.suspend(now: JumpTests.now).savedPositions == [3003])

    var shorter = loaded()
    _ = report(.started(generation: 1, duration: 2400, seekable: true), &shorter)
    _ = report(.position(generation: 1, seconds: 2400), &shorter)
    #expect(shorter.suspend(now: JumpTests.now).savedPositions == [], "the position behind the end is kept")
  }

  /// The header gives a duration of 50:00, but the file is longer.
  @Test func positionBehindAWrongDurationIsReached() {
    var session = loaded()
    var effects = report(.started(generation: 1, duration: 2400, seekable: true), &session)
    effects += report(.position(generation: 1, seconds: 3003), &session)
    #expect(effects.savedPositions == [3003])
    effects = report(.ended(generation: 1, seconds: 3100, atEnd: true), &session)
    #expect(effects.contains(.note(.status(.played))))
  }

  @Test func positionAtTheEndIsTheEnd() {
    var session = loaded()
    _ = report(.started(generation: 1, duration: 3001, seekable: true), &session)
    #expect(report(.ended(generation: 1, seconds: 3001, atEnd: true), &session).contains(.note(.status(.played))))
  }

  @Test func endBeforeAnUnreachablePositionIsNotTheEpisodesEnd() {
    var session = loaded(as: .fromStart, at: 0)
    _ = report(.started(generation: 1, duration: nil, seekable: false), &session)
    _ = report(.position(generation: 1, seconds: 5), &session)
    let effects = report(.ended(generation: 1, seconds: 60, atEnd: true), &session)
    #expect(!effects.contains(.note(.status(.played))) && effects.savedPositions == [])
    #expect(effects.last == .message(.endedBefore(position: 3002)) && session.position == 3002)
  }
}
