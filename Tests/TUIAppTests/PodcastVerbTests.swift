import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// Settings of a podcast, chapters and transcripts, each verb in a separate process.
@Suite(InTurn()) struct PodcastVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let server: LoopbackServer

  init() async throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    let items = (1...5).map { number in
      """
      <item><title>Part \(number)</title><guid>part-\(number)</guid><pubDate>\(number) Jan 2024 10:00:00 GMT</pubDate>
      <enclosure url="\(server.url("/\(number).mp3"))" length="1000" type="audio/mpeg"/>
      <podcast:chapters url="\(server.url("/\(number).json"))" type="application/json+chapters"/>
      <podcast:transcript url="\(server.url("/\(number).vtt"))" type="text/vtt"/></item>
      """
    }
    server.route(
      "/feed",
      .text(
        """
        <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
        \(items.joined())</channel></rss>
        """, type: "text/xml"))
    for number in 1...5 {
      server.route(
        "/\(number).json",
        .text(
          #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Start"},{"startTime":75,"title":"Zanzibar \#(number)"}]}"#,
          type: "application/json+chapters"))
      server.route(
        "/\(number).vtt",
        .text(
          "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>Hello\n\n01:05.000 --> 01:07.000\n<v Ann>about quokkas \(number)\n",
          type: "text/vtt"))
    }
    let added = try await earshot("add", server.url("/feed"))
    #expect(added.text == "Added Show (5 episodes)\n")
  }

  /// Adds a podcast with an episode on the first of January of each of these years.
  private func add(_ title: String, years: [Int]) async throws {
    let items = years.map { year in
      """
      <item><title>\(title) of \(year)</title><guid>\(title)-\(year)</guid>
      <pubDate>1 Jan \(year) 10:00:00 GMT</pubDate><enclosure url="\(server.url("/\(year).mp3"))" type="audio/mpeg"/></item>
      """
    }
    let feed = "<rss version='2.0'><channel><title>\(title)</title>\(items.joined())</channel></rss>"
    server.route("/\(title)", .text(feed, type: "text/xml"))
    #expect(try await earshot("add", server.url("/\(title)")).status == 0)
  }

  @Test func podcastsOfTheSameNameAreNamed() async throws {
    try await add("Twin", years: [2023])
    server.route(
      "/other",
      .text("<rss version='2.0'><channel><title>twin</title></channel></rss>", type: "text/xml"))
    #expect(try await earshot("add", server.url("/other")).status == 0)
    let numbers = try home.library { library in
      try ["/Twin", "/other"].map { try #require(try library.podcastID(feedURL: server.url($0))) }
    }
    for verb in ["remove", "episodes", "settings"] {
      let outcome = try await earshot(verb, "Twin")
      #expect(outcome.status == 65 && outcome.text.isEmpty)
      #expect(outcome.stderr.contains("2 podcasts are named Twin: "), "\(outcome.stderr)")
      for (number, path) in zip(numbers, ["/Twin", "/other"]) {
        #expect(outcome.stderr.contains("\(number) (\(server.url(path)))"), "\(outcome.stderr)")
      }
    }
    #expect(try await earshot("remove", numbers[1].description).status == 0)
    #expect(try await earshot("remove", "twin").status == 0)
  }

  @Test func podcastsAreListedInTheRequestedOrder() async throws {
    try await add("Alpha", years: [2023])
    try await add("Zulu", years: [2025, 2022])
    func listed(_ arguments: String...) async throws -> [String] {
      let outcome = try await BuiltProgram.run(["list"] + arguments, in: home)
      #expect(outcome.status == 0)
      let lines = outcome.text.split(separator: "\n").filter { $0.contains(server.url("/")) }
      return lines.compactMap { line in ["Alpha", "Show", "Zulu"].first { line.contains("  \($0)  ") } }
    }
    #expect(try await listed() == ["Alpha", "Show", "Zulu"])
    #expect(try await listed("--sort", "title") == ["Alpha", "Show", "Zulu"])
    #expect(try await listed("--sort", "newest") == ["Zulu", "Show", "Alpha"])
    #expect(try await listed("--sort", "unplayed") == ["Show", "Zulu", "Alpha"])
    // Stores a manual order, as the player does.
    try home.library { library in
      let shown = try library.podcasts().map(\.id)
      let zulu = try #require(try library.podcasts().first { $0.title == "Zulu" }?.id)
      try library.movePodcast(zulu, to: 0, among: shown)
    }
    #expect(try await listed("--sort", "hand") == ["Zulu", "Alpha", "Show"])
    #expect(try await listed() == ["Alpha", "Show", "Zulu"], "the order by hand is asked for")
    let json = try await earshot("list", "--sort", "newest", "--json").text
    let places = try ["Zulu", "Show", "Alpha"].map { try #require(json.range(of: "\"\($0)\"")?.lowerBound) }
    #expect(places == places.sorted())
    #expect(try await earshot("list", "--sort", "size").status == 64)
  }

  @Test func settingsAreShownChangedAndRefused() async throws {
    #expect(try await earshot("settings", "Show").lines.contains("new-episodes    default (1)"))
    #expect(try await earshot("settings", "Show", "speed", "1.5", "--json").object()["speed"] as? Double == 1.5)
    #expect(try await earshot("settings", "Show", "gain", "-3").lines.contains("gain            -3 dB"))
    #expect(try await earshot("settings", "Show", "auto-download", "2", "--json").object()["autoDownload"] as? Int == 2)
    #expect(
      try await earshot("settings", "Show", "skip", "ad, sponsor", "--json").object()["skip"] as? [String] == [
        "ad", "sponsor",
      ])
    let stored = try home.library { library in
      try library.settings(of: try #require(try library.podcastID(feedURL: server.url("/feed"))))
    }
    #expect(stored.playback?.speed == 1.5 && stored.playback?.gain == -3 && stored.autoDownload == 2)
    #expect(try await earshot("settings", "Show", "reset", "--json").object()["speed"] == nil)
    for wrong in [["speed", "9"], ["auto-download", "many"], ["new-episodes", "some"], ["colour", "red"], ["mono"]] {
      let refused = try await BuiltProgram.run(["settings", "Show"] + wrong, in: home)
      #expect(refused.status == 64 && !refused.stderr.isEmpty, "\(wrong)")
    }
    let many = try await BuiltProgram.run(["settings", "Show", "auto-download", "many"], in: home)
    #expect(many.stderr.contains("“many” is no value of auto-download: write 0 to 100, or default."))
    #expect(try await earshot("settings", "nonesuch").status == 65)
    let part = try await BuiltProgram.run(["settings", "sho"], in: home)
    #expect(
      part.status == 65 && part.stderr.contains("has no podcast sho; it has “Show” (2), “Welcome to Earshot” (1)."),
      "\(part.stderr)")
  }

  @Test func newEpisodesRuleCanBeSetForOnePodcast() async throws {
    func new() throws -> Int {
      try home.library { library in
        let podcast = try library.podcastID(feedURL: server.url("/feed"))
        return try library.episodeRows(library.episodeIDs(EpisodeQuery(.new))).count { $0.podcast == podcast }
      }
    }
    #expect(try new() == 1)
    _ = try await earshot("settings", "Show", "new-episodes", "3")
    #expect(try new() == 3)
    _ = try await earshot("settings", "Show", "new-episodes", "default")
    #expect(try new() == 1)
  }

  @Test func chaptersAreFetchedStoredAndPrinted() async throws {
    #expect(try await earshot("chapters", "part-5", "--offline").stdout.isEmpty)
    let printed = try await earshot("chapters", "part-5")
    #expect(printed.lines == ["    0:00  Start", "    1:15  Zanzibar 5"])
    server.route("/5.json", .status(500))
    let kept = try await earshot("chapters", "part-5", "--json")
    #expect(try kept.objects().count == 2 && kept.stderr.contains("the server refused"))
    #expect(try await earshot("search", "zanzibar", "--json").objects().count == 1)
  }

  @Test func transcriptsAreFetchedAndPrinted() async throws {
    #expect(try await earshot("transcript", "part-4").lines == ["Ann: Hello", "about quokkas 4"])
    #expect(try await earshot("transcript", "part-4", "--times").lines.last == "    1:05  about quokkas 4")
    #expect(try await earshot("transcript", "part-4", "--json").objects().count == 2)
    server.route("/3.vtt", .status(404))
    let missing = try await earshot("transcript", "part-3")
    #expect(missing.status == 69 && missing.stderr.contains("Part 3"))
  }

  @Test func refreshFetchesChaptersAndTranscriptsIfConfigured() async throws {
    try home.configure("refresh_on_start = false\nfetch_chapters = true\nfetch_transcripts = true\n")
    let feed = try await server.feed(with: 6...8)
    server.route("/feed", feed)
    for number in 6...8 {
      server.route(
        "/\(number).json", .text(#"{"chapters":[{"startTime":0,"title":"Quince"}]}"#, type: "application/json"))
      server.route("/\(number).vtt", .text("WEBVTT\n\n00:00.000 --> 00:02.000\nplatypus\n", type: "text/vtt"))
    }
    server.forgetRequests()
    #expect(try await earshot("refresh").text.hasPrefix("3 new"))
    #expect(server.requests.map(\.path).count { $0.hasSuffix(".vtt") } == 3)
    #expect(try await earshot("search", "platypus", "--json").objects().count == 3)
    #expect(try await earshot("search", "quince", "--json").objects().count == 3)
    // They are requested once, because the next refresh has no new episodes.
    server.forgetRequests()
    _ = try await earshot("refresh")
    #expect(server.requests.map(\.path) == ["/feed"])
  }
}

extension LoopbackServer {
  /// A feed with only these episodes.
  fileprivate func feed(with numbers: ClosedRange<Int>) async throws -> Response {
    let items = numbers.reversed().map { number in
      """
      <item><title>Part \(number)</title><guid>part-\(number)</guid><pubDate>\(number) Jan 2024 10:00:00 GMT</pubDate>
      <enclosure url="\(url("/\(number).mp3"))" length="1000" type="audio/mpeg"/>
      <podcast:chapters url="\(url("/\(number).json"))" type="application/json+chapters"/>
      <podcast:transcript url="\(url("/\(number).vtt"))" type="text/vtt"/></item>
      """
    }
    return .text(
      """
      <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title>
      \(items.joined())</channel></rss>
      """, type: "text/xml")
  }
}
