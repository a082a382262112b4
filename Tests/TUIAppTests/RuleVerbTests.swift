import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// `earshot rule`, and rules and hooks in `earshot refresh`, each in a separate process.
@Suite(InTurn()) struct RuleVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast
  private static let hostile = ["\"; rm -rf ~ #", "$(id)", "-rf", "`touch pwned`", "a\nb"]

  init() async throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Daily")
    _ = try await BuiltProgram.run(["add", broadcast.feedURL], in: home)
  }

  /// Publishes episodes with these titles beside the old ones, and refreshes.
  private func refresh(_ titles: [String]) async throws -> BuiltProgram.Outcome {
    let new = titles.enumerated().map { Broadcast.Episode(title: $1, guid: "new \($0)", day: 20 + $0) }
    broadcast.publish(Broadcast.threeEpisodes + new)
    return try await earshot("refresh", "--json")
  }

  private func queue() throws -> [String] {
    try home.library { library in try library.episodeRows(library.queue()).map(\.title) }
  }

  @Test func ruleIsMadeChangedMovedRunAndRemoved() async throws {
    let made = try await earshot("rule", "add", "podcast:\"Daily\" and title ~ best", "--do", "queue", "--name", "Best")
    #expect(made.status == 0, "\(made.stderr)")
    #expect(made.text.contains("1  on   Best: queue") && made.stderr.contains("0 episodes now"))
    #expect(try await earshot("rule", "add", "new", "--do", "tag  some  news").status == 0)
    #expect(try await earshot("rule", "move", "new", "1").text.contains("1  on   new: tag some news"))
    let edited = try await earshot("rule", "edit", "#2", "--off", "--do", "played", "--json").object()
    let rule = try #require(edited["rule"] as? [String: Any])
    #expect(rule["action"] as? String == "played" && rule["isOn"] as? Bool == false && rule["place"] as? Int == 2)
    let refreshed = try await refresh(["The best"]).object()
    #expect(refreshed["rules"] as? [String] == ["Rule “new”: 1 episode tagged “some news”"])
    #expect(try await earshot("rule", "preview", "best").text.contains("The best"))
    #expect(try await earshot("rule", "run", "Best").text.contains("1 episode marked as played"))
    #expect(try await earshot("rule", "run", "Best").stderr.contains("nothing to do"))
    #expect(try await earshot("undo").text.contains("What rules did"))
    #expect(try await earshot("rule", "remove", "Best").status == 0)
    let list = try await earshot("rule", "list", "--json").object()
    let rules = try #require(list["rules"] as? [[String: Any]])
    let settings = try #require(list["settings"] as? [[String: Any]])
    #expect(rules.count == 1 && settings.first?["name"] as? String == "new-episodes")
  }

  @Test func newRuleIsAppliedOnlyIfWanted() async throws {
    _ = try await refresh(["One", "Two"])
    let made = try await earshot("rule", "add", "title:one", "--do", "queue")
    #expect(made.stderr.contains("1 episode now") && made.stderr.contains("nothing was applied"))
    #expect(try queue() == [])
    let applied = try await earshot("rule", "edit", "title:one", "--filter", "title:two", "--apply", "--json").object()
    let preview = try #require(applied["preview"] as? [String: Any])
    let run = try #require(applied["run"] as? [String: Any])
    let acts = try #require(run["acts"] as? [[String: Any]])
    #expect(preview["now"] as? Int == 1 && acts.count == 1)
    #expect(try queue() == ["Two"])
  }

  @Test(arguments: [
    (["rule", "add", "durat < 3", "--do", "queue"], "column 1"),
    (["rule", "add", "new", "--do", "fly"], "is no action"),
    (["rule", "edit", "x", "--filter", "durat < 3"], "column 1"),
    (["playlist", "create", "x", "--filter", "durat < 3"], "column 1"),
    (["playlist", "filter", "x", "durat < 3"], "column 1"), (["transcribe", "durat < 3"], "column 1"),
  ]) func wrongFilterIsNamedBeforeALibraryIsMade(words: [String], says: String) async throws {
    let fresh = try TemporaryHome()
    let outcome = try await BuiltProgram.run(words, in: fresh)
    #expect(outcome.status == 64 && outcome.stdout.isEmpty, "\(outcome.stderr)")
    #expect(outcome.stderr.components(separatedBy: says).count == 2, "\(outcome.stderr)")
    #expect(!FileManager.default.fileExists(atPath: fresh.directories.database))
  }

  @Test(arguments: [
    (["add", "durat < 3", "--do", "queue"], 64, "column 1"), (["add", "new", "--do", "fly"], 64, "is no action"),
    (["add", "new", "--do", "tag"], 64, "want a name"),
    (["add", "new", "--do", "playlist Nowhere"], 65, "no playlist “Nowhere”"), (["run", "x"], 65, "rule x"),
    (["edit", "x", "--on"], 65, "rule x"), (["edit", "x"], 64, "Say what to change"), (["move", "x", "0"], 64, "is 1"),
  ]) func mistakesAreNamed(words: [String], status: Int32, says: String) async throws {
    let outcome = try await BuiltProgram.run(["rule"] + words, in: home)
    #expect(outcome.status == status && outcome.stderr.contains(says), "\(outcome.stderr)")
    #expect(try home.library { library in try library.rules() } == [])
  }

  @Test func hostileTitlesAreQueuedAndNothingElse() async throws {
    _ = try await earshot("rule", "add", "new", "--do", "queue")
    _ = try await refresh(Self.hostile)
    #expect(try queue().count == Self.hostile.count)
    #expect(try await earshot("rule", "list").status == 0)
  }
}
