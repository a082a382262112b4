import Foundation
import Model
import Testing

@testable import Session

/// Parts that the listener has marked to be skipped.
@Suite struct PartSkipTests {
  private typealias Subject = SessionTests.Subject

  private func playing(from start: Double, parts: [ClosedRange<Double>]) -> ListeningSession<Subject> {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: start, duration: 3600)
    session.receive(skipped: parts)
    _ = session.handle(.started(generation: 1, duration: 3600, seekable: true), now: SessionTests.now)
    return session
  }

  private func report(_ seconds: Double, to session: inout ListeningSession<Subject>) -> [SessionEffect] {
    session.handle(.position(generation: 1, seconds: seconds, seek: session.newestSeek), now: SessionTests.now)
  }

  private func seeks(_ effects: [SessionEffect]) -> [Double] {
    effects.compactMap { if case .seek(let second, _) = $0 { second } else { nil } }
  }

  @Test func partsThatLeaveNothingToHearAreHeard() {
    var session = playing(from: 5, parts: [0...2000, 2000...3600])
    #expect(seeks(report(6, to: &session)) == [])
    session = playing(from: 5, parts: [0...2000, 2010...3600])
    #expect(seeks(report(6, to: &session)) == [2000])
  }

  @Test func aPartIsJumpedAndCanBeUndone() {
    var session = playing(from: 98, parts: [100...143])
    #expect(seeks(report(99, to: &session)) == [])
    let effects = report(100, to: &session)
    #expect(seeks(effects) == [143])
    #expect(effects.contains(.message(.skippedPart(43))))
    #expect(effects.contains(.note(.jump(from: 100, to: 143))))
    #expect(effects.contains(.note(.position(seconds: 100, total: 3600))), "the place before it is stored")
    #expect(session.jumps.canGoBack)
    // The undo goes back into the part, which is heard then.
    _ = session.seek(to: 100, as: .short)
    #expect(seeks(report(101, to: &session)) == [])
    #expect(seeks(report(102, to: &session)) == [])
    // The next time it is skipped again.
    _ = session.seek(to: 50, as: .jump)
    _ = report(51, to: &session)
    #expect(session.heardPart == nil)
  }

  @Test func playbackThatBeginsInAPartSkipsItsRest() {
    var session = playing(from: 110, parts: [100...143])
    #expect(seeks(report(111, to: &session)) == [143])
  }

  @Test func partsThatTouchAreOneAndEndWithTheFile() {
    var session = playing(from: 99, parts: [120...130, 100...120, 3590...4000])
    #expect(session.skippedParts == [100...130, 3590...4000])
    #expect(seeks(report(100.5, to: &session)) == [130])
    _ = session.seek(to: 3585, as: .jump)
    _ = report(3586, to: &session)
    #expect(seeks(report(3590, to: &session)) == [3600])
  }

  @Test func aPartAtTheBeginningIsSkipped() {
    var session = playing(from: 0, parts: [0...30])
    #expect(seeks(report(1, to: &session)) == [30])
  }

  /// An advertisement before the next chapter: the timer ends where the chapter ends, although nothing reports that.
  @Test func theTimerEndsAtAChapterThatBeginsBehindAPart() {
    for part in [50.0...60, 50...65] {
      var session = playing(from: 45, parts: [part])
      _ = session.handle(.chapters(generation: 1, [Chapter(start: 0), Chapter(start: 60)]), now: SessionTests.now)
      _ = session.setSleep(.endOfChapter)
      #expect(seeks(report(51, to: &session)) == [part.upperBound])
      #expect(report(part.upperBound, to: &session).contains(.setPaused(true)) == false)
      #expect(report(part.upperBound + 1, to: &session).contains(.setPaused(true)))
      #expect(session.sleep == nil)
    }
  }

  @Test func aPartThatEndsInTheOutroEndsTheEpisode() {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: 60, duration: 120)
    var settings = PlaybackSettings()
    settings.outro = 15
    session.receive(settings, of: PodcastID(1))
    session.receive(skipped: [65...110])
    _ = session.handle(.started(generation: 1, duration: 120, seekable: true), now: SessionTests.now)
    #expect(seeks(report(65.5, to: &session)) == [110])
    _ = report(110, to: &session)
    #expect(session.isActive)
    _ = report(111, to: &session)
    #expect(session.isFinished)
  }

  /// A position that the listener chooses after a skip is not reached by playback.
  @Test func aSeekForgetsTheSkip() {
    var session = playing(from: 45, parts: [50...60])
    _ = session.handle(.chapters(generation: 1, [Chapter(start: 0), Chapter(start: 60)]), now: SessionTests.now)
    _ = session.setSleep(.endOfChapter)
    _ = report(51, to: &session)
    _ = session.seek(to: 100, as: .jump)
    _ = report(100, to: &session)
    #expect(report(101, to: &session).contains(.setPaused(true)) == false)
  }

  @Test func anExcerptSkipsNothing() {
    var session = playing(from: 98, parts: [100...143])
    _ = session.playExcerpt(95...140)
    _ = report(96, to: &session)
    #expect(seeks(report(101, to: &session)) == [])
  }
}
