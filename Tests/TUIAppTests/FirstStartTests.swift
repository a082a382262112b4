import Foundation
import Model
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// With an empty home there is an episode to play immediately, and its position is saved.
@Suite(.withTmux, InTerminal()) struct FirstStartTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    // A busy machine may need a minute from a pause to the next sound, which would then begin two seconds earlier.
    try home.configure("refresh_on_start = false\nrewind_after_pause = false\n")
  }

  /// Waits until the library has the place that the player bar shows, and returns it. It must be the same twice,
  /// because the player reports the exact position only after the pause.
  private func savedPause(
    _ session: TmuxSession, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Int {
    var place: Int?
    var last: (bar: PlayerBar?, row: EpisodeRow?) = (nil, nil)
    let isSaved = try await Eventually.until(every: 100) {
      last.bar = try await session.bar()
      last.row = try home.library { library in
        try library.lastPlayed().flatMap { try library.episodeRows([$0]).first }
      }
      let shown = last.bar.flatMap { $0.phase == .paused ? $0.elapsed : nil }
      let stored = last.row.flatMap { $0.status == .paused ? Int($0.position) : nil }
      let isSame = shown != nil && shown == stored && shown == place
      place = shown == stored ? shown : nil
      return isSame
    }
    try #require(isSaved, "waited for a saved pause: \(last)", sourceLocation: sourceLocation)
    return try #require(place)
  }

  @Test func twoEntersPlayAndThePositionIsSaved() async throws {
    var session = try await TmuxSession(home)
    let first = try await session.waitFor("Playing and seeking")
    #expect(first.contains("Podcasts") && first.contains("1/4") && first.contains("Nothing playing"))
    #expect(PlayerBar(screen: first) == nil)

    try await session.press("Enter", "Enter")
    try await session.waitForBar("two seconds heard") { $0.phase == .playing && $0.elapsed >= 2 }
    try await session.press("Space")
    // A pause saves the position, without quitting.
    let paused = try await savedPause(session)
    try await session.press("Space")
    try await session.waitForBar("further") { $0.phase == .playing && $0.elapsed > paused }
    try await session.press("Space")
    let left = try await savedPause(session)
    // The first q returns to the podcasts, the second one quits.
    try await session.press("q", shows: "find podcasts")
    try await session.press("q")
    #expect(try await session.exitStatus() == 0)

    session = try await TmuxSession(home)
    let bar = try await session.waitForBar("the same place") { $0.phase == .stopped }
    #expect(bar.elapsed == left && bar.row.contains("Welcome to Earshot"))
    let pressed = ContinuousClock.now
    try await session.press("Space")
    let resumed = try await session.waitForBar("playing on") { $0.phase == .playing }
    // Playback continues while a busy machine delays this check.
    let waited = Int((ContinuousClock.now - pressed).components.seconds)
    #expect((left...left + 2 + waited).contains(resumed.elapsed))
    try await session.quit()
  }

  /// A killed Earshot has left them, and no program makes transcripts any more.
  @Test func filesOfAKilledTranscriptAreDeleted() async throws {
    let job = home.path + "/cache/earshot/transcribing/job"
    try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
    let session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    #expect(try await Eventually.until { !FileManager.default.fileExists(atPath: job) })
    try await session.quit()
  }

  @Test func removedWelcomePodcastStaysRemoved() async throws {
    var session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    try await session.press("D", shows: "Unsubscribe from “Welcome to Earshot”?")
    try await session.press("n", shows: "Nothing was changed")
    try await session.press("D", shows: "Unsubscribe from")
    try await session.press("y")
    try await session.waitForNo("Playing and seeking")
    try await session.quit()

    session = try await TmuxSession(home)
    try await session.waitFor("No podcasts yet")
    #expect(try await BuiltProgram.run(["refresh"], in: home).status == 0)
    try await session.press("R", "?", shows: "Keys and commands")
    try await session.press("Escape", shows: "No podcasts yet")
    try await session.quit()
    #expect(try home.library { try $0.podcasts() }.isEmpty)
  }

  @Test func unsubscribeCanBeUndone() async throws {
    let session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    try await session.press("D", "y")
    try await session.waitForNo("Playing and seeking")
    try await session.press("U", shows: "Playing and seeking")
    try await session.quit()
    #expect(try home.library { try $0.podcasts() }.map(\.episodes) == [4])
  }
}
