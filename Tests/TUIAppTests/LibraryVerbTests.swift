import Foundation
import LoopbackServer
import Testing

@testable import TUIApp

/// The verbs that use the library, each in a separate process.
@Suite(InTurn()) struct LibraryVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Verbs & Nouns")
  }

  /// Runs a command that must succeed without output on stderr.
  private func answer(
    _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> BuiltProgram.Outcome {
    let outcome = try await BuiltProgram.run(arguments, in: home, input: Data(input.utf8))
    #expect(
      outcome.status == 0 && outcome.stderr.isEmpty, "\(arguments): \(outcome.stderr)", sourceLocation: sourceLocation)
    return outcome
  }

  @Test func podcastIsAddedListedSearchedAndRemoved() async throws {
    let added = try await answer("add", broadcast.feedURL, "--json").objects()
    #expect(added.first?["title"] as? String == "Verbs & Nouns" && added.first?["episodes"] as? Int == 3)

    let podcasts = try await answer("list", "--json").objects()
    let podcast = try #require(podcasts.first { $0["title"] as? String == "Verbs & Nouns" })
    #expect(podcast["feedURL"] as? String == broadcast.feedURL && podcast["unplayed"] as? Int == 3)
    #expect(podcasts.count == 2, "the welcome podcast and ours")
    #expect(try await answer("list").text.contains("Verbs & Nouns  \(broadcast.feedURL)"))

    let episodes = try await answer("episodes", broadcast.feedURL, "--json").objects()
    #expect(episodes.map { $0["title"] as? String } == ["流動的資金盛宴", "Second hour", "Third hour"])
    #expect(episodes[0]["pubDate"] as? String == "2026-11-09T08:00:00Z" && episodes[0]["status"] as? String == "new")
    #expect(try await answer("episodes", "Verbs & Nouns", "--limit", "1").lines.count == 1)
    // After adding a podcast, only its newest episode is new. All four episodes of the welcome podcast are new.
    #expect(try await answer("episodes", "--json").objects().count == 5)

    let hits = try await answer("search", "second", "hour", "--json").objects()
    #expect(hits.map { $0["title"] as? String } == ["Second hour"])
    let nothing = try await earshot("search", "absent")
    #expect(nothing.stdout.isEmpty && nothing.stderr.contains("nothing was found"))

    let removed = try await answer("remove", broadcast.feedURL, "--json").object()
    #expect(removed["title"] as? String == "Verbs & Nouns")
    #expect(try await answer("list", "--json").objects().count == 1)
    #expect(try await earshot("remove", broadcast.feedURL).status != 0)
    let former = try await answer("list", "--all").lines.filter { $0.hasSuffix("  (unsubscribed)") }
    #expect(former.count == 1 && former.first?.contains("Verbs & Nouns") == true)
    let number = try #require(former.first?.split(separator: " ").first)
    for name in [String(number), broadcast.feedURL, "verbs & nouns"] {
      #expect(try await answer("episodes", name).lines.count == 3)
    }
  }

  /// JSON is created in portions of 500 episodes, several at the same time.
  @Test func episodesOfManyPortionsStayInOrder() async throws {
    broadcast.publish(
      (1...2300).map { Broadcast.Episode(title: "Episode \($0)", guid: "guid-\($0)", day: $0 % 28 + 1) })
    _ = try await answer("add", broadcast.feedURL)
    let lines = try await answer("episodes", broadcast.feedURL).lines
    let objects = try await answer("episodes", broadcast.feedURL, "--json").objects()
    #expect(lines.count == 2300 && objects.count == 2300)
    let titles = objects.compactMap { $0["title"] as? String }
    #expect(zip(lines, titles).allSatisfy { $0.hasSuffix(" \($1)") || $0.contains(" \($1) ") })
  }

  @Test func refreshReportsCountsAndFailures() async throws {
    let other = try Broadcast("Another")
    _ = try await answer("add", broadcast.feedURL, other.feedURL)
    broadcast.publish([Broadcast.Episode(title: "Fresh", guid: "fresh", day: 12)] + Broadcast.threeEpisodes)
    let refreshed = try await answer("refresh", "--json").object()
    #expect(refreshed["new"] as? Int == 1 && refreshed["failed"] as? Int == 0)
    #expect(try await answer("refresh", broadcast.feedURL).lines.last == "0 new, 1 unchanged, 0 failed")

    other.server.route("/feed.xml", .text("no longer a feed"))
    let damaged = try await earshot("refresh")
    #expect(damaged.status == 65 && damaged.stderr.contains("Another: invalid data"))
    #expect(damaged.lines.last?.hasSuffix("1 failed") == true)
    other.server.stop()
    let unreachable = try await earshot("refresh", other.feedURL, "--json")
    #expect(unreachable.status == 69)
    let object = try unreachable.object()
    #expect(object["failed"] as? Int == 1 && "\(object["errors"] ?? "")".contains("Another: no connectivity"))
    #expect(try await answer("episodes", "Another", "--json").objects().count == 3)
  }

  private static func page(
    _ numbers: ClosedRange<Int>, next: String?, of title: String = "Long", lacking: Int = 0
  ) -> LoopbackServer.Response {
    let items = numbers.reversed().map {
      "<item><title>Part \($0)</title><guid>\(title)-part-\($0)</guid></item>"
    }.joined()
    let link = next.map { "<atom:link rel='next' href='\($0)'/>" } ?? ""
    let text =
      "<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>\(title)</title>\(link)\(items)</channel></rss>"
    return .text(String(text.dropLast(lacking)), type: "application/rss+xml")
  }

  @Test func refreshArchiveReadsMorePages() async throws {
    let long = try Broadcast("Long", [])
    long.server.route("/feed.xml", Self.page(5...6, next: "/2"))
    long.server.route("/2", Self.page(3...5, next: "/3"))
    long.server.route("/3", Self.page(1...2, next: nil))
    _ = try await answer("add", long.feedURL)
    #expect(try await answer("episodes", "Long", "--json").objects().count == 2, "a refresh asks for one page")

    let walked = try await answer("refresh", "--archive", "Long", "--json").object()
    #expect(walked["new"] as? Int == 4 && walked["pages"] as? Int == 2 && walked["isBounded"] as? Bool == false)
    #expect(walked["unchanged"] as? Int == 0 && walked["failed"] as? Int == 0)
    #expect(try await answer("episodes", "Long", "--json").objects().count == 6)
    #expect(try await answer("search", "Part", "1", "--json").objects().count == 1)
    #expect(
      try await answer("refresh", "--archive", "Long").lines.last == "0 new, 1 unchanged, 0 failed, 2 further pages")
    // The episodes of the further pages are kept when a normal refresh reads only the first page.
    _ = try await answer("refresh", "Long")
    #expect(try await answer("episodes", "Long", "--json").objects().count == 6)

    // The episodes of the pages before the failed one are kept.
    long.server.route("/3", .status(500))
    let broken = try await earshot("refresh", "--archive", "Long")
    #expect(broken.status == 69 && broken.stderr.contains("Long: the server refused"))
    #expect(broken.lines.last == "0 new, 0 unchanged, 1 failed, 1 further page")
    #expect(try await earshot("refresh", "--archive", "No such show").status != 0)
    #expect(try await earshot("refresh", "--archive", "Long", "Other").status == 64)

    // A page that is cut off is not whole, and is fetched again.
    long.server.route("/2", Self.page(3...5, next: "/3", lacking: 30))
    let cut = try await earshot("refresh", "--archive", "Long")
    #expect(cut.status == 65 && cut.stderr.contains("Long: invalid data: a page of the feed is cut off"))
    #expect(cut.lines.last == "0 new, 0 unchanged, 1 failed, 1 further page")
  }

  /// A host that closes redirects its feeds to a podcast of its own.
  @Test func refreshArchiveRefusesAnotherPodcast() async throws {
    let long = try Broadcast("Long", [])
    long.server.route("/feed.xml", Self.page(5...6, next: nil))
    _ = try await answer("add", long.feedURL)
    long.server.route("/host", Self.page(30...31, next: "/host2", of: "The host"))
    long.server.route("/host2", Self.page(20...21, next: nil, of: "The host"))
    long.server.route("/feed.xml", .redirect(301, to: "/host"))
    for arguments in [["refresh", "--archive", "Long"], ["refresh", "Long"]] {
      let refused = try await BuiltProgram.run(arguments, in: home)
      #expect(refused.status == (arguments.contains("--archive") ? 65 : 0))
      #expect(refused.stderr.contains("its address now leads to another podcast, “The host”"))
      #expect(refused.text.hasPrefix("0 new, "))
      #expect(try await answer("episodes", "Long", "--json").objects().count == 2)
    }
    let counts = try await earshot("refresh", "--archive", "Long", "--json").object()
    #expect(counts["error"] as? String == "invalid data: the address leads to another podcast")
    #expect(long.server.requests(to: "/host2").isEmpty)
  }

  /// The other podcast has the same episodes, so that both are merged.
  @Test func refreshArchiveFindsAMergedPodcast() async throws {
    let long = try Broadcast("Long", [])
    for path in ["/feed.xml", "/new"] {
      long.server.route(path, Self.page(5...6, next: "/2"))
      #expect(try await earshot("add", long.server.url(path)).status == 0)
    }
    long.server.route("/2", Self.page(3...4, next: nil))
    long.server.route("/feed.xml", .redirect(301, to: "/new"))
    let merged = try await earshot("refresh", "--archive", long.feedURL)
    #expect(merged.status == 0, "\(merged.stderr)")
    #expect(merged.lines.last == "2 new, 0 unchanged, 0 failed, 1 further page")
    #expect(try await answer("list", "--json").objects().count == 2, "the welcome podcast and the merged one")
    #expect(try await answer("episodes", "Long", "--json").objects().count == 4)
  }

  @Test func refreshArchiveTellsHooksOfNewEpisodes() async throws {
    _ = try await answer("add", broadcast.feedURL)
    let hook = try home.file("hook.sh", Array("#!/bin/sh\ncat >> '\(home.path)/hook.log'\n".utf8))
    chmod(hook, 0o700)
    try home.configure("refresh_on_start = false\n[hooks]\nnew-episodes = [\"\(hook)\"]\n")
    broadcast.publish([Broadcast.Episode(title: "Fourth hour", guid: "four", day: 10)] + Broadcast.threeEpisodes)
    let outcome = try await answer("refresh", "--archive", broadcast.feedURL)
    #expect(outcome.text == "1 new, 0 unchanged, 0 failed, 0 further pages\n")
    #expect(try String(contentsOfFile: home.path + "/hook.log", encoding: .utf8).contains("new-episodes"))
  }

  @Test func opmlIsExportedAndImported() async throws {
    _ = try await answer("add", broadcast.feedURL)
    let exported = try await answer("export").text
    #expect(
      exported.contains("<opml") && exported.contains(broadcast.feedURL) && exported.contains("Verbs &amp; Nouns"))
    #expect(!exported.contains("earshot:welcome"))
    let file = "\(home.path)/subscriptions.opml"
    #expect(try await earshot("export", file).status == 0)
    #expect(try await answer("export", "\(home.path)/again.opml", "--json").object()["podcasts"] as? Int == 1)
    let subscriptions = try await answer("export", "--json").objects()
    #expect(subscriptions.map { $0["feedURL"] as? String } == [broadcast.feedURL])

    let second = try TemporaryHome()
    let imported = try await BuiltProgram.run(["import", file, "--json"], in: second).object()
    #expect(imported["added"] as? Int == 1 && imported["known"] as? Int == 0)
    let again = try await BuiltProgram.run(["import", "-"], in: second, input: Data(exported.utf8))
    #expect(again.status == 0 && again.text == "0 added, 1 known, 0 refused\n")
    #expect(try await BuiltProgram.run(["refresh"], in: second).status == 0)
    let episodes = try await BuiltProgram.run(["episodes", broadcast.feedURL, "--json"], in: second).objects()
    #expect(episodes.count == 3)

    let garbage = try await earshot("import", "-", input: "no outline at all")
    #expect(garbage.status == 65 && garbage.stdout.isEmpty && garbage.stderr.contains("invalid data"))
    #expect(try await earshot("export", "\(home.path)/absent/file").status == 73)
  }

  @Test func failedAddStoresNothing() async throws {
    broadcast.server.route("/garbage", .text("garbage"))
    let cases = [("/garbage", 65 as Int32, "invalid data"), ("/absent", 69, "404")]
    for (path, status, says) in cases {
      let outcome = try await earshot("add", broadcast.server.url(path))
      #expect(outcome.status == status && outcome.stdout.isEmpty && outcome.stderr.contains(says))
      #expect(outcome.stderr.contains(broadcast.server.url(path)))
    }
    // One of the two addresses is added, although the other one fails.
    let mixed = try await earshot("add", broadcast.server.url("/absent"), broadcast.feedURL, "--json")
    #expect(try mixed.status == 69 && mixed.objects().count == 1)
    #expect(try await answer("list", "--json").objects().count == 2)
  }

  @Test func feedTitlesCannotControlTheTerminal() async throws {
    let title = "Bell\u{7}\u{1B}[31m\u{9B}2J"
    let hostile = try Broadcast(title, [Broadcast.Episode(title: title, guid: "1")])
    // XML allows only the C1 controls of these. The reader repairs the feed, and the rest must be harmless.
    _ = try await earshot("add", hostile.feedURL)
    for arguments in [["list"], ["episodes"], ["search", "Bell"], ["list", "--json"], ["episodes", "--json"]] {
      let outcome = try await BuiltProgram.run(arguments, in: home)
      #expect(outcome.status == 0 && outcome.text.contains("Bell"), "\(arguments)")
      let scalars = (outcome.text + outcome.stderr).unicodeScalars
      #expect(!scalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) }, "\(arguments)")
    }
  }
}
