import Foundation
import LoopbackServer
import Testing

@testable import TUIApp

/// `earshot find`. All directories of the configuration are one server of this test.
@Suite(InTurn()) struct FindVerbTests {
  private let home: TemporaryHome
  private let server: LoopbackServer

  init() throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    try home.configure(
      """
      refresh_on_start = false
      [discover]
      country = "de"
      apple_url = "\(server.url("/apple"))"
      fyyd_url = "\(server.url("/fyyd"))/"
      gpodder_url = "\(server.url("/gpodder"))"
      podcastindex_url = "\(server.url("/index"))"
      """)
    server.route("/apple/search", Self.json(#"{"results":[\#(Self.sea),{"collectionName":"Without a feed"}]}"#))
    server.route("/fyyd/0.2/search/podcast", Self.json("<html>down</html>"))
    server.route("/gpodder/search.json", Self.json(#"[{"title":"Sea","url":"http://sea.example/feed/"}]"#))
  }

  private static let sea =
    #"{"kind":"podcast","collectionId":7,"collectionName":"Sea\u001b[2J","artistName":"Ada","feedUrl":"https://sea.example/feed"}"#

  private static func json(_ text: String) -> LoopbackServer.Response {
    LoopbackServer.Response(headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
  }

  @Test func findMergesResultsAndReportsAFailedDirectory() async throws {
    let outcome = try await BuiltProgram.run(["find", "sea", "--json"], in: home)
    #expect(outcome.status == 0)
    #expect(outcome.stderr.contains("fyyd") && !outcome.text.contains("\u{1B}"))
    let object = try outcome.object()
    let podcasts = try #require(object["podcasts"] as? [[String: Any]])
    #expect(podcasts.count == 1)
    #expect(podcasts[0]["directories"] as? [String] == ["apple", "gpodder"])
    #expect(podcasts[0]["feedURL"] as? String == "https://sea.example/feed")
    #expect(podcasts[0]["guid"] is NSNull && podcasts[0]["subscribed"] as? Bool == false)
    #expect(object["skipped"] as? Int == 1)
    #expect((object["failures"] as? [[String: Any]])?.count == 1)
    // Podcast Index is not asked, because there is no key.
    #expect(server.requests.allSatisfy { !$0.path.hasPrefix("/index") })
    #expect(server.requests(to: "/apple/search").allSatisfy { $0.target.contains("country=DE") })
  }

  @Test func findReportsThatNoDirectoryAnswered() async throws {
    for path in ["/apple/search", "/fyyd/0.2/search/podcast", "/gpodder/search.json"] {
      server.route(path, Self.json("<html>down</html>"))
    }
    let outcome = try await BuiltProgram.run(["find", "sea"], in: home)
    #expect(outcome.status == 69 && outcome.text.isEmpty)
    #expect(outcome.stderr.contains("no directory could answer") && !outcome.stderr.contains("nothing was found"))
    server.route("/apple/search", Self.json(#"{"results":[]}"#))
    let empty = try await BuiltProgram.run(["find", "sea"], in: home)
    #expect(empty.status == 0 && empty.stderr.contains("nothing was found by the directories that answered"))
  }

  @Test func findAsksOnlyTheNamedDirectories() async throws {
    let outcome = try await BuiltProgram.run(["find", "sea", "--in", "apple"], in: home)
    #expect(outcome.status == 0)
    #expect(outcome.lines == ["Sea, Ada", "    https://sea.example/feed"])
    #expect(outcome.stderr.contains("1 without a feed was left out"))
    #expect(server.requests.count == 1)
    let wordsLast = try await BuiltProgram.run(["find", "--in", "apple", "sea"], in: home)
    #expect(wordsLast.lines == outcome.lines && server.requests.count == 2)
  }

  /// The same podcast at an address that no directory knows.
  @Test func findMarksASubscriptionByItsGUID() async throws {
    let guid = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
    server.route(
      "/own",
      .text(
        """
        <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Sea</title>
        <podcast:guid>\(guid)</podcast:guid><item><title>One</title></item></channel></rss>
        """))
    #expect(try await BuiltProgram.run(["add", server.url("/own")], in: home).status == 0)
    server.route(
      "/index/search/byterm",
      Self.json(
        #"{"feeds":[{"title":"Sea","url":"https://sea.example/feed","podcastGuid":"\#(guid)","episodeCount":-3}]}"#))
    let outcome = try await BuiltProgram.run(
      ["find", "sea", "--in", "podcastindex"], in: home,
      environment: ["EARSHOT_PODCASTINDEX_KEY": "key", "EARSHOT_PODCASTINDEX_SECRET": "secret"])
    #expect(outcome.lines.first == "Sea  (subscribed)")
  }

  @Test func findShowsNoMoreThanTheLimit() async throws {
    let many = (0..<50).map { #"{"title":"Sea \#($0)","url":"https://sea\#($0).example/"}"# }
    server.route("/gpodder/search.json", Self.json("[\(many.joined(separator: ","))]"))
    let outcome = try await BuiltProgram.run(["find", "sea", "--in", "gpodder", "--limit", "7"], in: home)
    #expect(outcome.lines.count == 14)
  }

  /// A link to another player's site is an address for every command.
  @Test func linksAreAddresses() async throws {
    server.route(
      "/moon",
      .text(
        """
        <rss version="2.0"><channel><title>The Moon</title><item><title>Part 2</title><guid>g2</guid>
        <enclosure url="\(server.url("/2.mp3"))" type="audio/mpeg"/></item></channel></rss>
        """))
    server.route(
      "/apple/lookup",
      Self.json(
        """
        {"results":[{"kind":"podcast","collectionId":42,"collectionName":"The Moon","feedUrl":"\(server.url("/moon"))"},
        {"wrapperType":"podcastEpisode","trackId":777,"trackName":"Part 2","episodeGuid":"g2","collectionName":"The Moon",
         "feedUrl":"\(server.url("/moon"))","episodeUrl":"\(server.url("/2.mp3"))"}]}
        """))
    let link = "https://podcasts.apple.com/de/podcast/the-moon/id42"
    let feed = try await BuiltProgram.run(["feed", link], in: home)
    #expect(feed.status == 0 && feed.lines.first == "The Moon")
    #expect(try await BuiltProgram.run(["episodes", link], in: home).stderr.contains("no podcast"))
    #expect(try await BuiltProgram.run(["add", server.url("/moon")], in: home).status == 0)
    #expect(try await BuiltProgram.run(["episodes", link], in: home).text.contains("The Moon: Part 2"))
    #expect(try await BuiltProgram.run(["refresh", link], in: home).status == 0)
    #expect(try await BuiltProgram.run(["queue", "add", link + "?i=777"], in: home).status == 0)
    #expect(try await BuiltProgram.run(["queue"], in: home).text.contains("Part 2"))
    #expect(try await BuiltProgram.run(["remove", link], in: home).text.contains("Unsubscribed from The Moon"))
  }

  @Test func findFailsOnlyWhenAllDirectoriesDo() async throws {
    let outcome = try await BuiltProgram.run(["find", "sea", "--in", "fyyd"], in: home)
    #expect(outcome.status == 69)
    #expect(outcome.stderr.contains("fyyd sent an answer that cannot be read: a web page"))
  }

  @Test func causeOfARefusalIsSaid() async throws {
    var refusal = Self.json(#"{"status":"false","description":"max must be\u001b[2J a number"}"#)
    refusal.status = 400
    server.route("/index/search/byterm", refusal)
    let outcome = try await BuiltProgram.run(
      ["find", "sea", "--in", "podcastindex"], in: home,
      environment: ["EARSHOT_PODCASTINDEX_KEY": "key", "EARSHOT_PODCASTINDEX_SECRET": "secret"])
    #expect(outcome.status == 69)
    #expect(outcome.stderr.contains("Podcast Index refuses: max must be"))
    #expect(outcome.stderr.contains("a number") && !outcome.stderr.contains("\u{1B}"))
  }

  @Test func keyIsSentOnlyToItsDirectory() async throws {
    let other = try LoopbackServer()
    server.route("/index/search/byterm", .redirect(302, to: other.url("/stolen")))
    let outcome = try await BuiltProgram.run(
      ["find", "sea", "--in", "podcastindex"], in: home,
      environment: ["EARSHOT_PODCASTINDEX_KEY": "key", "EARSHOT_PODCASTINDEX_SECRET": "secret"])
    #expect(outcome.status == 69)
    #expect(server.requests.first?.header("X-Auth-Key") == "key")
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [
    ["find"], ["find", ""], ["find", " ", "--people"], ["find", "x", "--in", "nowhere"], ["find", "--top", "nonsense"],
    ["find", "x", "--limit", "0"],
  ])
  func findRefusesInvalidArguments(_ arguments: [String]) async throws {
    #expect(try await BuiltProgram.run(arguments, in: home).status == 64)
  }
}
