import AppCore
import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

/// Refreshes with a real server and a real library.
@Suite(InTurn()) struct RefresherTests {
  private let fixture: FeedFixture
  private let server: LoopbackServer
  private let library: Library
  private let refresher: Refresher
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    fixture = try FeedFixture(now: Self.now)
    (server, library, refresher) = (fixture.server, fixture.library, fixture.refresher())
  }

  private func subscribe(_ address: String) throws -> PodcastID {
    try library.subscribe(feed: Feed(), feedURL: address, now: Self.now)
  }

  /// Whether the podcast is due for an automatic refresh in this many seconds.
  private func isDue(_ podcast: PodcastID, in seconds: Double) throws -> Bool {
    try library.podcastsDue(RefreshSchedule(every: 0.5), now: Self.now.addingTimeInterval(seconds)).contains(podcast)
  }

  /// Whether a refresh of all podcasts by the listener includes the podcast in this many seconds.
  private func isIncluded(_ podcast: PodcastID, in seconds: Double) throws -> Bool {
    try library.podcastsToRefresh(nil, now: Self.now.addingTimeInterval(seconds)).contains { $0.id == podcast }
  }

  /// A failure, the seconds for which the feed is not requested automatically, and the seconds after which it is due.
  struct Failure: Sendable {
    let response: LoopbackServer.Response
    let silentFor: Double
    let due: Double?
    /// A refresh by the listener asks the server without waiting.
    var isAskedAtOnce = false
  }

  @Test(arguments: [
    Failure(response: .status(429, headers: [("Retry-After", "3600")]), silentFor: 3599, due: 3601),
    Failure(response: .status(503, headers: [("Retry-After", "7200")]), silentFor: 7199, due: 7201),
    // The wait is ten minutes, and jitter can reduce it to half.
    Failure(response: .status(500), silentFor: 299, due: 601, isAskedAtOnce: true),
    Failure(response: .status(404), silentFor: 299, due: 601, isAskedAtOnce: true),
    Failure(response: .text("no feed"), silentFor: 299, due: 601, isAskedAtOnce: true),
    // The feed is gone and is never due.
    Failure(response: .status(410), silentFor: 10_000_000, due: nil),
  ])
  func failedFeedIsDueAgain(failure: Failure) async throws {
    server.route("/feed", failure.response)
    let podcast = try subscribe(server.url("/feed"))
    #expect(try isDue(podcast, in: 1))
    #expect(await refresher.refresh(nil) { _ in }.failed == 1)
    #expect(try !isDue(podcast, in: failure.silentFor))
    #expect(try isIncluded(podcast, in: failure.silentFor) == failure.isAskedAtOnce)
    if let due = failure.due {
      #expect(try isDue(podcast, in: due))
      #expect(try isIncluded(podcast, in: due))
    }
  }

  /// The server of their addresses is well.
  @Test func pauseOfARedirectTargetCountsForOneFeed() async throws {
    let busy = try LoopbackServer { _ in .status(429, headers: [("Retry-After", "3600")]) }
    server.route("/1", .redirect(302, to: busy.url("/feed")))
    server.route("/2", .status(500))
    let (refused, neighbour) = (try subscribe(server.url("/1")), try subscribe(server.url("/2")))
    #expect(await refresher.refresh(nil) { _ in }.failed == 2)
    #expect(try !isIncluded(refused, in: 1))
    #expect(try isIncluded(neighbour, in: 1))
    server.route("/2", .status(429, headers: [("Retry-After", "3600")]))
    let third = try subscribe(server.url("/3"))
    #expect(await refresher.refresh([neighbour]) { _ in }.failed == 1)
    #expect(try !isIncluded(third, in: 1))
  }

  /// Nothing listens on port 1. Without a network every server is unreachable, which is no fault of a podcast.
  @Test func refreshThatReachesNoServerMarksNothing() async throws {
    let reports = Mutex<[RefreshReport]>([])
    let podcasts = [
      try subscribe("http://127.0.0.1:1/a"), try subscribe("http://localhost:1/b"),
      try subscribe("http://localhost:1/c"),
    ]
    let count = await refresher.refresh(nil) { report in reports.withLock { $0.append(report) } }
    #expect(count.isOffline && count.failed == 3)
    #expect(reports.withLock { $0.last } == .offline(podcasts: 3))
    #expect(
      !reports.withLock { $0 }.contains {
        if case .failed = $0 { true } else { false }
      })
    #expect(try library.podcasts().allSatisfy { $0.health == .good })
    for podcast in podcasts { #expect(try isDue(podcast, in: 1)) }

    // A server that answers shows that there is a network, so that the others are at fault.
    server.route("/feed", .status(500))
    _ = try subscribe(server.url("/feed"))
    let second = await refresher.refresh(nil) { _ in }
    #expect(!second.isOffline && second.failed == 4)
    #expect(try library.podcasts().allSatisfy { $0.health != .good })
  }

  /// One server that cannot be reached may be down.
  @Test func serverThatIsDownMarksItsPodcasts() async throws {
    _ = try subscribe("http://localhost:1/b")
    _ = try subscribe("http://localhost:1/c")
    let count = await refresher.refresh(nil) { _ in }
    #expect(!count.isOffline && count.failed == 2)
    #expect(try library.podcasts().allSatisfy { $0.health != .good })
  }

  @Test func repeatedFailuresBackOff() async throws {
    server.route("/feed", .status(500))
    let podcast = try subscribe(server.url("/feed"))
    for wait in [600.0, 1200, 2400, 4800] {
      // A feed that is refreshed by name is requested even if it is not due.
      #expect(await refresher.refresh([podcast]) { _ in }.failed == 1)
      #expect(try !isDue(podcast, in: wait / 2 - 1))
      #expect(try isDue(podcast, in: wait + 1))
    }
    server.route("/feed", .text("<rss><channel><title>Show</title></channel></rss>", type: "text/xml"))
    #expect(await refresher.refresh([podcast]) { _ in }.failed == 0)
    #expect(try isDue(podcast, in: 1), "a success ends the waiting")
  }

  @Test func lostConnectionIsNotAFailureOfTheFeed() async throws {
    let podcast = try subscribe(server.url("/feed"))
    server.stop()
    #expect(await refresher.refresh(nil) { _ in }.failed == 1)
    #expect(try isDue(podcast, in: 1))
  }

  /// Only the listener can enter the password.
  @Test func feedThatWantsAPasswordIsRequestedOnceADay() async throws {
    server.route("/feed", .unauthorized())
    let podcast = try subscribe(server.url("/feed"))
    #expect(await refresher.refresh(nil) { _ in }.failed == 1)
    let schedule = RefreshSchedule(every: 3600)
    #expect(try library.podcastsDue(schedule, now: Self.now.addingTimeInterval(86_399)).isEmpty)
    // Feeds that were fetched together are spread over a fifth of their interval.
    #expect(try library.podcastsDue(schedule, now: Self.now.addingTimeInterval(86_400 * 1.2)) == [podcast])
    #expect(try isIncluded(podcast, in: 1), "the listener may refresh it at any time")
  }

  @Test func validatorsAreSentToTheirAddressOnly() async throws {
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
    // A validator of one address must not be used for another address.
    server.route("/feed", .redirect(302, to: "/two"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).count == 2)
  }

  private static let feed =
    "<rss><channel><title>Show</title><item><title>1</title><guid>1</guid></item></channel></rss>"

  private func address(of podcast: PodcastID) throws -> String? { try library.podcastDetail(podcast)?.row.feedURL }

  /// The feed after a permanent redirect is unchanged. The server reports that with a validator, or sends the same
  /// bytes.
  @Test(arguments: [301, 308], [true, false])
  func movedUnchangedFeedGetsItsNewAddress(status: Int, hasETag: Bool) async throws {
    let there = LoopbackServer.Resource([UInt8](Self.feed.utf8), type: "text/xml", etag: hasETag ? "\"1\"" : nil)
    server.route("/new", there.answer)
    server.route("/old", .redirect(302, to: "/new"))
    let podcast = try subscribe(server.url("/old"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    #expect(try address(of: podcast) == server.url("/old"), "302 is temporary")
    server.route("/old", .redirect(status, to: "/new"))
    let notes = Notes()
    #expect(await refresher.refresh(nil) { notes.add($0) }.unchanged == 1)
    #expect(try address(of: podcast) == server.url("/new"))
    #expect(notes.all == [.moved(to: server.url("/new"))])
    // The old server does not have the feed any more.
    server.route("/old", .status(404))
    server.forgetRequests()
    #expect(await refresher.refresh(nil) { _ in }.unchanged == 1)
    #expect(server.requests.map(\.path) == ["/new"])
    if hasETag { #expect(server.requests.first?.header("If-None-Match") == "\"1\"") }
  }

  @Test func movedFrozenFeedIsFollowedLater() async throws {
    let old = Self.feed.replacing(
      "<item>", with: "<itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url><item>"
    )
    .replacing("<rss>", with: "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>")
    server.route("/old", LoopbackServer.Resource([UInt8](old.utf8), type: "text/xml", etag: "\"1\"").answer)
    server.route("/new", .status(404))
    let podcast = try subscribe(server.url("/old"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    #expect(try address(of: podcast) == server.url("/old"))
    server.route("/new", .text(Self.feed, type: "text/xml"))
    #expect(await refresher.refresh(nil) { _ in }.failed == 0)
    #expect(try address(of: podcast) == server.url("/new"))
  }

  @Test func notModifiedFromAnUnknownAddressMovesNothing() async throws {
    server.route("/old", LoopbackServer.Resource([UInt8](Self.feed.utf8), type: "text/xml", etag: "\"1\"").answer)
    let podcast = try subscribe(server.url("/old"))
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
    server.route("/old", .redirect(301, to: "/parked"))
    server.route("/parked", .status(304))
    _ = await refresher.refresh([podcast]) { _ in }
    #expect(try address(of: podcast) == server.url("/old"))
  }

  /// The notes of refreshes.
  private final class Notes: Sendable {
    private let notes = Mutex<[RefreshNote]>([])
    var all: [RefreshNote] { notes.withLock { $0 } }
    func add(_ report: RefreshReport) {
      if case .noted(_, let note) = report { notes.withLock { $0.append(note) } }
    }
  }

  private func feed(_ numbers: [Int]) -> LoopbackServer.Response {
    let items = numbers.map {
      "<item><title>Part \($0)</title><guid>\($0)</guid><pubDate>\($0) Jan 2024 10:00:00 GMT</pubDate></item>"
    }
    return .text("<rss><channel><title>Show</title>\(items.joined())</channel></rss>", type: "text/xml")
  }

  @Test func removedEpisodesAreReported() async throws {
    server.route("/feed", feed(Array(1...9)))
    // Before the episodes, so that they are no back catalogue.
    let subscribed = Date(timeIntervalSince1970: 1_600_000_000)
    let podcast = try library.subscribe(feed: Feed(), feedURL: server.url("/feed"), now: subscribed)
    #expect(await refresher.refresh(nil) { _ in }.new == 9)
    server.route("/feed", feed([1, 2, 3, 4, 6, 7, 8, 9]))
    let notes = Notes()
    let count = await refresher.refresh([podcast]) { notes.add($0) }
    #expect(count.removed == 1 && count.unchanged == 0)
    #expect(notes.all == [.removed(["Part 5"])])
    server.route("/feed", feed([1, 9]))
    #expect(await refresher.refresh([podcast]) { notes.add($0) }.removed == 0)
    #expect(notes.all.last == .shrank(listed: 2, missing: 6))
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).count == 8)
    server.route("/feed", feed([]))
    #expect(await refresher.refresh([podcast]) { notes.add($0) }.removed == 0)
    #expect(notes.all.last == .emptied(kept: 8))
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).count == 8)
  }

  private func refresher(after seconds: Double) -> Refresher {
    Refresher(
      library: library, client: FeedClient(http: fixture.http), resources: Resources(), directories: nil,
      clock: { Self.now.addingTimeInterval(seconds) })
  }

  private func route(episodes: Int, modified date: String) {
    let items = (1...episodes).reversed().map { number in
      let date = "<pubDate>\(number) Sep 2026 08:00 GMT</pubDate>"
      return "<item><title>E\(number)</title><guid>episode-\(number)</guid>\(date)</item>"
    }.joined()
    let text = "<rss><channel><title>T</title>\(items)</channel></rss>"
    let resource = LoopbackServer.Resource([UInt8](text.utf8), type: "text/xml", lastModified: date)
    server.route("/feed") { request in
      var response = resource.answer(request)
      response.headers.append(("Date", "Mon, 21 Sep 2026 14:13:20 GMT"))
      return response
    }
  }

  private func refresh(after days: Double) async throws -> Int {
    _ = await refresher(after: days * RefreshSchedule.day).refresh(nil) { _ in }
    return try library.podcasts()[0].episodes
  }

  /// A file that got an older date, on a server that compares the dates: it answers 304 for years.
  @Test func wholeFeedIsRequestedOnceAWeek() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    route(episodes: 1, modified: date)
    _ = try subscribe(server.url("/feed"))
    #expect(try await refresh(after: 0) == 1)
    route(episodes: 2, modified: date)
    #expect(try await refresh(after: 0.001) == 1)
    #expect(try await refresh(after: 7) == 2)
  }

  /// A cache may send an older copy for some hours. After days, the publisher has withdrawn the newest episode.
  @Test func olderDocumentIsBelievedAfterDays() async throws {
    // An hour and a day before the refresh.
    route(episodes: 10, modified: "Mon, 21 Sep 2026 13:06:40 GMT")
    _ = try subscribe(server.url("/feed"))
    #expect(try await refresh(after: 0) == 10)
    route(episodes: 9, modified: "Sun, 20 Sep 2026 14:06:40 GMT")
    #expect(try await refresh(after: 0.1) == 10)
    #expect(try await refresh(after: 3) == 9)
  }

  @Test func truncatedFeedIsAddedWithAWarningAndRequestedAgain() async throws {
    let whole = Self.feed
    let part = whole.prefix(upTo: try #require(whole.range(of: "<item>")).upperBound)
    server.route("/feed", LoopbackServer.Resource([UInt8](part.utf8), type: "text/xml", etag: "\"1\"").answer)
    let added = try await refresher.add(server.url("/feed")).get()
    #expect(added.isCutOff && added.episodes == 0)
    // The validator is the same, because a proxy had truncated the first answer.
    server.route("/feed", LoopbackServer.Resource([UInt8](whole.utf8), type: "text/xml", etag: "\"1\"").answer)
    #expect(await refresher.refresh(nil) { _ in }.new == 1)
  }

  /// A truncated feed does not count as unchanged. A part of an item is no episode, because its identity may be
  /// missing.
  @Test func truncatedFeedIsReportedEachTimeAndAddsNoPartOfAnItem() async throws {
    let items = (1...3).map {
      "<item><title>Part \($0)</title><description>Text</description><guid>\($0)</guid></item>"
    }
    let whole = "<rss><channel><title>Show</title>\(items.joined())</channel></rss>"
    func serve(_ text: Substring) {
      let etag = "\"\(text.utf8.count)\""
      server.route("/feed", LoopbackServer.Resource([UInt8](text.utf8), type: "text/xml", etag: etag).answer)
    }
    serve(whole[...])
    let podcast = try await refresher.add(server.url("/feed")).get().id
    for place in ["Part 3", "</description><guid>3", "<guid>3"] {
      serve(whole.prefix(upTo: try #require(whole.range(of: place)).upperBound))
      for _ in 1...2 {
        let notes = Notes()
        let count = await refresher.refresh([podcast]) { notes.add($0) }
        #expect(notes.all == [.cutOff(episodes: 2)], "the third was not read: \(place)")
        #expect(count.new == 0 && count.unchanged == 0 && count.failed == 0)
        let titles = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(podcast)))).map(\.title)
        #expect(titles.sorted() == ["Part 1", "Part 2", "Part 3"])
      }
    }
    // The message counts what is in the library.
    server.route("/other", LoopbackServer.Resource([UInt8](whole.prefix(120).utf8), type: "text/xml").answer)
    let added = try await refresher.add(server.url("/other")).get()
    #expect(added.isCutOff && added.episodes == 1)
    #expect(try library.podcastDetail(added.id)?.row.episodes == 1)
  }

  @Test func firstEpisodesAreShownBeforeTheLastByte() async throws {
    let items = (1...2000).map { "<item><title>Part \($0)</title><guid>\($0)</guid></item>" }.joined()
    let feed = "<rss><channel><title>Show</title>\(items)</channel></rss>"
    let (arrivals, arrived) = AsyncStream.makeStream(of: ArrivingPodcast.self)
    let isSeen = DispatchSemaphore(value: 0)
    // The server sends the rest of the body after the first episodes were shown. Otherwise the request fails.
    server.route(
      "/feed",
      .text(feed, type: "text/xml").held(afterBytes: feed.utf8.count / 2) {
        if isSeen.wait(timeout: .now() + 300) == .timedOut { Issue.record("nothing was shown") }
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
