import Foundation
import HTTP
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import FeedKit

/// Fetching feeds from the loopback server.
@Suite(InTurn())
struct HTTPFeedClientTests {
  let server: LoopbackServer
  let client = FeedClient(http: HTTPClient(options: .forTests()))

  init() throws { server = try LoopbackServer() }

  private func fetch(_ path: String, _ change: (inout FeedRequest) -> Void = { _ in }) async -> FetchResult {
    var request = FeedRequest(url: server.url(path))
    change(&request)
    return await client.fetch(request)
  }

  private func resource(_ lines: String, etag: String, lastModified: String? = nil) -> LoopbackServer.Resource {
    LoopbackServer.Resource([UInt8](toy(lines).utf8), type: "text/xml", etag: etag, lastModified: lastModified)
  }

  // MARK: Reading

  /// Nothing displays a known feed while it arrives, so it is not parsed on the client's thread.
  @Test func readingAFeedDoesNotBlockOtherRequests() async throws {
    server.route("/slow", .text(toy("feed: A\nitem: 1")))
    server.route("/other", .text("B"))
    let http = HTTPClient(options: .forTests())
    let other = HTTPRequest(url: try WebAddress(server.url("/other")))
    let otherBody = BodyBuffer()
    let waited = Mutex<DispatchTimeoutResult?>(nil)
    let known = FeedRequest(url: server.url("/slow"), validators: FeedValidators(bodyDigest: "that of an older body"))
    // Called while the feed is parsed.
    let answer = await FeedClient(http: http).fetch(known) { _, _ in
      // The completion is called on the client's thread.
      let otherIsHere = DispatchSemaphore(value: 0)
      http.send(other, sink: otherBody) { _ in otherIsHere.signal() }
      let result = otherIsHere.wait(timeout: .now() + 300)
      waited.withLock { $0 = result }
    }
    #expect(answer.feed?.episodes.count == 1)
    #expect(waited.withLock { $0 } == .success)
    #expect(String(decoding: otherBody.bytes, as: UTF8.self) == "B")
  }

  /// The reader refuses a long page before its end, so the transfer would stop there.
  @Test(arguments: [false, true]) func onlyAFeedWithAPreviewIsParsedAsItArrives(hasPreview: Bool) throws {
    let preview: EpisodePreview = { _, _ in }
    let body = FeedBody(known: FeedValidators(), spoolLimit: 1 << 20, onEpisodes: hasPreview ? preview : nil)
    let address = try WebAddress(server.url("/"))
    #expect(body.begin(HTTPHead(status: 200), from: address))
    let page = Array("<html>".utf8) + Array(repeating: UInt8(ascii: " "), count: FeedLimits.standard.pageBytes)
    let goesOn = page.withUnsafeBytes { body.receive($0) }
    #expect(goesOn == !hasPreview)
    #expect(throws: FeedReadError.isHTML(alternates: [])) { try body.feed() }
  }

  // MARK: Caching

  @Test func validatorsAreSentVerbatim() async throws {
    let etag = "W/\"a,b\""
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    server.route("/feed", resource("feed: A", etag: etag, lastModified: date).answer)
    let first = await fetch("/feed")
    #expect(first.feed?.podcast.title == "A")
    #expect(first.feed?.podcast.feedURL == server.url("/feed"))
    let validators = try #require(first.info?.validators)
    #expect(validators.etag == etag)
    #expect(validators.lastModified == date)
    #expect(first.info?.date == Date(timeIntervalSince1970: 784_111_777))
    let second = await fetch("/feed") { $0.validators = validators }
    #expect(second.isUnchanged)
    #expect(second.info?.validators == validators)
    #expect(second.info?.bytes == 0)
    let request = try #require(server.requests.last)
    #expect(request.header("If-None-Match") == etag)
    #expect(request.header("If-Modified-Since") == date)
  }

  /// A server that compares dates would answer 304 until then.
  @Test func dateInTheFutureIsNoValidator() async throws {
    let date = "Sun, 06 Nov 2094 08:49:37 GMT"
    server.route("/feed", resource("feed: A", etag: "\"1\"", lastModified: date).answer)
    let validators = try #require(await fetch("/feed").info?.validators)
    #expect(validators.etag == "\"1\"" && validators.lastModified == nil)
  }

  @Test func validatorsAreOnlySentToTheirAddress() async throws {
    server.route("/old", .redirect(302, to: "/new"))
    server.route("/new", resource("feed: A", etag: "\"1\"").answer)
    let validators = try #require(await fetch("/old").info?.validators)
    server.forgetRequests()
    #expect(await fetch("/old") { $0.validators = validators }.isUnchanged)
    #expect(server.requests(to: "/old").first?.header("If-None-Match") == nil)
    #expect(server.requests(to: "/new").first?.header("If-None-Match") == "\"1\"")
  }

  @Test func sameBodyIsUnchangedWithoutValidators() async throws {
    server.route("/feed", .text(toy("feed: A\nitem: 1")))
    let validators = try #require(await fetch("/feed").info?.validators)
    #expect(await fetch("/feed") { $0.validators = validators }.isUnchanged)
    server.route("/feed", .text(toy("feed: A\nitem: 2")))
    let changed = await fetch("/feed") { $0.validators = validators }
    #expect(changed.feed?.episodes.map(\.guid) == ["2"])
    #expect(changed.info?.validators.bodyDigest != validators.bodyDigest)
  }

  /// At another address, relative addresses in the same document mean other files.
  @Test func sameBodyAtAnotherAddressIsRead() async throws {
    server.route("/feed", .text(toy("feed: A\nitem: 1")))
    let validators = try #require(await fetch("/feed").info?.validators)
    server.route("/feed", .redirect(301, to: "/new/feed"))
    server.route("/new/feed", .text(toy("feed: A\nitem: 1")))
    let moved = await fetch("/feed") { $0.validators = validators }
    #expect(moved.feed?.episodes.map(\.guid) == ["1"])
    // A token in the query, which is new each time, does not change it.
    server.route("/feed", .redirect(302, to: "/new/feed?token=2"))
    let known = try #require(moved.info?.validators)
    #expect(await fetch("/feed") { $0.validators = known }.isUnchanged)
  }

  @Test func unrequested304IsAnError() async {
    server.route("/feed", .status(304))
    #expect(await fetch("/feed").error == .http(.refused(status: 304)))
    #expect(await fetch("/feed") { $0.validators.bodyDigest = "x" }.error == .http(.refused(status: 304)))
  }

  /// Some servers refuse every condition, and some their own tag, because it is too long.
  @Test(arguments: [412, 431]) func failedPreconditionIsAskedWithoutConditions(status: Int) async throws {
    server.route("/feed") { request in
      request.header("If-None-Match") == nil
        ? .text(toy("feed: A\nitem: 1")).header("ETag", "\"1\"") : .status(status)
    }
    let validators = try #require(await fetch("/feed").info?.validators)
    server.forgetRequests()
    #expect(await fetch("/feed") { $0.validators = validators }.isUnchanged)
    #expect(await fetch("/feed") { $0.validators = FeedValidators(etag: "\"0\"") }.feed?.episodes.count == 1)
    #expect(server.requests.map { $0.header("If-None-Match") } == ["\"1\"", nil, "\"0\"", nil])
    server.forgetRequests()
    server.route("/feed", .status(412))
    #expect(await fetch("/feed").error == .http(.refused(status: 412)))
    #expect(server.requests.count == 1)
    #expect(await fetch("/feed") { $0.validators = validators }.error == .http(.refused(status: 412)))
    #expect(server.requests.count == 3)
    server.route("/feed") { .status($0.header("If-None-Match") == nil ? 304 : 412) }
    #expect(await fetch("/feed") { $0.validators = validators }.error == .http(.refused(status: 304)))
  }

  // MARK: Moved feeds

  @Test(arguments: [([301], true), ([308, 301], true), ([301, 302], false), ([307], false)])
  func permanentRedirectsMove(_ statuses: [Int], _ moves: Bool) async {
    for (index, status) in statuses.enumerated() {
      server.route("/\(index)", .redirect(status, to: index + 1 < statuses.count ? "/\(index + 1)" : "/feed"))
    }
    server.route("/feed", .text(toy("feed: A")))
    let result = await fetch("/0")
    #expect(result.feed != nil)
    #expect(result.info?.finalURL == server.url("/feed"))
    #expect(result.info?.movedTo == (moves ? server.url("/feed") : nil))
  }

  @Test func permanentRedirectToAPageMovesNothing() async {
    server.route("/a", .redirect(301, to: "/parked"))
    server.route("/parked", .text("<html>buy this domain"))
    #expect(await fetch("/a").error == .invalidData(.html))
  }

  @Test func passwordsOfAnAddressGoToItsServerAndNotIntoTheNewAddress() async {
    server.route("/a", .redirect(301, to: "/feed"))
    server.route("/feed", .text(toy("feed: A")))
    let host = "127.0.0.1:\(server.port)"
    let result = await client.fetch(FeedRequest(url: "http://u:p%3A@\(host)/a"))
    #expect(server.requests.map(\.basicCredentials) == [[UInt8]("u:p:".utf8), [UInt8]("u:p:".utf8)])
    #expect(result.info?.movedTo == "http://\(host)/feed")
    #expect(result.info?.finalURL == "http://\(host)/feed")
    #expect(result.feed?.podcast.feedURL == "http://\(host)/a")
  }

  @Test func newFeedURLMoves() async {
    server.route("/a", .text(toy("feed: A\nnew: /b")))
    server.route("/b", .text(toy("feed: B\nnew: /b")))
    let result = await fetch("/a")
    #expect(result.feed?.podcast.title == "B")
    #expect(result.info?.movedTo == server.url("/b"))
    #expect(await fetch("/a") { $0.followsNewFeedURL = false }.feed?.podcast.title == "A")
  }

  @Test(arguments: [toy("feed: B\nnew: /a"), "<html>", ""])
  func unreachableNewFeedURLIsIgnored(_ target: String) async {
    server.route("/a", .text(toy("feed: A\nnew: /b")))
    server.route("/b", .text(target))
    let result = await fetch("/a")
    #expect(result.feed?.podcast.title == "A")
    #expect(result.info?.movedTo == nil)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.org/x", "not an address", "/a", "/gone"])
  func invalidNewFeedURLIsIgnored(_ target: String) async {
    server.route("/a", .text(toy("feed: A\nnew: \(target)")))
    #expect(await fetch("/a").feed?.podcast.title == "A")
  }

  @Test func newFeedURLThatRedirectsBack() async {
    server.route("/a", .text(toy("feed: A\nnew: /b")))
    server.route("/b", .redirect(301, to: "/a"))
    #expect(await fetch("/a").info?.movedTo == nil)
  }

  @Test func redirectOverridesNewFeedURL() async {
    server.route("/a", .redirect(301, to: "/b"))
    server.route("/b", .text(toy("feed: B\nnew: /c")))
    server.route("/c", .text(toy("feed: C")))
    let result = await fetch("/a")
    #expect(result.feed?.podcast.title == "B")
    #expect(result.info?.movedTo == server.url("/b"))
  }

  // MARK: Feed discovery in pages

  @Test func pageLeadsToItsFeed() async {
    server.route("/", .text(toyPage(["/feed", "/other"])))
    server.route("/feed", .redirect(302, to: "/real"))
    server.route("/real", .text(toy("feed: A")))
    let result = await fetch("/")
    #expect(result.feed?.podcast.title == "A")
    #expect(result.info?.discoveredURL == server.url("/feed"))
    #expect(result.info?.addressToStore(asked: "x") == server.url("/feed"))
    #expect(await fetch("/") { $0.followsAlternates = false }.error == .invalidData(.html))
  }

  @Test(arguments: ["feed:", "feed:http:"]) func addressInADocumentMayHaveTheSchemeOfPlayers(_ scheme: String) async {
    let address = server.url("/feed").replacing("http:", with: scheme)
    server.route("/", .text(toyPage([address])))
    server.route("/old", .text(toy("feed: Old\nnew: \(address)")))
    server.route("/feed", .text(toy("feed: A")))
    #expect(await fetch("/").info?.discoveredURL == server.url("/feed"))
    #expect(await fetch("/old").info?.movedTo == server.url("/feed"))
  }

  @Test func pageOfAPageIsNotFollowed() async {
    server.route("/", .text(toyPage(["/2"])))
    server.route("/2", .text(toyPage(["/"])))
    #expect(await fetch("/").error == .invalidData(.html))
    #expect(server.requests.count == 2)
    server.route("/self", .text(toyPage(["/self"])))
    #expect(await fetch("/self").error == .invalidData(.html))
  }

  @Test func nextFeedOfAPageIsTriedIfTheFirstIsDead() async {
    server.route("/", .text(toyPage(["/gone", "/gone", "/page", "ftp://x/", "/feed"])))
    server.route("/gone", .status(410))
    server.route("/page", .text(toyPage(["/feed"])))
    server.route("/feed", .text(toy("feed: A\nitem: a.mp3")))
    let result = await fetch("/")
    #expect(result.feed?.podcast.title == "A")
    #expect(result.info?.discoveredURL == server.url("/feed"))
    #expect(server.requests.map(\.path) == ["/", "/gone", "/page", "/feed"])
  }

  /// A blog with a podcast has a feed for each.
  @Test func feedWithMediaIsPreferredToTheFirstOne() async {
    server.route("/", .text(toyPage(["/blog", "/comments", "/podcast"])))
    server.route("/blog", .text(toy("feed: Blog\nitem: ")))
    server.route("/comments", .text(toy("feed: Comments\nitem: ")))
    server.route("/podcast", .text(toy("feed: Podcast\nitem: a.mp3")))
    #expect(await fetch("/").feed?.podcast.title == "Podcast")
    server.route("/podcast", .status(500))
    #expect(await fetch("/").feed?.podcast.title == "Blog")
  }

  /// It may be the feed of the comments.
  @Test func nextFeedOfAPageIsNotTakenWithoutMedia() async {
    server.route("/", .text(toyPage(["/gone", "/comments"])))
    server.route("/gone", .status(410))
    server.route("/comments", .text(toy("feed: Comments\nitem: a")))
    #expect(await fetch("/").error == .http(.gone))
  }

  @Test func fourFeedsOfAPageAreTried() async {
    server.route("/", .text(toyPage((1...5).map { "/\($0)" })))
    server.route("/1", .status(410))
    server.route("/5", .text(toy("feed: A")))
    #expect(await fetch("/").error == .http(.gone))
    #expect(server.requests.map(\.path) == ["/", "/1", "/2", "/3", "/4"])
  }

  /// The second one may be another feed, such as the comments.
  @Test(arguments: [401, 403, 503]) func feedOfAPageThatMayBeReadableLaterIsNotReplaced(_ status: Int) async {
    server.route("/", .text(toyPage(["/first", "/feed"])))
    server.route("/first", .status(status))
    server.route("/feed", .text(toy("feed: A")))
    #expect(await fetch("/").error != nil)
    #expect(server.requests(to: "/feed").isEmpty)
  }

  // MARK: Error statuses

  @Test func refusalsHaveSeparateErrors() async throws {
    let origin = try #require(Origin(server.url("/")))
    let expected: [(LoopbackServer.Response, FeedError)] = [
      (.unauthorized(realm: "Club"), .http(.unauthorized(realm: "Club", by: origin))),
      (.status(403), .http(.refused(status: 403))),
      (.status(404), .http(.notFound)), (.status(410), .http(.gone)), (.status(500), .http(.refused(status: 500))),
      (.text(""), .invalidData(.empty)), (.status(204), .invalidData(.empty)),
      (.text("{}"), .invalidData(.notAFeed(reason: "it looks like JSON"))),
      (.redirect(301, to: "ftp://x/"), .http(.unsupportedScheme("ftp"))),
    ]
    for (response, error) in expected {
      server.route("/feed", response)
      #expect(await fetch("/feed").error == error)
    }
    #expect(await client.fetch(FeedRequest(url: "file:///etc/passwd")).error == .http(.unsupportedScheme("file")))
    #expect(await client.fetch(FeedRequest(url: "")).error == .http(.badAddress("")))
  }

  @Test func truncatedFeedChangesNothing() async {
    server.route("/feed", .text(toy("feed: A\nitem: 1\nitem: 2")).cut(afterBytes: 12))
    #expect(await fetch("/feed").error == .http(.noConnectivity(.cut("127.0.0.1"))))
  }

  @Test func cancelling() async {
    server.route("/feed", .never)
    let task = Task { await client.fetch(FeedRequest(url: server.url("/feed"))) }
    #expect(await server.requestsArrive(1))
    task.cancel()
    #expect(await task.value.error == .http(.cancelled))
  }

  // MARK: Others

  @Test func getReturnsTheWholeBody() async throws {
    server.route("/c.json", .bytes([1, 2, 3], type: "application/json+chapters"))
    let body = try await client.get(server.url("/c.json"), accept: "application/json")
    #expect(body.bytes == [1, 2, 3])
    #expect(body.contentType == "application/json+chapters")
    #expect(server.requests.first?.header("Accept") == "application/json")
    await #expect(throws: FeedError.http(.tooLarge(limit: 2))) {
      try await client.get(server.url("/c.json"), maxBytes: 2)
    }
    await #expect(throws: FeedError.http(.notFound)) { try await client.get(server.url("/none")) }
  }

  @Test func archivePagesAreFetchedToTheLast() async {
    server.route("/feed", .text(toy("feed: A\nitem: 5\nitem: 4\nnext: /2")))
    server.route("/2", .text(toy("feed: A\nitem: 4\nitem: 3\nnext: /3\narchive: /old")))
    server.route("/old", .text(toy("feed: A\nitem: 2\nitem: 1")))
    let feed = await fetch("/feed").feed
    let archive = await client.fetchArchive(from: feed ?? Feed(), url: server.url("/feed"))
    #expect(archive.episodes.map(\.guid) == ["3", "2", "1"])
    #expect(archive.stop == .end)
    #expect(archive.pages == 2)
  }

  /// Its link to the next page may be missing, too.
  @Test(arguments: [("/alone", [String]()), ("/linked", ["1"])])
  func archiveWithoutAWholeFirstPageIsNotWhole(_ path: String, _ found: [String]) async throws {
    server.route("/alone", .text(toy("feed: A\nitem: 2")))
    server.route("/linked", .text(toy("feed: A\nitem: 2\nnext: /2")))
    server.route("/2", .text(toy("feed: A\nitem: 1")))
    var feed = try #require(await fetch(path).feed)
    feed.podcast.isCutOff = true
    let archive = await client.fetchArchive(from: feed, url: server.url(path))
    #expect(archive.stop == .failed(.invalidData(.malformed(reason: "a page of the feed is cut off"))))
    #expect(archive.episodes.compactMap(\.guid) == found)
  }

  @Test func archivePagesAreLimited() async {
    server.route("/circle", .text(toy("feed: A\nitem: 1\nnext: /circle2")))
    server.route("/circle2", .text(toy("feed: A\nitem: 2\nnext: /circle")))
    server.route("/same") { .text(toy("feed: A\nitem: 1\nnext: /same?page=\(($0.query ?? "").count)")) }
    server.route("/endless") { request in
      let page = Int(request.query ?? "0") ?? 0
      return .text(toy("feed: A\nitem: \(page)\nnext: /endless?\(page + 1)"))
    }
    server.route("/broken", .text(toy("feed: A\nitem: 1\nnext: /404")))
    let limit = FeedArchive.Limit(pages: 7, episodes: 100)
    let expected: [(String, FeedArchive.Stop, Int)] = [
      ("/circle", .nothingNew, 1), ("/same", .nothingNew, 0), ("/endless", .limit, 7),
      ("/broken", .failed(.http(.notFound)), 0),
    ]
    for (path, stop, count) in expected {
      let feed = await fetch(path).feed
      let archive = await client.fetchArchive(from: feed ?? Feed(), url: server.url(path), limit: limit)
      #expect(archive.stop == stop)
      #expect(archive.episodes.count == count)
    }
    // Pages that the library knows do not count, so that the next call gets further.
    let feed = await fetch("/endless").feed
    let archive = await client.fetchArchive(from: feed ?? Feed(), url: server.url("/endless"), limit: limit) {
      $0.count { ($0.guid.flatMap { Int($0) } ?? 0) > 20 }
    }
    #expect(archive.stop == .limit)
    #expect(archive.pages == 27)
    // Nor do episodes that it knows.
    let few = await client.fetchArchive(
      from: feed ?? Feed(), url: server.url("/endless"), limit: FeedArchive.Limit(episodes: 3)
    ) {
      $0.count { ($0.guid.flatMap { Int($0) } ?? 0) > 20 }
    }
    #expect(few.stop == .limit)
    #expect(few.episodes.compactMap(\.guid) == (1...23).map { "\($0)" })
  }
}
