import Model
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// Two players with one library: the second one only reads, and says why.
@Suite(.withTmux, InTerminal()) struct TwoPlayersTests {
  private let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    // The welcome podcast is so short that a busy machine may reach its end before the second player has started.
    broadcast = try Broadcast("Shared")
    try home.configure("refresh_on_start = false\nnew_episodes = \"all\"\n")
  }

  /// The first player, with the broadcast as the only podcast.
  private func subscribed() async throws -> TmuxSession {
    try await broadcast.subscribeOnly(in: home)
    let session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    return session
  }

  @Test func secondPlayerOnlyReads() async throws {
    let first = try await subscribed()
    try await first.press("Enter", "Enter")
    try await first.waitForBar("playing") { $0.phase == .playing }

    let second = try await TmuxSession(home)
    try await second.waitFor(
      "Another Earshot (process \(try await first.processID())) is running; this one is read-only")
    // The second player can browse.
    try await second.press("Enter", "j", shows: "2/3")
    // The second player does not play.
    try await second.press("Enter")
    try await second.waitUntil("a refusal") { $0.contains("Cannot play") && $0.contains("Another Earshot") }
    // The second player does not write.
    try await second.press("x", shows: "Error: Another Earshot")
    try await second.quit()
    let rows = try home.library { library in
      try library.episodeRows(try library.episodeIDs(EpisodeQuery(.new)))
    }
    #expect(rows.count == 3 && rows.allSatisfy { $0.status != .deleted })

    // The first player has continued, and its position is unchanged by the second.
    let bar = try await first.waitForBar("playing on") { $0.phase == .playing && $0.elapsed >= 1 }
    try await first.quit()
    let place = try home.library { library in
      try library.episodeRows([try #require(try library.lastPlayed())]).first?.position
    }
    #expect(try #require(place) >= Double(bar.elapsed))

    // After the first player has ended, the next one can play.
    let third = try await TmuxSession(home)
    try await third.waitForBar("offered") { $0.phase == .stopped }
    try await third.press("Space")
    try await third.waitForBar("playing") { $0.phase == .playing }
    try await third.quit()
  }

  /// Within seconds the read-only player can play, from the position of the other one, and accepts commands.
  @Test func secondPlayerTakesOverAfterTheFirst() async throws {
    let first = try await subscribed()
    try await first.press("Enter", "Enter")
    try await first.waitForBar("playing") { $0.phase == .playing }
    let second = try await TmuxSession(home)
    try await second.waitFor("this one is read-only")
    let bar = try await first.waitForBar("playing on") { $0.phase == .playing && $0.elapsed >= 2 }
    try await first.quit()

    try await second.waitFor("This one plays and saves your position now")
    let offered = try await second.waitForBar("offered") { $0.phase == .stopped }
    #expect(offered.elapsed >= bar.elapsed)
    try await second.press("Space")
    try await second.waitForBar("playing") { $0.phase == .playing }
    let status = try await BuiltProgram.run(["ctl", "status", "--format", "{status}"], in: home)
    #expect(status.status == 0 && status.lines == ["playing"])
    try await second.press("2")
    try await second.waitFor(/Shared +Second hour/)
    try await second.press("x")
    try await second.waitUntil("an episode is deleted") { !$0.contains("Error") && $0.contains("1/2") }
    let third = try await TmuxSession(home)
    try await third.waitFor("(process \(try await second.processID())) is running")
    try await third.quit()
    try await second.quit()
  }

  /// Nothing has looked for changes of other processes when the first screen appears.
  @Test func changeRightAfterTheFirstScreenIsShown() async throws {
    let session = try await subscribed()
    let marked = try await BuiltProgram.run(["mark", "played", "three"], in: home)
    #expect(marked.status == 0)
    try await session.waitFor(/✓ +Third hour/)
    try await session.quit()
  }
}
