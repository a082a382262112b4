import Foundation
import LoopbackServer
import Model
import Synchronization
import TemporaryFiles
import Testing

@testable import FeedKit
@testable import HTTP

/// What depends on both the transfer and the document: its charset, its size, the addresses in it.
@Suite(InTurn())
struct HTTPFeedReaderTests {
  let server: LoopbackServer
  let client = FeedClient(http: HTTPClient(options: .forTests()))

  init() throws { server = try LoopbackServer() }

  private func rss(_ items: Int, title: String = "A", channel: String = "") -> String {
    let items = (0..<items).map {
      "<item><title>Episode \($0)</title><guid>g\($0)</guid><enclosure url=\"m/\($0).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
    }
    return "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">"
      + "<channel><title>\(title)</title>\(channel)\(items.joined(separator: "\n"))</channel></rss>"
  }

  private func serve(_ path: String, _ text: String, type: String = "application/rss+xml") {
    server.route(path, .text(text, type: type))
  }

  @Test func relativeAddressesReferToWhereTheFeedIs() async {
    server.route("/feed", .redirect(302, to: "/dir/feed.xml"))
    serve("/dir/feed.xml", rss(1))
    let result = await client.fetch(FeedRequest(url: server.url("/feed")))
    #expect(result.feed?.episodes.first?.mediaURL == server.url("/dir/m/0.mp3"))
    #expect(result.feed?.podcast.feedURL == server.url("/feed"))
  }

  @Test func charsetOfHTTPIsUsed() async {
    let latin1 = "<rss version=\"2.0\"><channel><title>Caf\u{e9}</title><item><title>x</title></item></channel></rss>"
    server.route(
      "/feed", .bytes([UInt8](latin1.data(using: .isoLatin1) ?? Data()), type: "text/xml; charset=ISO-8859-1"))
    #expect(await client.fetch(FeedRequest(url: server.url("/feed"))).feed?.podcast.title == "Café")
  }

  /// The server holds back the second half of the feed until the first episodes have been reported.
  @Test func episodesComeBeforeTheLastByte() async {
    let text = rss(500)
    let seen = DispatchSemaphore(value: 0)
    let cameInTime = Mutex(false)
    server.route("/feed") { _ in
      .text(text, type: "text/xml").held(afterBytes: text.utf8.count / 2) {
        let inTime = seen.wait(timeout: .now() + 300) == .success
        cameInTime.withLock { $0 = inTime }
      }
    }
    let titles = Mutex<Set<String?>>([])
    let result = await client.fetch(FeedRequest(url: server.url("/feed"))) { episodes, podcast in
      titles.withLock { _ = $0.insert(podcast.title) }
      if !episodes.isEmpty { seen.signal() }
    }
    #expect(cameInTime.withLock { $0 })
    #expect(result.feed?.episodes.count == 500)
    #expect(titles.withLock { $0 } == ["A"])
  }

  @Test func pageLeadsToItsFeed() async {
    let page = """
      <!DOCTYPE html><html><head><link rel="stylesheet" href="/x.css">
      <link rel="alternate" type="application/rss+xml" title="Feed" href="feed.xml"></head><body>Hello</body></html>
      """
    serve("/show/", page, type: "text/html; charset=utf-8")
    serve("/show/feed.xml", rss(1))
    let result = await client.fetch(FeedRequest(url: server.url("/show/")))
    #expect(result.info?.discoveredURL == server.url("/show/feed.xml"))
    #expect(result.feed?.episodes.count == 1)
    serve("/plain", "<html><body>captive portal</body></html>", type: "text/html")
    #expect(await client.fetch(FeedRequest(url: server.url("/plain"))).error == .invalidData(.html))
  }

  @Test func newFeedURLMoves() async {
    let new = "<itunes:new-feed-url>\(server.url("/b"))</itunes:new-feed-url>"
    serve("/a", rss(1, channel: new))
    serve("/b", rss(2, title: "B", channel: new))
    let result = await client.fetch(FeedRequest(url: server.url("/a")))
    #expect(result.feed?.podcast.title == "B")
    #expect(result.info?.movedTo == server.url("/b"))
  }

  @Test(arguments: [("{\"a\":1}", "application/json"), ("plain words", "text/plain"), ("<a><b/></a>", "text/xml")])
  func otherDocumentsAreInvalidData(_ text: String, _ type: String) async {
    serve("/x", text, type: type)
    guard case .invalidData(.notAFeed) = await client.fetch(FeedRequest(url: server.url("/x"))).error else {
      Issue.record("not told apart")
      return
    }
  }

  @Test func largeInvalidBodyEnds() async {
    server.route("/huge", .zeros(1 << 30, type: "application/rss+xml"))
    var options = FeedClient.Options()
    options.maxFeedBytes = 1_000_000
    let client = FeedClient(http: HTTPClient(options: .forTests()), options: options)
    let error = await client.fetch(FeedRequest(url: server.url("/huge"))).error
    #expect(error?.isConnectivity == false)
  }

  @Test func bodyLargerThanTheSpoolIsRecognized() async throws {
    var options = FeedClient.Options()
    options.spoolLimit = 1000
    let client = FeedClient(http: HTTPClient(options: .forTests()), options: options)
    serve("/feed", rss(1000))
    let first = await client.fetch(FeedRequest(url: server.url("/feed")))
    #expect(first.feed?.episodes.count == 1000)
    let validators = try #require(first.info?.validators)
    #expect(await client.fetch(FeedRequest(url: server.url("/feed"), validators: validators)).isUnchanged)
    serve("/feed", rss(1001))
    let third = await client.fetch(FeedRequest(url: server.url("/feed"), validators: validators))
    #expect(third.feed?.episodes.count == 1001)
    serve("/feed", "no feed, but long: " + String(repeating: "x", count: 5000))
    let fourth = await client.fetch(FeedRequest(url: server.url("/feed"), validators: validators))
    #expect(fourth.error?.isConnectivity == false)
  }

  @Test func readsFiles() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([UInt8](rss(3).utf8), as: "feed.xml")
    let feed = try FeedClient.read(file: file, url: "https://example.org/a/feed")
    #expect(feed.episodes.map(\.mediaURL).last == "https://example.org/a/m/2.mp3")
    #expect(feed.podcast.feedURL == "https://example.org/a/feed")
    let empty = try directory.write([], as: "empty.xml")
    #expect(throws: FeedError.invalidData(.empty)) { try FeedClient.read(file: empty) }
    #expect(throws: FeedError.unreadableFile(path: directory.path, reason: "Is a directory")) {
      try FeedClient.read(file: directory.path)
    }
    let missing = directory.path + "/none"
    #expect(throws: FeedError.unreadableFile(path: missing, reason: "No such file or directory")) {
      try FeedClient.read(file: missing)
    }
  }
}
