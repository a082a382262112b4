import Foundation
import Model
import Testing

@testable import Session

/// Files that are as short as what is skipped in them, and keys that are pressed again at the end of a file.
@Suite struct ShortFileTests {
  private typealias Session = ListeningSession<SessionTests.Subject>

  private func session(intro: Double? = nil, outro: Double? = nil) -> Session {
    var settings = PlaybackSettings()
    (settings.intro, settings.outro) = (intro, outro)
    var session = Session()
    session.receive(settings, of: PodcastID(1))
    return session
  }

  private func report(_ seconds: Double, to session: inout Session) -> [SessionEffect] {
    session.handle(
      .position(generation: session.generation, seconds: seconds, seek: session.newestSeek), now: SessionTests.now)
  }

  @Test func skipsAreUsedOnlyIfSomethingIsLeft() {
    var settings = PlaybackSettings()
    (settings.intro, settings.outro) = (30, 20)
    #expect(settings.intro(of: 20) == nil && settings.intro(of: 30) == nil && settings.intro(of: 33) == nil)
    #expect(settings.intro(of: 3600) == 30 && settings.intro(of: nil) == 30)
    #expect(settings.outro(of: 20) == nil && settings.outro(of: 3600) == 20 && settings.outro(of: nil) == nil)
    #expect(settings.outro(of: 50) == nil, "after the intro nothing would be left")
    settings.intro = nil
    #expect(settings.outro(of: 50) == 20)
  }

  @Test func fileShorterThanTheIntroIsHeardFromItsStart() {
    var session = session(intro: 30)
    session.load(SessionTests.Subject(), at: 30, duration: nil, storedState: .init(position: 0, isPlayed: false))
    let effects = session.handle(.started(generation: 1, duration: 20, seekable: true), now: SessionTests.now)
    #expect(effects.contains(.introTooLong(start: 0)) && !session.isActive)
    #expect(!effects.contains(.note(.status(.playing))))
    // The end of the first load comes too late.
    session.load(SessionTests.Subject(), at: 0, duration: nil, storedState: .init(position: 0, isPlayed: false))
    let end = session.handle(.ended(generation: 1, seconds: 20, atEnd: true), now: SessionTests.now)
    #expect(end.isEmpty && session.isActive)
    _ = session.handle(.started(generation: 2, duration: 20, seekable: true), now: SessionTests.now)
    #expect(session.phase == .playing)
  }

  @Test func streamOfUnknownLengthThatEndsInTheIntroIsHeardFromItsStart() {
    var session = session(intro: 30)
    session.load(SessionTests.Subject(), at: 30, duration: nil, storedState: .init(position: 0, isPlayed: false))
    _ = session.handle(.started(generation: 1, duration: nil, seekable: false), now: SessionTests.now)
    let end = session.handle(.ended(generation: 1, seconds: 20, atEnd: true), now: SessionTests.now)
    #expect(end.contains(.introTooLong(start: 0)) && !end.contains(.note(.status(.played))))
  }

  @Test func outroAsLongAsTheFileIsHeard() {
    var session = session(outro: 20)
    session.load(SessionTests.Subject(), at: 0, duration: nil)
    _ = session.handle(.started(generation: 1, duration: 20, seekable: true), now: SessionTests.now)
    for second in 1...19 { #expect(!report(Double(second), to: &session).contains(.note(.status(.played)))) }
    let end = session.handle(.ended(generation: 1, seconds: 20, atEnd: true), now: SessionTests.now)
    #expect(end.contains(.note(.status(.played))))
  }

  // MARK: Quick seeks

  private func plays(_ session: inout Session, from start: Double = 0) {
    session.load(SessionTests.Subject(), at: start, duration: 60)
    _ = session.handle(.started(generation: session.generation, duration: 60, seekable: true), now: SessionTests.now)
  }

  @Test func quickSeeksThatEndAnItemDoNotReachTheNext() {
    var session = session()
    plays(&session, from: 50)
    _ = session.seek(by: 30, now: SessionTests.now)
    _ = session.handle(.ended(generation: 1, seconds: 60, atEnd: true), now: SessionTests.now)
    session.load(SessionTests.Subject(episodeID: EpisodeID(2)), at: 0, duration: 60)
    #expect(session.seek(by: 30, now: SessionTests.now.addingTimeInterval(0.3)).isEmpty)
    _ = session.handle(.started(generation: 2, duration: 60, seekable: true), now: SessionTests.now)
    // A series goes on as long as the key is pressed.
    for press in 2...9 {
      #expect(session.seek(by: 30, now: SessionTests.now.addingTimeInterval(Double(press) * 0.3)).isEmpty)
    }
    #expect(session.position == 0)
    let later = session.seek(by: 30, now: SessionTests.now.addingTimeInterval(6))
    #expect(later.contains(.seek(to: 30, session.newestSeek)))
  }

  @Test func quickSeeksInOneItemAreAllMeant() {
    var session = session()
    plays(&session)
    for _ in 1...3 { _ = session.seek(by: 10, now: SessionTests.now) }
    #expect(session.position == 30)
    _ = session.seek(by: -10, now: SessionTests.now)
    #expect(session.position == 20)
  }

  @Test func seekInAnItemThatTheListenerChoseIsMeant() {
    var session = session()
    plays(&session)
    _ = session.seek(by: 10, now: SessionTests.now)
    _ = session.stop(recording: .pause)
    plays(&session)
    #expect(!session.seek(by: 10, now: SessionTests.now).isEmpty && session.position == 10)
  }

  // MARK: Chapters

  @Test func previousChapterPassesSeveralOfOneSecond() {
    var session = session()
    plays(&session, from: 25)
    let chapters = [0, 10, 10, 10.4, 20].enumerated().map { Chapter(start: $0.element, title: "\($0.offset)") }
    _ = session.receiveChapters(chapters, generation: 1)
    var places: [Double] = []
    for _ in 1...3 {
      _ = session.seekChapter(-1)
      places.append(session.position)
      // The sound goes on a little between two keys.
      _ = report(session.position + 0.8, to: &session)
    }
    #expect(places == [20, 10.4, 0])
  }

  @Test func chaptersBehindTheEndAreLeftOut() {
    var session = session()
    plays(&session)
    _ = session.receiveChapters(
      [Chapter(start: -3), Chapter(start: 0, title: "A"), Chapter(start: 60), Chapter(start: 90)], generation: 1)
    #expect(session.chapters == [Chapter(start: 0, title: "A")])
  }

  @Test func chapterWithoutATitleHasItsNumber() {
    var session = session()
    plays(&session, from: 30)
    _ = session.receiveChapters([Chapter(start: 0, title: "A"), Chapter(start: 20)], generation: 1)
    #expect(session.nowPlaying.chapter == "Chapter 2")
  }
}
