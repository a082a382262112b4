import Foundation
import LoopbackServer
import Testing

@testable import TUIApp

/// `earshot find`. All directories of the configuration are one server of this test.
@Suite struct FindVerbTests {
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
  }

  @Test func findFailsOnlyWhenAllDirectoriesDo() async throws {
    let outcome = try await BuiltProgram.run(["find", "sea", "--in", "fyyd"], in: home)
    #expect(outcome.status == 69)
    #expect(outcome.stderr.contains("fyyd sent an answer that cannot be read: a web page"))
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
    ["find"], ["find", "x", "--in", "nowhere"], ["find", "--top", "nonsense"], ["find", "x", "--limit", "0"],
  ])
  func findRefusesInvalidArguments(_ arguments: [String]) async throws {
    #expect(try await BuiltProgram.run(arguments, in: home).status == 64)
  }
}
