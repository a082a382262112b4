import Foundation
import LoopbackServer
import Model
import Store
import Sync
import Testing

@testable import Services
@testable import TUIApp

/// Feeds of which a sync server has sent an address that it had encoded once more.
@Suite(InTurn()) struct ServerAddressTests {
  private let fixture: FeedFixture
  private static let query = "/bridge?u=https%3A%2F%2Fx&v=a+b"
  private static let encoded = "/bridge?u=https%253A%252F%252Fx&v=a%2Bb"

  init() throws { fixture = try FeedFixture() }

  private static func feed(_ guid: String) -> LoopbackServer.Response {
    .text(
      """
      <rss version="2.0"><channel><title>T</title><item><title>One</title><guid>\(guid)</guid>
      <enclosure url="https://cdn.example/1.mp3?\(guid)" type="audio/mpeg"/></item></channel></rss>
      """, type: "application/rss+xml")
  }

  /// The podcast, as a sync has added it.
  private func pull() throws -> PodcastID {
    try fixture.library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: "https://s.example", user: "u", device: "d", deviceName: "D"))
    var pull = SyncPull()
    pull.subscriptions = [SubscriptionChange(url: fixture.server.url(Self.encoded), isSubscribed: true)]
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions], batch: 1, mayLoseValues: true)
    let rules = SyncRules(clock: SyncClock(step: 1, now: Date().timeIntervalSince1970), traits: traits)
    _ = try LibrarySync(library: fixture.library, server: "s.example").apply(pull, .subscriptions, rules)
    return try #require(try fixture.library.podcastID(feedURL: fixture.server.url(Self.encoded)))
  }

  private func address(_ podcast: PodcastID) throws -> String? {
    try fixture.library.podcastDetail(podcast)?.row.feedURL
  }

  @Test func feedMovesToTheAddressBeforeTheEncoding() async throws {
    fixture.server.route("/bridge") { request in
      request.target == Self.query ? Self.feed("g") : .status(404)
    }
    let podcast = try pull()
    let count = await fixture.refresher().refresh([podcast]) { _ in }
    #expect(count.failed == 0)
    #expect(try address(podcast) == fixture.server.url(Self.query))
  }

  /// The address that the server sent has the feed.
  @Test func addressThatWorksStays() async throws {
    fixture.server.route("/bridge") { request in
      request.target == Self.encoded ? Self.feed("g") : .status(404)
    }
    let podcast = try pull()
    for _ in 0..<2 { #expect(await fixture.refresher().refresh([podcast]) { _ in }.failed == 0) }
    #expect(try address(podcast) == fixture.server.url(Self.encoded))
  }

  /// Earlier versions replaced the address of a feed that had episodes. Another feed is no evidence.
  @Test(arguments: [true, false]) func knownFeedMovesOnlyToItsEpisodes(isSame: Bool) async throws {
    let podcast = try pull()
    fixture.server.route("/bridge") { _ in Self.feed("g") }
    _ = await fixture.refresher().refresh([podcast]) { _ in }
    try fixture.library.setFeedURL(podcast, fixture.server.url("/other"), now: Date())
    try fixture.library.setFeedURL(podcast, fixture.server.url(Self.encoded), now: Date())
    #expect(try pull() == podcast)
    fixture.server.route("/bridge") { request in
      request.target == Self.query ? Self.feed(isSame ? "g" : "h") : .status(404)
    }
    #expect(await fixture.refresher().refresh([podcast]) { _ in }.failed == (isSame ? 0 : 1))
    #expect(try address(podcast) == fixture.server.url(isSame ? Self.query : Self.encoded))
  }
}
