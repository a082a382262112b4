import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// The verbs that change single episodes or show podcasts and episodes, each in a separate process.
@Suite(InTurn()) struct MarkVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() async throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Marked")
    _ = try await BuiltProgram.run(["add", broadcast.feedURL], in: home)
  }

  /// The states of the episodes in a verb's output.
  private func states(_ outcome: BuiltProgram.Outcome) throws -> [String] {
    try outcome.objects().compactMap { $0["status"] as? String }
  }

  @Test func statesCanBeSetAndUndone() async throws {
    #expect(try states(await earshot("mark", "played", "one", "two", "--json")) == ["played", "played"])
    #expect(try states(await earshot("mark", "unplayed", "one", "--json")) == ["new"])
    #expect(try states(await earshot("mark", "deleted", "three", "--json")) == ["deleted"])
    #expect(try await earshot("episodes", broadcast.feedURL).lines.count == 2)
    #expect(try states(await earshot("mark", "new", "three", "--json")) == ["new"])
    #expect(try await earshot("mark", "all", "Marked", "--json").object()["played"] as? Int == 2)
    #expect(try await earshot("undo", "5", "--json").objects().count == 5)
    #expect(try states(await earshot("episodes", broadcast.feedURL, "--json")) == ["new", "new", "new"])

    let unknown = try await earshot("mark", "played", "one", "nonesuch")
    #expect(unknown.status == 65 && unknown.stdout.isEmpty)
    #expect(try states(await earshot("episodes", broadcast.feedURL, "--json")) == ["new", "new", "new"])
  }

  @Test func positionCanBeSet() async throws {
    let marked = try await earshot("mark", "at", "two", "1:33.5", "--json").objects()
    #expect(marked.first?["playbackPosition"] as? Double == 93.5 && marked.first?["status"] as? String == "paused")
    #expect(marked.first?["positionUpdated"] is String && marked.first?["statusUpdated"] is String)
    #expect(try await earshot("mark", "at", "two", "soon").status == 64)
    try home.library { library in
      let id = try #require(try library.episodes(named: "two").first)
      try library.savePosition(id, seconds: 10, total: 300, now: Date())
    }
    let tooFar = try await earshot("mark", "at", "two", "5:01")
    #expect(tooFar.status == 65 && tooFar.stderr.contains("only 5:00 long"))
  }

  /// The JSON output contains all data of podcasts and episodes.
  @Test func showPrintsPodcastsAndEpisodes() async throws {
    let podcast = try #require(
      try await earshot("list", "--json").objects().first { $0["title"] as? String == "Marked" })
    #expect(podcast["isSubscribed"] as? Bool == true && podcast["subscriptionUpdated"] is String)
    #expect((podcast["source"] as? [String: Any])?["url"] as? String == broadcast.feedURL)
    #expect((podcast["tags"] as? [String])?.isEmpty == true && podcast["lastPubDate"] is String)
    let episode = try #require(try await earshot("episodes", broadcast.feedURL, "--json").objects().first)
    #expect(episode["summary"] as? String == "<p>Read <a href=\"https://example.org\">more</a> here</p>")
    #expect(episode["mediaURL"] is String && episode["mediaType"] is String)

    _ = try await earshot("remove", broadcast.feedURL)
    #expect(try await earshot("list", "--json").objects().allSatisfy { $0["title"] as? String != "Marked" })
    let former = try await earshot("list", "--all", "--json").objects().first { $0["title"] as? String == "Marked" }
    #expect(former?["isSubscribed"] as? Bool == false)
  }
}
