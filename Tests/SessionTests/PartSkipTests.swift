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

  @Test func anExcerptSkipsNothing() {
    var session = playing(from: 98, parts: [100...143])
    _ = session.playExcerpt(95...140)
    _ = report(96, to: &session)
    #expect(seeks(report(101, to: &session)) == [])
  }
}
