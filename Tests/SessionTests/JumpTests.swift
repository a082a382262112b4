import Foundation
import Model
import Testing

@testable import Session

/// The jump list, and excerpts.
@Suite struct JumpTests {
  struct Subject: Playable {
    var podcastID: PodcastID? = PodcastID(1)
    var episodeID: EpisodeID? = EpisodeID(1)
  }

  static let now = Date(timeIntervalSince1970: 1_763_726_400)

  private func playing(_ id: Int64 = 1, from start: Double = 3002) -> ListeningSession<Subject> {
    var session = ListeningSession<Subject>()
    session.load(Subject(episodeID: EpisodeID(id)), at: start, duration: 7200)
    begin(&session)
    return session
  }

  private func begin(_ session: inout ListeningSession<Subject>) {
    _ = session.handle(
      .started(generation: session.generation, duration: 7200, seekable: true), now: Self.now)
  }

  private func hear(_ seconds: Int, _ session: inout ListeningSession<Subject>) -> [SessionEffect] {
    (0..<seconds).flatMap { _ in
      let place = session.position + 1
      return session.handle(
        .position(generation: session.generation, seconds: place, seek: session.newestSeek), now: Self.now)
    }
  }

  private func place(_ seconds: Double, of id: Int64 = 1) -> EpisodePlace {
    EpisodePlace(episode: EpisodeID(id), seconds: seconds)
  }

  // MARK: The jump list

  @Test func jumpBackAndForward() {
    var list = JumpList()
    for seconds in [100.0, 200, 300] { list.add(place(seconds)) }
    #expect(list.back(from: place(400)) == place(300))
    #expect(list.back(from: place(300)) == place(200))
    #expect(list.back(from: place(250)) == place(100), "50 seconds were played since the jump")
    #expect(list.back(from: place(100)) == nil)
    #expect(list.forward(from: place(100)) == place(250))
    #expect(list.forward(from: place(250)) == place(300))
    #expect(list.forward(from: place(300)) == place(400))
    #expect(list.forward(from: place(400)) == nil && !list.canGoForward)
  }

  @Test func jumpFromTheMiddleKeepsTheList() {
    var list = JumpList()
    for seconds in [100.0, 200, 300] { list.add(place(seconds)) }
    _ = list.back(from: place(400))
    _ = list.back(from: place(300))
    list.add(place(205))
    #expect(Set(list.places.map(\.seconds)).isSuperset(of: [100, 200, 300, 400, 205]))
    #expect(list.back(from: place(900)) == place(205))
  }

  @Test func jumpListIsLimitedAndRestored() {
    var list = JumpList()
    for number in 0..<300 { list.add(place(Double(number * 10), of: Int64(number % 3))) }
    #expect(list.places.count == JumpList.limit)
    let again = JumpList(list.text)
    #expect(again.places == list.places && again.canGoBack && !again.canGoForward)
    #expect(JumpList("nonsense 1@nan 2@-4 3@7.5 @ 4@").places == [place(7.5, of: 3)])
  }

  // MARK: Seeks

  @Test func jumpIsStoredAndAShortSeekIsNot() {
    var session = playing()
    _ = session.seek(to: 3032, as: .short)
    #expect(session.jumps.places.isEmpty)
    let effects = session.seek(to: 624, as: .jump)
    #expect(session.jumps.places == [place(3032)])
    #expect(effects.contains(.note(.jump(from: 3032, to: 624))))
    // The position before the jump is saved first, and then the target.
    #expect(effects.savedPositions == [3032, 624])
    #expect(!session.seek(to: 624.5, as: .jump).isJump)
  }

  @Test func consecutiveLongSeeksStoreOnePlace() {
    var session = playing()
    for _ in 1...5 { _ = session.seek(by: 60, as: .long, now: SessionTests.now) }
    #expect(session.jumps.places == [place(3002)])
    _ = hear(4, &session)
    _ = session.seek(by: 60, as: .long, now: SessionTests.now)
    #expect(session.jumps.places == [place(3002)])
    _ = hear(6, &session)
    _ = session.seek(by: 60, as: .long, now: SessionTests.now)
    #expect(session.jumps.places == [place(3002), place(3372)])
  }

  @Test func changeOfEpisodeStoresThePreviousPlace() {
    var session = playing()
    _ = session.stop(recording: .pause)
    session.load(
      Subject(episodeID: EpisodeID(2)), at: 50, duration: nil, as: .jump,
      storedState: .init(position: 4000, isPlayed: false))
    begin(&session)
    // The loaded item's stored position is in the list, too, because the item starts at another position.
    #expect(session.jumps.places == [place(3002), place(4000, of: 2)])
    #expect(session.step(back: true) == place(4000, of: 2))
  }

  @Test func finishedEpisodeStoresNoPlace() {
    var session = playing(from: 7100)
    _ = session.handle(.ended(generation: 1, seconds: 7200, atEnd: true), now: Self.now)
    #expect(session.isFinished && session.phase == .stopped && !session.isActive)
    session.load(Subject(episodeID: EpisodeID(2)), at: 0, duration: nil)
    #expect(session.jumps.places.isEmpty && !session.isFinished)
  }

  @Test func resumeStoresNoPlace() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 2997, duration: nil, as: .resume, storedState: .init(position: 3002, isPlayed: false))
    #expect(!session.handle(.started(generation: 1, duration: 7200, seekable: true), now: Self.now).isJump)
    #expect(session.jumps.places.isEmpty)
  }

  /// Undo brings the mark of a finished item back.
  @Test(arguments: [ListeningSession<Subject>.LoadReason.resume, .fromStart]) func playingAFinishedItemAgainCanBeUndone(
    reason: ListeningSession<Subject>.LoadReason
  ) {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 0, duration: nil, as: reason, storedState: .init(position: 0, isPlayed: true))
    let effects = session.handle(.started(generation: 1, duration: 7200, seekable: true), now: Self.now)
    #expect(effects.contains(.note(.jump(from: nil, to: 0))) && session.jumps.places.isEmpty)
    let (jump, status) = (
      effects.firstIndex(of: .note(.jump(from: nil, to: 0))), effects.firstIndex(of: .note(.status(.playing)))
    )
    #expect((jump ?? 9) < (status ?? 0), "the undo log needs the status before")
  }

  @Test func failedLoadAtAChosenPlaceKeepsTheStoredOne() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 624, duration: nil, as: .jump, storedState: .init(position: 3002, isPlayed: false))
    let effects = session.handle(.failed(generation: 1, seconds: nil, message: "no"), now: Self.now)
    #expect(session.position == 3002 && session.jumps.places.isEmpty)
    #expect(!effects.isJump && effects.savedPositions.isEmpty)
  }

  // MARK: Excerpts

  /// Effects that would change the position of the item, here or on other devices.
  private func moves(_ effects: [SessionEffect]) -> [SessionEffect] {
    effects.filter {
      switch $0 {
      case .note(let note): note.isAboutPosition
      case .heardToEnd: true
      default: false
      }
    }
  }

  /// The key that goes back passes over the place, because it is near, and leads to the first episode.
  @Test func endOfAnExcerptDoesNotNameAPlaceNearby() {
    var session = playing()
    _ = session.stop(recording: .pause)
    session.load(
      Subject(episodeID: EpisodeID(2)), at: 624, duration: nil, as: .excerpt(624...640),
      storedState: .init(position: 641, isPlayed: false))
    _ = session.handle(.started(generation: session.generation, duration: 7200, seekable: true), now: Self.now)
    #expect(hear(16, &session).last == .message(.excerptEnded(position: nil, isOver: false)))
  }

  @Test func excerptOfAnotherEpisodeKeepsPositions() {
    var session = playing()
    _ = session.stop(recording: .pause)
    session.load(
      Subject(episodeID: EpisodeID(2)), at: 624, duration: nil, as: .excerpt(624...640),
      storedState: .init(position: 3002, isPlayed: false))
    var effects = session.handle(
      .started(generation: session.generation, duration: 7200, seekable: true), now: Self.now)
    effects += hear(15, &session)
    #expect(!effects.contains(.setPaused(true)))
    effects += hear(1, &session)
    #expect(effects.suffix(2) == [.setPaused(true), .message(.excerptEnded(position: 3002, isOver: false))])
    effects += session.handle(.paused(generation: session.generation, true), now: Self.now)
    effects += session.stop(recording: .pause)
    #expect(moves(effects) == [])
    #expect(session.position == 3002, "the position before the excerpt")
    #expect(session.jumps.places == [place(3002), place(3002, of: 2)], "first the position in this episode")
  }

  /// The key to continue comes after the end of the excerpt, and before the player has reported the pause.
  @Test func continuingAtTheEndOfAnExcerptRecordsItsSpans() {
    var session = playing()
    var effects = session.playExcerpt(624...640)
    effects += hear(8, &session)
    _ = session.setSpeed(2)
    effects += hear(8, &session)
    #expect(effects.contains(.setPaused(true)))
    effects += session.setPaused(false, now: Self.now)
    effects += hear(3, &session)
    effects += session.stop(recording: .pause)
    let heard = effects.filter { if case .note(.excerpt) = $0 { true } else { false } }
    #expect(heard == [.note(.excerpt(from: 624, to: 632, speed: 1)), .note(.excerpt(from: 632, to: 640, speed: 2))])
    let played = effects.filter { if case .note(.event(.play, _)) = $0 { true } else { false } }
    #expect(played == [.note(.event(.play(from: 640, to: 643, total: 7200), speed: 2))])
  }

  /// The time since the last record counts, not the time since the speed was changed.
  @Test func changesOfSpeedDoNotDelayTheRecord() {
    var session = playing()
    var effects: [SessionEffect] = []
    for speed in [1, 1.1, 1.2, 1.1] {
      _ = session.setSpeed(speed)
      effects += hear(30, &session)
    }
    let recorded = effects.contains { if case .note(.event(.play, _)) = $0 { true } else { false } }
    #expect(recorded, "two minutes were heard")
  }

  /// An excerpt counts in the statistics, each second once. It does not change the position.
  @Test func excerptCountsInTheStatistics() {
    var session = playing()
    _ = hear(3, &session)
    _ = session.playExcerpt(624...640)
    var effects = hear(6, &session)
    effects += session.playExcerpt(700...710)
    effects += hear(10, &session)
    effects += session.handle(.paused(generation: 1, true), now: Self.now)
    effects += session.stop(recording: .pause)
    let heard = effects.filter { if case .note(.excerpt) = $0 { true } else { false } }
    #expect(heard == [.note(.excerpt(from: 624, to: 630, speed: 1)), .note(.excerpt(from: 700, to: 710, speed: 1))])
    #expect(moves(effects) == [])
  }

  @Test func excerptOfThePlayingEpisodeKeepsThePosition() {
    var session = playing()
    _ = hear(3, &session)
    let begun = session.playExcerpt(624...640)
    #expect(begun.contains(.note(.position(seconds: 3005, total: 7200))) && begun.contains(.note(.status(.paused))))
    #expect(moves(hear(10, &session)) == [])
    #expect(session.step(back: true) == place(3005))
    let back = session.seek(to: 3005)
    #expect(session.excerpt == nil && !back.isJump)
    #expect(back.contains(.note(.position(seconds: 3005, total: 7200))))
  }

  @Test func continuingAfterAnExcerptStoresThePlace() {
    var session = playing()
    _ = session.playExcerpt(624...640)
    _ = hear(16, &session)
    _ = session.handle(.paused(generation: 1, true), now: Self.now)
    let effects =
      session.setPaused(false, now: Self.now) + session.handle(.paused(generation: 1, false), now: Self.now)
    #expect(effects.contains(.note(.jump(from: nil, to: 640))))
    #expect(session.jumps.places.last == place(3002))
    #expect(hear(1, &session).contains(.note(.position(seconds: 641, total: 7200))))
  }

  @Test func pauseDoesNotEndAnExcerpt() {
    var session = playing()
    session.rewindsAfterPause = true
    _ = session.playExcerpt(624...640)
    _ = hear(1, &session)
    var effects = session.handle(.paused(generation: 1, true), now: Self.now)
    effects += session.setPaused(false, now: Self.now.addingTimeInterval(7200))
    effects += session.handle(.paused(generation: 1, false), now: Self.now)
    #expect(moves(effects) == [] && session.position >= 624 && session.excerpt != nil)
  }

  @Test func excerptAtTheEndDoesNotFinishTheEpisode() {
    var session = playing()
    _ = session.playExcerpt(7190...7200)
    let effects = session.handle(.ended(generation: 1, seconds: 7200, atEnd: true), now: Self.now)
    #expect(moves(effects) == [] && effects.contains(.message(.excerptEnded(position: 3002, isOver: true))))
    #expect(session.position == 3002 && !session.isFinished)
  }

  @Test func jumpStoresTheExactPosition() {
    var session = playing()
    session.receiveExactPosition(3002.7, seek: .none, generation: 1)
    let effects = session.seek(to: 10, as: .jump)
    #expect(effects.contains(.note(.jump(from: 3002.7, to: 10))))
  }
}

extension [SessionEffect] {
  var isJump: Bool { contains { if case .note(.jump) = $0 { true } else { false } } }
  var savedPositions: [Double] {
    compactMap { if case .note(.position(let seconds, _)) = $0 { seconds } else { nil } }
  }
}
