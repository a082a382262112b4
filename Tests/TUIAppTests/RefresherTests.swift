import AppCore
import FeedKit
import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// What a refresh keeps of an answer, against a real server and a real library.
@Suite struct RefresherTests {
  private let home: TemporaryHome
  private let server: LoopbackServer
  private let library: Library
  private let refresher: Refresher
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    library = try Library(path: "\(home.path)/library.sqlite")
    var options = HTTPOptions()
    options.ignoresProxies = true
    options.requestRetry = RetryPolicy(base: 0.001, longest: 0.001)
    options.now = { Self.now }
    refresher = Refresher(
      library: library, client: FeedClient(http: HTTPClient(options: options)), resources: Resources(),
      clock: { Self.now })
  }

  private func subscribe(_ address: String) throws -> PodcastID {
    try library.subscribe(feed: Feed(), feedURL: address, now: Self.now)
  }

  /// Whether the podcast is asked by itself so many seconds from now.
  private func isDue(_ podcast: PodcastID, in seconds: Double) throws -> Bool {
    try library.podcastsToRefresh(nil, now: Self.now.addingTimeInterval(seconds)).contains { $0.id == podcast }
  }

  /// A failure, how long it keeps the feed from being asked at least, and after how many seconds it must be asked.
  struct Failure: Sendable {
    let response: LoopbackServer.Response
    let rests: Double?
    let due: Double?
  }

  @Test(arguments: [
    Failure(response: .status(429, headers: [("Retry-After", "3600")]), rests: 3599, due: 3601),
    Failure(response: .status(503, headers: [("Retry-After", "7200")]), rests: 7199, due: 7201),
    // Ten minutes, of which jitter may take half.
    Failure(response: .status(500), rests: 299, due: 601),
    Failure(response: .status(404), rests: 299, due: 601),
    Failure(response: .text("no feed"), rests: 299, due: 601),
    // It is not coming back.
    Failure(response: .status(410), rests: 10_000_000, due: nil),
  ])
  func aFailedFeedIsAskedAgainInTime(failure: Failure) async throws {
    server.route("/feed", failure.response)
    let podcast = try subscribe(server.url("/feed"))
    #expect(try isDue(podcast, in: 0))
    #expect(await refresher.refresh(nil) { _ in }.failed == 1)
    if let rests = failure.rests { #expect(try !isDue(podcast, in: rests)) }
    if let due = failure.due { #expect(try isDue(podcast, in: due)) }
  }

  @Test func failuresInARowAreAskedEverMoreRarely() async throws {
    server.route("/feed", .status(500))
    let podcast = try subscribe(server.url("/feed"))
    for wait in [600.0, 1200, 2400, 4800] {
      // Asked by name, a feed is asked whether it is due or not.
      #expect(await refresher.refresh([podcast]) { _ in }.failed == 1)
      #expect(try !isDue(podcast, in: wait / 2 - 1))
      #expect(try isDue(podcast, in: wait + 1))
    }
    server.route("/feed", .text("<rss><channel><title>Show</title></channel></rss>", type: "text/xml"))
    #expect(await refresher.refresh([podcast]) { _ in }.failed == 0)
    #expect(try isDue(podcast, in: 1), "a success ends the waiting")
  }

  @Test func aLostConnectionIsNobodysFault() async throws {
    let podcast = try subscribe(server.url("/feed"))
    server.stop()
    #expect(await refresher.refresh(nil) { _ in }.failed == 1)
    #expect(try isDue(podcast, in: 1))
  }

  @Test func validatorsGoToTheAddressThatGaveThem() async throws {
    let feed = "<rss><channel><title>Show</title><item><title>1</title><guid>1</guid></item></channel></rss>"
    let one = LoopbackServer.Resource([UInt8](feed.utf8), type: "text/xml", etag: "\"one\"")
    let other = LoopbackServer.Resource(
      [UInt8](feed.replacing("1", with: "2").utf8), type: "text/xml", etag: "\"one\"")
    server.route("/one", one.answer)
    server.route("/two", other.answer)
    server.route("/feed", .redirect(302, to: "/one"))
    let podcast = try subscribe(server.url("/feed"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    #expect(await refresher.refresh(nil) { _ in }.unchanged == 1)
    // The same validator elsewhere says nothing of what was read here.
    server.route("/feed", .redirect(302, to: "/two"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).count == 2)
  }

  @Test func theFirstEpisodesAreSeenBeforeTheLastByte() async throws {
    let items = (1...2000).map { "<item><title>Part \($0)</title><guid>\($0)</guid></item>" }.joined()
    let feed = "<rss><channel><title>Show</title>\(items)</channel></rss>"
    let (arrivals, arrived) = AsyncStream.makeStream(of: ArrivingPodcast.self)
    let isSeen = DispatchSemaphore(value: 0)
    // The rest of the body is sent when something of it has been shown; without, the request ends in an error.
    server.route(
      "/feed",
      .text(feed, type: "text/xml").held(afterBytes: feed.utf8.count / 2) {
        if isSeen.wait(timeout: .now() + 20) == .timedOut { Issue.record("nothing was shown") }
      })
    async let added = refresher.add(server.url("/feed")) { podcast in
      arrived.yield(podcast)
      isSeen.signal()
    }
    let podcast = try await added.get()
    #expect(podcast.title == "Show" && podcast.episodes == 2000)
    arrived.finish()
    let first = await arrivals.first { _ in true }
    #expect(first?.title == "Show" && first?.titles.first == "Part 1")
    #expect((1..<2000).contains(first?.episodes ?? 0))
  }
}
