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

  @Test func movedFeedIsRecognizedByItsGuid() async throws {
    server.route("/old", .text(DiscoverFixture.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let first = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(first, seconds: 30, total: 100, now: DiscoverFixture.now)
    server.route("/old", .status(404))
    await refresher.refresh([old.id]) { _ in }
    server.route("/new", .text(DiscoverFixture.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.id == old.id && new.wasKnown)
    #expect(try library.podcasts().map(\.feedURL) == [server.url("/new")])
    #expect(try library.episodeRows([first]).first?.position == 30)
  }

  private static let guid = "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>"

  /// Two subscriptions with the same guid. The first one has an episode with a position.
  private func duplicates() async throws -> (old: PodcastID, new: PodcastID, heard: EpisodeID) {
    for path in ["/old", "/new"] {
      server.route(path, .text(DiscoverFixture.feed("The Moon \(path)", extra: Self.guid), type: "application/rss+xml"))
    }
    let old = try await refresher.add(server.url("/old")).get()
    let heard = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(heard, seconds: 30, total: 100, now: DiscoverFixture.now)
    let new = try await refresher.add(server.url("/new")).get()
    #expect(new.duplicate == "The Moon /old" && !new.wasKnown)
    #expect(new.text.contains("it says that it is the same podcast as “The Moon /old”"))
    return (old.id, new.id, heard)
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
    server.route("/other", .text(DiscoverFixture.feed("Other"), type: "application/rss+xml"))
    let other = try await refresher.add(server.url("/other")).get()
    server.route("/old", .text(DiscoverFixture.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    _ = try await refresher.add(server.url("/old")).get()
    server.route("/other", .text(DiscoverFixture.feed("Other", extra: Self.guid), type: "application/rss+xml"))
    #expect(await refreshed([other.id]) == [.duplicate("The Moon")])
    server.route("/other", .text(DiscoverFixture.feed("Other 2", extra: Self.guid), type: "application/rss+xml"))
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
    server.route("/old", .text(DiscoverFixture.feed("The Moon", extra: Self.guid), type: "application/rss+xml"))
    server.route("/new", .text(DiscoverFixture.feed("New"), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let heard = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(heard, seconds: 30, total: 100, now: DiscoverFixture.now)
    let new = try await refresher.add(server.url("/new")).get()
    server.route("/old", .status(410))
    #expect(await refreshed([old.id]).isEmpty, "nobody has its guid")
    server.route("/new", .text(DiscoverFixture.feed("New", extra: Self.guid), type: "application/rss+xml"))
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
    server.route("/old", .text(DiscoverFixture.feed("The Moon", extra: Self.guid + moved), type: "application/rss+xml"))
    #expect(await refreshed([duplicates.old]) == [.moved(to: server.url("/new"))])
    #expect(try library.podcasts().map(\.id) == [duplicates.new])
    let rows = try library.episodeRows(try library.episodeIDs(EpisodeQuery(.podcast(duplicates.new))))
    #expect(rows.count == 3 && rows.map(\.position).max() == 30)
  }

  /// Two hosts close, and both redirect to one feed with a notice.
  @Test func differentPodcastsThatMoveToOneAddressAreKept() async throws {
    func feed(_ name: String) -> LoopbackServer.Response {
      .text(
        DiscoverFixture.feed(name).replacing("<guid>g", with: "<guid>\(name)-").replacing(
          "/cdn.example/", with: "/\(name)/"),
        type: "application/rss+xml")
    }
    var podcasts: [PodcastID] = []
    for name in ["one", "other"] {
      server.route("/" + name, feed(name))
      podcasts.append(try await refresher.add(server.url("/" + name)).get().id)
    }
    let notice = """
      <rss version="2.0"><channel><title>Closed</title><item><title>This host is closed</title><guid>closed</guid>
      <enclosure url="https://cdn.example/closed.mp3" type="audio/mpeg"/></item></channel></rss>
      """
    server.route("/closed", .text(notice, type: "application/rss+xml"))
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
    server.route("/old", .text(DiscoverFixture.feed("The Moon"), type: "application/rss+xml"))
    let moon = try await refresher.add(server.url("/old")).get().id
    server.route("/new", .text(DiscoverFixture.feed("The Moon, again"), type: "application/rss+xml"))
    let stub = """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>The Moon moved</title>
      <itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url><item><title>We have moved</title></item></channel>
      </rss>
      """
    server.route("/old", .text(stub, type: "application/rss+xml"))
    #expect(await refreshed([moon]) == [.moved(to: server.url("/new"))])
    #expect(try library.podcasts().map(\.title) == ["The Moon, again"])
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(moon))).count == 3)
  }

  /// A feed names another one as its new address.
  @Test func feedThatNamesAnotherPodcastIsKept() async throws {
    server.route("/old", .text(DiscoverFixture.feed("Victim"), type: "application/rss+xml"))
    let victim = try await refresher.add(server.url("/old")).get().id
    let head = """
      <itunes:new-feed-url xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">\(server.url("/old"))\
      </itunes:new-feed-url>
      """
    let other = DiscoverFixture.feed("Other").replacing("<guid>g", with: "<guid>o").replacing("/cdn.", with: "/other.")
    server.route("/new", .text(other, type: "application/rss+xml"))
    let added = try await refresher.add(server.url("/new")).get().id
    server.route(
      "/new", .text(other.replacing("<item>", with: head + "<item>", maxReplacements: 1), type: "application/rss+xml"))
    #expect(await refreshed([added]).isEmpty)
    #expect(try library.podcasts().count == 2)
    #expect(try [victim, added].map { try library.episodeIDs(EpisodeQuery(.podcast($0))).count } == [3, 3])
  }

  /// A paid feed has the guid of its public one, which fails once.
  @Test func anotherFeedWithTheGuidDoesNotReplaceAFailingOne() async throws {
    server.route("/public", .text(DiscoverFixture.feed("Public", extra: Self.guid), type: "application/rss+xml"))
    let open = try await refresher.add(server.url("/public")).get()
    server.route("/public", .status(500))
    await refresher.refresh([open.id]) { _ in }
    let paid = DiscoverFixture.feed("Paid", extra: Self.guid).replacing("<guid>g", with: "<guid>paid-")
      .replacing("/cdn.example/", with: "/paid.example/")
    server.route("/paid", .text(paid, type: "application/rss+xml"))
    let added = try await refresher.add(server.url("/paid")).get()
    #expect(added.id != open.id && !added.wasKnown && added.duplicate == "Public")
    #expect(try library.podcasts().count == 2)
  }

  /// `add` with the old address of a podcast that has moved: its data comes back, as without the redirect.
  @Test(arguments: [true, false]) func oldAddressOfAMovedPodcastLeadsToItsData(isSubscribed: Bool) async throws {
    server.route("/old", .text(DiscoverFixture.feed("The Moon"), type: "application/rss+xml"))
    let old = try await refresher.add(server.url("/old")).get()
    let heard = try #require(try library.episodeIDs(EpisodeQuery(.podcast(old.id))).first)
    try library.savePosition(heard, seconds: 30, total: 100, now: DiscoverFixture.now)
    if !isSubscribed { try library.unsubscribe(old.id, now: DiscoverFixture.now) }
    server.route("/new", .text(DiscoverFixture.feed("The Moon"), type: "application/rss+xml"))
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
