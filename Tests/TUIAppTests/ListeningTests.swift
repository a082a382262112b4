import Foundation
import LoopbackServer
import Model
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// The main tasks, from a pasted address to a deleted episode, over loopback.
@Suite(.withTmux, InTerminal()) struct ListeningTests {
  private let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Loopback Weekly")
  }

  /// The player with the broadcast subscribed and its first episode selected.
  private func subscribed() async throws -> TmuxSession {
    try await broadcast.subscribeOnly(in: home)
    return try await opened()
  }

  private func opened() async throws -> TmuxSession {
    let session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    try await session.press("Enter", shows: "i read")
    return session
  }

  private func row(_ title: String) throws -> EpisodeRow {
    try home.library { library in
      let ids = try library.podcasts().flatMap { try library.episodeIDs(EpisodeQuery(.podcast($0.id))) }
      return try #require(try library.episodeRows(ids).first { $0.title == title })
    }
  }

  @Test func episodeOfAnAddedPodcastIsReadPlayedAndSought() async throws {
    let session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    try await session.press("a", shows: "Address:")
    try await session.type(broadcast.feedURL)
    try await session.press("Enter", shows: "Added “Loopback Weekly” with 3 episodes")
    try await session.waitFor("流動的資金盛宴")

    try await session.press("Enter", shows: "i read")
    try await session.press("i")
    let page = try await session.waitFor("Read more[1] here")
    #expect(page.contains("Details") && page.contains("9 Nov 2026"))
    try await session.press("Escape")
    try await session.waitForNo("Read more[1]")

    try await session.press("Enter")
    try await session.waitForBar("playing") { $0.phase == .playing && $0.elapsed >= 1 && $0.row.contains("/ 5:00") }
    try await session.press("Right")
    try await session.waitForBar("30 seconds on") { $0.elapsed >= 30 }
    try await session.press("S-Right")
    try await session.waitForBar("a minute on") { $0.elapsed >= 90 }
    // Paused, so that only the keys change the position. A bar of a playing episode may be old on a busy machine.
    try await session.press("Space")
    let paused = try await session.waitForBar("paused") { $0.phase == .paused }
    try await session.press("Left")
    try await session.waitForBar("10 seconds back") { abs($0.elapsed - (paused.elapsed - 10)) <= 1 }
    try await session.press("Right")
    try await session.waitForBar("30 seconds on from there") { abs($0.elapsed - (paused.elapsed + 20)) <= 1 }
    try await session.press("S-Right")
    try await session.waitForBar("a minute on from there") { abs($0.elapsed - (paused.elapsed + 80)) <= 1 }
    try await session.press("Space")
    try await session.waitForBar("playing again") { $0.phase == .playing }
    // Paused, so that nothing is heard after the chosen place.
    try await session.press("Space")
    try await session.waitForBar("paused again") { $0.phase == .paused }
    try await session.press(":")
    try await session.type("seek 4:00")
    try await session.press("Enter")
    try await session.waitForBar("at four minutes") { $0.elapsed == 240 }
    try await session.quit()
    let heard = try row("流動的資金盛宴")
    #expect(heard.position == 240)
    #expect(heard.status == .paused && heard.duration == 300)
  }

  @Test func changeOfEpisodeSavesThePosition() async throws {
    let session = try await subscribed()
    let begin = ContinuousClock.now
    try await session.press("Enter")
    try await session.waitForBar("playing") { $0.phase == .playing }
    try await session.press("S-Right")
    let left = try await session.waitForBar("at a minute") { $0.elapsed >= 60 }
    let time = ContinuousClock.now
    try await session.press("j", "Enter")
    // From its beginning: it cannot have played longer than time passed.
    try await session.waitForBar("the second") {
      let passed = Int((ContinuousClock.now - time).components.seconds)
      return $0.row.contains("Second hour") && $0.phase == .playing && $0.elapsed <= passed + 1
    }
    try await session.press("k", "Enter")
    let back = try await session.waitForBar("the first") { $0.row.contains("流動的資金盛宴") && $0.phase == .playing }
    // At most two seconds may be lost. The screen may be old on a busy machine, but apart from the minute, it played no
    // longer than time passed.
    let passed = Int((ContinuousClock.now - begin).components.seconds) + 1
    #expect((left.elapsed - 2...60 + passed).contains(back.elapsed))
    try await session.quit()
  }

  @Test func deletedEpisodeStaysDeletedUntilUndo() async throws {
    var session = try await subscribed()
    try await session.press("j", "x")
    try await session.waitForNo("2/3")
    try await session.waitFor("Deleted “Second hour”")
    try await session.press("r", shows: "Refreshed:")
    // It stays deleted when the publisher changes it.
    var changed = Broadcast.threeEpisodes
    changed[1].notes = "New words"
    broadcast.publish(changed)
    // The message of the first refresh goes with the next key.
    try await session.press("k")
    try await session.waitForNo("Refreshed:")
    try await session.press("r", shows: "Refreshed:")
    #expect(broadcast.server.requests(to: "/feed.xml").count >= 3)
    #expect(try await !session.screen().contains("Second hour"))
    try await session.quit()

    session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    #expect(try await !session.screen().contains("Second hour"))
    #expect(try row("Third hour").status == .new)
    // Undoing a change from before this start asks first.
    try await session.press("U")
    try await session.waitUntil("a question") { $0.contains("Second hour") }
    try await session.press("y", shows: "● Second hour")
    try await session.quit()
    #expect(try row("Second hour").status == .new)
  }

  @Test func episodeIsMarkedPlayedAndUnplayed() async throws {
    let session = try await subscribed()
    try await session.press("m", shows: "✓ 流動的資金盛宴")
    try await session.press("u")
    try await session.waitForNo("✓ 流動的資金盛宴")
    try await session.press("u", shows: "✓ 流動的資金盛宴")
    try await session.press("g", "m")
    try await session.waitForNo("✓")
    try await session.quit()
    #expect(try row("流動的資金盛宴").status == .new)
  }

  @Test func newEpisodesAppearAfterARefresh() async throws {
    try home.configure("refresh_on_start = true\n")
    #expect(try await BuiltProgram.run(["add", broadcast.feedURL], in: home).status == 0)
    broadcast.publish([Broadcast.Episode(title: "Breaking news", guid: "four", day: 10)] + Broadcast.threeEpisodes)
    let session = try await TmuxSession(home)
    try await session.waitFor("1 new episode")
    try await session.press("2", shows: "Breaking news")
    try await session.quit()
  }

  @Test func failedRefreshChangesNothing() async throws {
    var session = try await subscribed()
    broadcast.server.stop()
    try await session.press("r", shows: "Error: Loopback Weekly: no connectivity")
    #expect(try await session.screen().contains("Third hour"))
    try await session.quit()
    session = try await TmuxSession(home)
    let screen = try await session.waitFor("Third hour")
    #expect(screen.contains("流動的資金盛宴"))
    try await session.quit()
  }

  /// The response for an address, and the message of the player.
  private static let refusals: [(path: String, answer: LoopbackServer.Response, says: String)] = [
    ("/absent", .status(404), "the server has nothing at this address (404)"),
    ("/garbage", .text("neither XML nor anything"), "invalid data"),
    ("/page", .text("<html><body>Hello</body></html>", type: "text/html"), "invalid data: a web page came"),
    ("/forbidden", .status(403), "the server refused: forbidden (403)"),
  ]

  @Test func failedAddIsReportedAndStoresNothing() async throws {
    let session = try await TmuxSession(home, size: Size(120, 24))
    try await session.waitFor("Playing and seeking")
    func add(_ address: String, says: String) async throws {
      try await session.press("a", shows: "Address:")
      try await session.type(address)
      try await session.press("Enter", shows: "Error: \(address): \(says)")
    }
    for refusal in Self.refusals {
      broadcast.server.route(refusal.path, refusal.answer)
      try await add(broadcast.server.url(refusal.path), says: refusal.says)
    }
    broadcast.server.stop()
    try await add(broadcast.server.url("/feed.xml"), says: "no connectivity: 127.0.0.1 does not accept connections")
    try await session.quit()
    #expect(try home.library { try $0.podcasts() }.map(\.title) == ["Welcome to Earshot"])
  }

  @Test func unplayableEpisodeIsReportedAndNotMarkedPlayed() async throws {
    for number in 1...9 { broadcast.server.route("/\(number).wav", .status(404)) }
    let session = try await subscribed()
    try await session.press("Enter", shows: "Error: Cannot play “流動的資金盛宴”")
    try await session.quit()
    #expect(try row("流動的資金盛宴").status != .played)
  }

  @Test func pendingSeekAtQuitIsThePosition() async throws {
    broadcast.withholdSecondHalf()
    let session = try await subscribed()
    try await session.press("Enter")
    try await session.waitForBar("playing") { $0.phase == .playing && $0.elapsed >= 1 }
    try await session.press(":")
    try await session.type("seek 4:00")
    try await session.press("Enter", "Q")
    #expect(try await session.exitStatus() == 0)
    #expect(try row("流動的資金盛宴").position == 240)
  }

  @Test func missingDownloadIsStreamed() async throws {
    try await broadcast.subscribeOnly(in: home)
    let ids = try [row("流動的資金盛宴").id, row("Third hour").id].map(\.description)
    #expect(try await BuiltProgram.run(["download"] + ids, in: home).status == 0)
    let name = try #require(try home.library { try $0.episode(try row("流動的資金盛宴").id)?.fileName })
    try FileManager.default.removeItem(atPath: "\(home.directories.downloads)/\(name)")
    let session = try await opened()
    #expect(try row("流動的資金盛宴").isDownloaded)
    try await session.press("Enter", shows: "is gone: it is streamed")
    try await session.waitForBar("streaming") { $0.phase == .playing }
    try await session.quit()
    #expect(try !row("流動的資金盛宴").isDownloaded)
    #expect(try row("Third hour").isDownloaded, "its file is there")
  }
}
