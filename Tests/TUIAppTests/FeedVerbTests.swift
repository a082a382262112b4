import Foundation
import LoopbackServer
import Testing

@testable import TUIApp

/// `earshot feed`: from a file, from standard input, from the network; as text and as JSON.
@Suite(InTurn()) struct FeedVerbTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private static let feed = """
    <?xml version="1.0"?><rss version="2.0"><channel><title>One &amp; only</title><link>/about</link>
    <item><title>First</title><enclosure url="media/1.mp3" length="12" type="audio/mpeg"/>
    <pubDate>Tue, 03 Nov 2026 10:00:00 +0100</pubDate></item><item><title>Without media</title></item></channel></rss>
    """

  private func earshot(
    _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> BuiltProgram.Outcome {
    let outcome = try await BuiltProgram.run(["feed"] + arguments, in: home, input: Data(input.utf8))
    // The verb does not make a library.
    #expect(!FileManager.default.fileExists(atPath: home.directories.database), sourceLocation: sourceLocation)
    return outcome
  }

  @Test func feedVerbPrintsOneJSONObject() async throws {
    let file = try home.file("feed.xml", Self.feed.utf8)
    let outcome = try await earshot(file, "--url", "https://example.org/shows/rss", "--json")
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    let object = try outcome.object()
    #expect(Set(object.keys) == ["podcast", "episodes"])
    let podcast = try #require(object["podcast"] as? [String: Any])
    #expect(podcast["title"] as? String == "One & only")
    #expect(podcast["link"] as? String == "https://example.org/about")
    #expect(podcast["feedURL"] as? String == "https://example.org/shows/rss")
    // A value that the feed does not have is null, and its key is present.
    #expect(podcast["language"] is NSNull && podcast["lastBuildDate"] is NSNull)
    let episodes = try #require(object["episodes"] as? [[String: Any]])
    #expect(episodes.map { $0["title"] as? String } == ["First", "Without media"])
    #expect(episodes[0]["mediaURL"] as? String == "https://example.org/shows/media/1.mp3")
    #expect(episodes[0]["pubDate"] as? String == "2026-11-03T09:00:00Z")
    #expect(episodes[1]["mediaURL"] is NSNull && episodes[1]["pubDate"] is NSNull)
  }

  @Test func feedVerbReadsStandardInputAndPrintsText() async throws {
    let outcome = try await earshot("-", input: Self.feed)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    #expect(outcome.lines.first == "One & only")
    #expect(outcome.text.contains("3 Nov 2026") && outcome.text.contains("Without media"))
  }

  @Test func contentTypeDecidesTheCharset() async throws {
    let latin1 = Data("<rss><channel><title>Caf".utf8) + [0xE9] + Data("</title></channel></rss>".utf8)
    let file = try home.file("latin1.xml", latin1)
    let outcome = try await earshot(file, "--content-type", "application/rss+xml; charset=iso-8859-1", "--json")
    let podcast = try #require(try outcome.object()["podcast"] as? [String: Any])
    #expect(podcast["title"] as? String == "Café")
  }

  @Test func feedVerbReadsFromTheNetwork() async throws {
    let broadcast = try Broadcast("On the air")
    let outcome = try await earshot(broadcast.feedURL, "--json")
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    let episodes = try #require(try outcome.object()["episodes"] as? [[String: Any]])
    #expect(episodes.first?["title"] as? String == "流動的資金盛宴")
    #expect(episodes.first?["mediaURL"] as? String == broadcast.server.url("/1.wav"))
    #expect(Set(broadcast.server.requests.map { $0.header("User-Agent") }) == [Version.userAgent])
  }

  @Test(arguments: ["feed:", "pcast:", "itpc:", "itms:", "podcast:", "rss:", "antennapod-subscribe:"])
  func schemeOfAPlayerIsRead(scheme: String) async throws {
    let server = try LoopbackServer()
    server.route("/feed", .text(Self.feed, type: "text/xml"))
    let outcome = try await earshot(scheme + server.url("/feed"))
    #expect(outcome.status == 0 && outcome.text.contains("One & only"), "\(outcome.stderr)")
  }

  /// Each failure writes one line to stderr and nothing to stdout.
  @Test func failuresHaveTheirExitStatus() async throws {
    let server = try LoopbackServer()
    let closed = try LoopbackServer()
    closed.stop()
    server.route("/page", .text("<html><body>Hello</body></html>", type: "text/html"))
    server.route("/empty", .text(""))
    server.route("/busy", .status(503))
    let cases: [(source: String, input: String, status: Int32, says: String)] = [
      ("-", "this is no feed", 65, "invalid data"),
      ("-", "", 65, "invalid data"),
      (server.url("/page"), "", 65, "a web page came"),
      (server.url("/empty"), "", 65, "the answer is empty"),
      (server.url("/absent"), "", 69, "404"),
      (closed.url("/feed"), "", 69, "no connectivity"),
      ("\(home.path)/absent.xml", "", 64, "cannot be read"),
    ]
    for row in cases {
      let outcome = try await earshot(row.source, "--json", input: row.input)
      #expect(outcome.status == row.status, "\(row.source): \(outcome.stderr)")
      #expect(outcome.stdout.isEmpty && outcome.stderr.contains(row.says), "\(row.source): \(outcome.stderr)")
      #expect(outcome.stderr.hasPrefix("earshot: ") && outcome.stderr.split(separator: "\n").count == 1)
    }
  }

  /// Every printed text of the feed contains C0 and C1 controls, OSC, CSI and direction marks.
  @Test func escapeSequencesNeverReachTheTerminal() async throws {
    let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}txt\u{8}\r"
    let feed = """
      <rss><channel><title>T\(hostile)</title><item><title>E\(hostile)</title></item></channel></rss>
      """
    for (arguments, input) in [(["feed", "-"], feed), (["feed", "-", "--json"], feed)] {
      let outcome = try await BuiltProgram.run(arguments, in: home, input: Data(input.utf8))
      #expect(outcome.status == 0)
      // JSON may contain them as \u escapes, but not unescaped.
      let scalars = (outcome.text + outcome.stderr).unicodeScalars
      #expect(!scalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) })
      if arguments.count == 2 { #expect(!scalars.contains("\u{202E}")) }
    }
  }
}
