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

/// Feeds with the same podcast:guid: moved feeds and duplicates.
@Suite(InTurn()) struct DuplicateFeedTests {
  private let fixture: DiscoverFixture
  private var server: LoopbackServer { fixture.server }
  private var library: Library { fixture.library }
  private var refresher: Refresher { fixture.refresher }

  init() throws { fixture = try DiscoverFixture() }

  private func serve(_ path: String, _ feed: String) {
    server.route(path, .text(feed, type: "application/rss+xml"))
  }

  /// Serves a feed, and subscribes to it.
  private func add(_ path: String, _ feed: String) async throws -> AddedPodcast {
    serve(path, feed)
    return try await refresher.add(server.url(path)).get()
  }

  /// Gives the newest episode a position.
  @discardableResult
  private func hear(_ podcast: PodcastID) throws -> EpisodeID {
    let episode = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    try library.savePosition(episode, seconds: 30, total: 100, now: DiscoverFixture.now)
    return episode
  }

  @Test func movedFeedIsRecognizedByItsGuid() async throws {
    let old = try await add("/old", DiscoverFixture.feed("The Moon", extra: Self.guid))
    let heard = try hear(old.id)
    server.route("/old", .status(404))
    await refresher.refresh([old.id]) { _ in }
    let new = try await add("/new", DiscoverFixture.feed("The Moon", extra: Self.guid))
    #expect(new.id == old.id && new.wasKnown)
    #expect(try library.podcasts().map(\.feedURL) == [server.url("/new")])
    #expect(try library.episodeRows([heard]).first?.position == 30)
  }

  private static let guid = "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"

  /// Two subscriptions with the same guid. The first one has an episode with a position.
  private func duplicates() async throws -> (old: PodcastID, new: PodcastID) {
    let old = try await add("/old", DiscoverFixture.feed("The Moon /old", extra: Self.guid))
    try hear(old.id)
    let new = try await add("/new", DiscoverFixture.feed("The Moon /new", extra: Self.guid))
    #expect(new.duplicate == "The Moon /old" && !new.wasKnown)
    #expect(new.text.contains("it says that it is the same podcast as “The Moon /old”"))
    return (old.id, new.id)
  }

  private func refreshed(_ podcasts: [PodcastID]?) async -> [RefreshNote] {
    let notes = Mutex<[RefreshNote]>([])
    await refresher.refresh(podcasts) { report in
      if case .noted(_, let note) = report { notes.withLock { $0.append(note) } }
    }
    return notes.withLock { $0 }
  }

  /// A paid feed and its public feed may have the same guid. Both are kept as long as both can be read.
  @Test func duplicateGuidIsReportedOnceAndBothAreKept() async throws {
    let duplicates = try await duplicates()
    #expect(await refreshed([duplicates.old, duplicates.new]).isEmpty, "it was said when it was added")
    #expect(try library.podcasts().count == 2)
  }

  @Test func feedThatTakesAnotherGuidIsReportedOnce() async throws {
    let other = try await add("/other", DiscoverFixture.feed("Other"))
    _ = try await add("/old", DiscoverFixture.feed("The Moon", extra: Self.guid))
    serve("/other", DiscoverFixture.feed("Other", extra: Self.guid))
    #expect(await refreshed([other.id]) == [.duplicate("The Moon")])
    serve("/other", DiscoverFixture.feed("Other 2", extra: Self.guid))
    #expect(await refreshed([other.id]).isEmpty)
    #expect(try library.podcasts().count == 2)
  }

  @Test func goneFeedIsMergedIntoItsDuplicate() async throws {
    let duplicates = try await duplicates()
    server.route("/old", .status(410))
    #expect(await refreshed([duplicates.old]) == [.joined(with: "The Moon /new")])
    #expect(try library.podcasts().map(\.id) == [duplicates.new])
    // The remaining episode has the position.
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(duplicates.new))))
    #expect(rows.count == 3 && rows.map(\.position).max() == 30)
  }

  @Test func feedThatWasAlreadyGoneIsMerged() async throws {
    let old = try await add("/old", DiscoverFixture.feed("The Moon", extra: Self.guid))
    try hear(old.id)
    let new = try await add("/new", DiscoverFixture.feed("New"))
    server.route("/old", .status(410))
    #expect(await refreshed([old.id]).isEmpty, "nobody has its guid")
    serve("/new", DiscoverFixture.feed("New", extra: Self.guid))
    #expect(await refreshed([new.id]) == [.joined(with: "New")])
    #expect(try library.podcasts().map(\.id) == [new.id])
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(new.id))))
    #expect(rows.map(\.position).max() == 30)
  }

  /// If a feed moves to the address of another subscription, the two are merged.
  @Test func feedThatMovesToAnotherSubscriptionIsMerged() async throws {
    let duplicates = try await duplicates()
    let moved = """
      <itunes:new-feed-url xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">\(server.url("/new"))\
      </itunes:new-feed-url>
      """
    serve("/old", DiscoverFixture.feed("The Moon", extra: Self.guid + moved))
    #expect(await refreshed([duplicates.old]) == [.moved(to: server.url("/new"))])
    #expect(try library.podcasts().map(\.id) == [duplicates.new])
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(duplicates.new))))
    #expect(rows.count == 3 && rows.map(\.position).max() == 30)
  }

  /// Two hosts close, and both redirect to one feed with a notice.
  @Test func differentPodcastsThatMoveToOneAddressAreKept() async throws {
    var podcasts: [PodcastID] = []
    for name in ["one", "other"] {
      let feed = DiscoverFixture.feed(name).replacing("<guid>g", with: "<guid>\(name)-")
        .replacing("/cdn.example/", with: "/\(name)/")
      podcasts.append(try await add("/" + name, feed).id)
    }
    let notice = """
      <rss version="2.0"><channel><title>Closed</title><item><title>This host is closed</title><guid>closed</guid>
      <enclosure url="https://cdn.example/closed.mp3" type="audio/mpeg"/></item></channel></rss>
      """
    serve("/closed", notice)
    for name in ["one", "other"] { server.route("/" + name, .redirect(301, to: "/closed")) }
    let notes = await refreshed(podcasts)
    #expect(notes == [.strayed(to: "Closed"), .strayed(to: "Closed")])
    // Adding the old address again does not move it either.
    #expect(try await refresher.add(server.url("/one")).get().id != podcasts[0])
    #expect(try library.podcasts().count == 3)
    try library.unsubscribe(
      try #require(try library.podcastID(feedURL: server.url("/closed"))), now: DiscoverFixture.now)
    #expect(try library.podcasts().map(\.feedURL).sorted() == [server.url("/one"), server.url("/other")])
    #expect(try podcasts.allSatisfy { try library.episodeIDs(EpisodeQuery(.podcast($0))).count == 3 })
  }

  /// A host leaves a feed that only says where the podcast has gone.
  @Test func feedThatSaysWhereThePodcastIsIsFollowed() async throws {
    let moon = try await add("/old", DiscoverFixture.feed("The Moon")).id
    serve("/new", DiscoverFixture.feed("The Moon, again"))
    let stub = """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>The Moon moved</title>
      <itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url><item><title>We have moved</title></item></channel>
      </rss>
      """
    serve("/old", stub)
    #expect(await refreshed([moon]) == [.moved(to: server.url("/new"))])
    #expect(try library.podcasts().map(\.title) == ["The Moon, again"])
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(moon))).count == 3)
  }

  /// A feed names another one as its new address.
  @Test func feedThatNamesAnotherPodcastIsKept() async throws {
    let victim = try await add("/old", DiscoverFixture.feed("Victim")).id
    let head = """
      <itunes:new-feed-url xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">\(server.url("/old"))\
      </itunes:new-feed-url>
      """
    let other = DiscoverFixture.feed("Other").replacing("<guid>g", with: "<guid>o").replacing("/cdn.", with: "/other.")
    let added = try await add("/new", other).id
    serve("/new", other.replacing("<item>", with: head + "<item>", maxReplacements: 1))
    #expect(await refreshed([added]).isEmpty)
    #expect(try library.podcasts().count == 2)
    #expect(try [victim, added].map { try library.episodeIDs(EpisodeQuery(.podcast($0))).count } == [3, 3])
  }

  /// A paid feed has the guid of its public one, which fails once.
  @Test func anotherFeedWithTheGuidDoesNotReplaceAFailingOne() async throws {
    let open = try await add("/public", DiscoverFixture.feed("Public", extra: Self.guid))
    server.route("/public", .status(500))
    await refresher.refresh([open.id]) { _ in }
    let paid = DiscoverFixture.feed("Paid", extra: Self.guid).replacing("<guid>g", with: "<guid>paid-")
      .replacing("/cdn.example/", with: "/paid.example/")
    let added = try await add("/paid", paid)
    #expect(added.id != open.id && !added.wasKnown && added.duplicate == "Public")
    #expect(try library.podcasts().count == 2)
  }

  /// `add` with the old address of a podcast that has moved: its data comes back, as without the redirect.
  @Test(arguments: [true, false]) func oldAddressOfAMovedPodcastLeadsToItsData(isSubscribed: Bool) async throws {
    let old = try await add("/old", DiscoverFixture.feed("The Moon"))
    let heard = try hear(old.id)
    if !isSubscribed { try library.unsubscribe(old.id, now: DiscoverFixture.now) }
    serve("/new", DiscoverFixture.feed("The Moon"))
    server.route("/old", .redirect(301, to: "/new"))
    let new = try await refresher.add(server.url("/old")).get()
    #expect(new.id == old.id && new.wasKnown == isSubscribed)
    #expect(try library.podcasts().map(\.feedURL) == [server.url("/new")])
    #expect(try library.episodeRows([heard]).first?.position == 30)
  }

  /// A paid feed answers without its password, with its public part.
  @Test func knownPodcastIsAddedWithItsPasswordAndUserAgent() async throws {
    let whole = DiscoverFixture.feed("Paid")
    let part = whole.replacing(/<item><title>Part [12].*?<\/item>/.dotMatchesNewlines(), with: "")
    server.route("/paid") { request in
      let isPaid = request.header("Authorization") != nil && request.header("User-Agent") == "Mine/1"
      return .text(isPaid ? whole : part, type: "application/rss+xml")
    }
    let agent = UserAgent("Mine/1")
    let paid = try await refresher.add(
      server.url("/paid"), login: FeedLogin(user: "me", password: "secret"), userAgent: agent
    ).get()
    #expect(paid.episodes == 3)
    let again = try await refresher.add(server.url("/paid")).get()
    #expect(again.id == paid.id && again.wasKnown && again.episodes == 3)
    #expect(try library.credentials(of: paid.id)?.password == "secret")
  }
}
