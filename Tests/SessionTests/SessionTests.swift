import Foundation
import Model
import Testing

@testable import Session

/// The session by itself; what the full-screen player makes of it is tested with AppCore, in scripts.
@Suite struct SessionTests {
  struct Subject: Playable {
    var podcastID: PodcastID? = PodcastID(1)
  }

  static let now = Date(timeIntervalSince1970: 1_763_726_400)

  /// One that plays from `start`.
  private func playing(from start: Double = 100, duration: Double? = 3600) -> ListeningSession<Subject> {
    var session = ListeningSession<Subject>()
    session.load(Subject(), at: start, duration: duration)
    _ = session.handle(.started(generation: 1, duration: duration, seekable: true), now: Self.now)
    return session
  }

  private func report(_ seconds: Double, to session: inout ListeningSession<Subject>) -> [SessionEffect] {
    session.handle(.position(generation: 1, seconds: seconds, seek: session.newestSeek), now: Self.now)
  }

  @Test func whatEndsTheSoundKeepsThePlaceOfTheMoment() {
    var session = playing()
    _ = report(101, to: &session)
    session.noteExactPosition(101.7, seek: .none, generation: 1)
    #expect(session.position == 101, "only what ends the sound looks at it")
    let effects = session.silence(recording: .pause)
    #expect(effects.first == .savePosition(seconds: 101.7, total: 3600))
    #expect(effects.contains(.record(.play(from: 100, to: 101.7, total: 3600), speed: 1)))
  }

  @Test func aMomentOfAnotherFileOrSeekIsNone() {
    for (seconds, seek, generation) in [
      (101.7, SeekID.none, 2), (101.7, SeekID.none.next, 1), (50, .none, 1), (.nan, .none, 1),
    ] {
      var session = playing()
      _ = report(101, to: &session)
      session.noteExactPosition(seconds, seek: seek, generation: generation)
      #expect(session.silence(recording: .pause).first == .savePosition(seconds: 101, total: 3600))
    }
  }

  @Test func positionsCountWhenTheyFollowTheNewestSeek() {
    var session = playing()
    let effects = session.seek(to: 500)
    #expect(effects.contains(.seek(to: 500, SeekID.none.next)))
    #expect(session.handle(.position(generation: 1, seconds: 101, seek: .none), now: Self.now) == [])
    #expect(session.position == 500)
    #expect(report(499.9, to: &session).contains(.savePosition(seconds: 499.9, total: 3600)))
  }

  @Test func whatPlaysIsOneThing() {
    var session = ListeningSession<Subject>()
    #expect(session.phase == .stopped)
    #expect(session.handle(.stalled(generation: 0, true), now: Self.now) == [] && !session.isStalled)
    session.load(Subject(), at: 7, duration: nil)
    #expect(session.phase == .loading && session.position == 7)
    _ = session.handle(.started(generation: 1, duration: 60, seekable: true), now: Self.now)
    _ = session.handle(.stalled(generation: 1, true), now: Self.now)
    let wait = NetworkWait(seconds: 3, cause: "no network")
    #expect(session.handle(.waitsForNetwork(generation: 1, wait), now: Self.now) == [.say(.waits(cause: "no network"))])
    #expect(session.isStalled && session.networkWait == wait)
    #expect(session.handle(.stalled(generation: 1, false), now: Self.now) == [.say(.soundIsBack(after: 3))])
    _ = session.handle(.paused(generation: 1, true), now: Self.now)
    #expect(session.phase == .paused)
    _ = session.silence(recording: .pause)
    #expect(session.phase == .stopped && session.position == 7)
  }

  @Test func aFileThatBelongsToNoPodcastHasNoSettings() {
    var session = ListeningSession<Subject>(speed: 1.5)
    var settings = ShowSettings()
    settings.speed = 2
    session.receive(settings, of: PodcastID(1))
    session.load(Subject(podcastID: nil), at: 0, duration: nil)
    #expect(session.currentShow == ShowSettings())
    session.setSpeedOfAll(1.2)
    #expect(session.speed(of: settings) == 1.2)
  }
}
