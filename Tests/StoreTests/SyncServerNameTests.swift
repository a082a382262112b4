import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Servers that call a feed by another address, and what they require of the states that are sent.
@Suite struct SyncServerNameTests {
  /// A server whose answers the test defines.
  private final class Scripted: SyncBackend, @unchecked Sendable {
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions, .episodes], batch: 100,
      mayLoseValues: true)
    var subscriptions: [SubscriptionChange] = []
    var episodes: [EpisodeChange] = []
    var renamed: [String: String?] = [:]
    var listOfNewDevices: [String]?
    var pushed = SyncBatch()
    /// Addresses that it refuses.
    var refused: Set<String> = []
    /// Whether a pull of subscriptions was for all.
    var wasAskedForAll = false

    func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
      var pull = SyncPull()
      pull.cursor = "1"
      if category == .subscriptions, cursor == nil { wasAskedForAll = true }
      if category == .subscriptions { (pull.subscriptions, pull.listOfNewDevices) = (subscriptions, listOfNewDevices) }
      if category == .episodes { pull.episodes = episodes }
      switch category {
      case .subscriptions: (subscriptions, listOfNewDevices) = ([], nil)
      case .episodes: episodes = []
      case .collections: break
      }
      return pull
    }

    func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt {
      if batch.subscriptions.contains(where: { refused.contains($0.url) }) {
        throw .badValue(server: "s.example", cause: "a bad address")
      }
      pushed.subscriptions += batch.subscriptions
      pushed.episodes += batch.episodes
      return SyncReceipt(renamed: renamed)
    }
  }

  private let box: TemporaryLibrary
  private let server = Scripted()
  private var library: Library { box.library }
  private static let url = "https://a.example/bridge?u=https%3A%2F%2Fx"
  private static let name = "https://a.example/bridge?u=https%253A%252F%252Fx"

  init() throws {
    box = try TemporaryLibrary()
    try library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: "https://s.example", user: "u", device: "d", deviceName: "D"))
  }

  @discardableResult
  private func sync(at time: Double = 100, isFull: Bool = false) async -> SyncRun.Report {
    let now = Samples.later(time).timeIntervalSince1970
    let report = await SyncRun(backend: server, isFull: isFull, pause: { _ in }, now: { now })
      .perform(on: LibrarySync(library: library, server: "s.example"))
    #expect(report.errors == [])
    return report
  }

  private func play(_ podcast: String, _ media: String, at time: Double = 50) -> EpisodeChange {
    EpisodeChange(
      episode: EpisodeReference(podcast: podcast, guid: nil, mediaURL: media),
      mark: EpisodeMark(.paused, position: 77, isWhole: true), time: Samples.later(time).timeIntervalSince1970)
  }

  @Test(arguments: [name, "https://other.example/name"])
  func nameOfTheServerNeverReplacesTheAddress(name: String) async throws {
    let podcast = try box.subscribe(Samples.episodes(1...2), url: Self.url)
    server.renamed = [Self.url: name]
    await sync()
    #expect(server.pushed.subscriptions.map(\.url) == [Self.url])
    // The server reports the feed by its name, and states with it.
    server.subscriptions = [SubscriptionChange(url: name, isSubscribed: true)]
    let media = try #require(Samples.episode(1).mediaURL)
    server.episodes = [play(name, media)]
    await sync(isFull: true)
    #expect(try library.podcasts().map(\.feedURL) == [Self.url])
    let rows = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.count { $0.position == 77 } == 1)
    #expect(try library.syncBacklog().waiting == 0)
    // A removal elsewhere, by its name there.
    server.subscriptions = [SubscriptionChange(url: name, isSubscribed: false)]
    await sync()
    #expect(try library.podcasts().isEmpty)
    // And one here, by the address that was sent before.
    try library.subscribe(feed: Samples.feed(Samples.episodes(1...2)), feedURL: Self.url, now: Samples.later(200))
    await sync(at: 300)
    try library.unsubscribe(podcast, now: Samples.later(400))
    server.pushed = SyncBatch()
    await sync(at: 500)
    #expect(server.pushed.subscriptions == [SubscriptionChange(url: Self.url, isSubscribed: false)])
    // When the feed has moved, the server is told of its old address in the same way.
    try library.subscribe(feed: Samples.feed(Samples.episodes(1...2)), feedURL: Self.url, now: Samples.later(600))
    await sync(at: 700)
    try library.setFeedURL(podcast, "https://new.example/", now: Samples.later(800))
    server.pushed = SyncBatch()
    await sync(at: 900)
    #expect(Set(server.pushed.subscriptions.map(\.url)) == ["https://new.example/", Self.url])
  }

  /// The answer with the new name was lost, or the server encodes what it gets once more each time.
  @Test(arguments: [1, 2, 3]) func nameThatIsOnlyEncodedIsRecognized(levels: Int) async throws {
    try box.subscribe(Samples.episodes(1...2), url: Self.url)
    let name = (0..<levels).reduce(Self.url) { name, _ in name.replacing("%", with: "%25") }
    server.subscriptions = [SubscriptionChange(url: name, isSubscribed: true)]
    await sync()
    #expect(try library.podcasts().map(\.feedURL) == [Self.url])
  }

  /// Each level of encoding, and a query that tells episodes apart.
  @Test func addressesOfEpisodesAreComparedWithoutEncoding() async throws {
    var episodes = Samples.episodes(1...2)
    for index in episodes.indices { episodes[index].mediaURL = "https://c.example/play.php?f=a%20b%2F\(index)" }
    let podcast = try box.subscribe(episodes, url: Self.url)
    server.episodes = [
      play(Self.url, "http://c.example/play.php?f=a%2520b%252F0"), play(Self.url, "https://c.example/play.php?f=a b/1"),
    ]
    await sync()
    let rows = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.map(\.position) == [77, 77] && rows.count == 2)
  }

  /// Another device has only the name of the server. When the feed was found at the address before the encoding, the
  /// podcast moves there, and nothing is sent for that.
  @Test func addressMovesBackAndTheNameStays() async throws {
    server.subscriptions = [SubscriptionChange(url: Self.name, isSubscribed: true)]
    let media = try #require(Samples.episode(1).mediaURL)
    server.episodes = [play(Self.name, media)]
    await sync()
    let podcast = try #require(try library.podcastID(feedURL: Self.name))
    #expect(try library.hasAddressOfServer(podcast))
    try library.setFeedURL(podcast, Self.url, now: Samples.later(200))
    try library.apply(feed: Samples.feed(Samples.episodes(1...2)), to: podcast, now: Samples.later(210))
    let rows = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.contains { $0.position == 77 })
    #expect(try library.syncBacklog().waiting == 0)
    #expect(try !library.hasAddressOfServer(podcast))
    server.subscriptions = [SubscriptionChange(url: Self.name, isSubscribed: true)]
    server.episodes = [play(Self.name, media)]
    let quiet = await sync(at: 300, isFull: true)
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
    #expect(try library.podcasts().map(\.feedURL) == [Self.url])
  }

  // MARK: Lists of other devices

  @Test func listOfAnotherDeviceOnlyAddsWhatWasNeverSeen() async throws {
    let (ours, removed) = ("https://a.example/ours", "https://a.example/removed")
    try box.subscribe(Samples.episodes(1...1), url: ours)
    let former = try box.subscribe(Samples.episodes(2...2), url: removed)
    await sync()
    try library.unsubscribe(former, now: Samples.later(150))
    await sync(at: 200)
    var change = SubscriptionChange(url: removed, isSubscribed: true)
    change.isElsewhere = true
    var new = SubscriptionChange(url: "https://a.example/new", isSubscribed: true)
    new.isElsewhere = true
    server.subscriptions = [SubscriptionChange(url: ours, isSubscribed: true), change, new]
    server.listOfNewDevices = [removed, new.url]
    server.pushed = SyncBatch()
    await sync(at: 300, isFull: true)
    let feeds = Set(try library.podcasts().map(\.feedURL))
    #expect(feeds == [ours, new.url])
    // The shared list gets the new one, and the new devices get ours.
    #expect(Set(server.pushed.subscriptions.map(\.url)) == [ours, new.url])
    #expect(server.pushed.subscriptions.allSatisfy { $0.isSubscribed })
  }

  // MARK: States

  @Test func manyStatesOfOneSecondAreSpread() async throws {
    let podcast = try box.subscribe(Samples.episodes(1...1500), url: Self.url)
    try library.markAllPlayed(podcast, now: Samples.later(50))
    await sync()
    let times = Dictionary(grouping: server.pushed.episodes, by: \.time).mapValues(\.count)
    #expect(server.pushed.episodes.count == 1500 && times.values.max()! <= 200)
    #expect(times.keys.max() == Samples.later(50).timeIntervalSince1970.rounded(.down))
    #expect(times.keys.max()! - times.keys.min()! < 10)
    // What comes back is what was sent.
    (server.subscriptions, server.episodes) = (server.pushed.subscriptions, server.pushed.episodes)
    let quiet = await sync(at: 200, isFull: true)
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  @Test func guidThatIsNotUniqueIsNotSent() async throws {
    for (number, url) in ["https://a.example/1", "https://a.example/2"].enumerated() {
      var episodes = Samples.episodes(1...2)
      for index in episodes.indices {
        episodes[index].guid = index == 0 ? "7" : "own \(number)"
        episodes[index].mediaURL = "https://c.example/\(number)/\(index).mp3"
      }
      try library.markAllPlayed(box.subscribe(episodes, url: url), now: Samples.later(50))
    }
    await sync()
    #expect(Set(server.pushed.episodes.map(\.episode.guid)) == [nil, "own 0", "own 1"])
    #expect(server.pushed.episodes.count == 4)
  }

  /// The total is taken from an older action, or else from the feed.
  @Test(arguments: [false, true]) func endWithoutATotalIsPlayed(hasOlder: Bool) async throws {
    let podcast = try box.subscribe(Samples.episodes(1...1), url: Self.url)
    let media = try #require(Samples.episode(1).mediaURL)
    var reducer = EpisodeReducer()
    for (position, total) in hasOlder ? [(600, 1800), (1800, -1)] : [(1800, -1)] {
      let action = GPodderAction(
        podcast: Self.url, episode: media, kind: .play,
        timestamp: Samples.later(Double(position) / 100).timeIntervalSince1970, started: 0, position: position,
        total: total)
      reducer.add(try #require(action.change))
    }
    server.episodes = reducer.result
    await sync()
    let rows = try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.map(\.status) == [.played])
  }

  /// The server has dropped the second one, because it has the start and the position of the first.
  @Test(arguments: [0.0, 100]) func lostPlayIsSentWithAnotherStart(start: Double) async throws {
    let podcast = try box.subscribe(Samples.episodes(1...1), url: Self.url)
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    func listen(at time: Double) throws {
      let event = ListeningEvent.Kind.play(from: start, to: start + 4, total: nil)
      try library.savePosition(id, seconds: start + 4, total: nil, now: Samples.later(time))
      try library.record(ListeningEvent(episode: id, kind: event, timestamp: Samples.later(time)))
    }
    try listen(at: 50)
    await sync()
    try library.setStatus([id], .new, now: Samples.later(150))
    await sync(at: 200)
    try listen(at: 250)
    await sync(at: 300)
    // It still has the reset.
    let reset = try #require(server.pushed.episodes.first { $0.mark.status == .new })
    server.episodes = [reset]
    await sync(at: 400)
    let plays = server.pushed.episodes.filter { $0.mark.status == .paused }
    let starts = plays.flatMap { GPodderAction.actions(for: $0, device: nil, playsOnly: true) }.map(\.started)
    #expect(starts.prefix(2) == [Int(start), Int(start)] && starts.count == 3 && starts[2] != Int(start))
    #expect(plays.last?.mark == plays.first?.mark)
  }

  /// Another device may have changed it since, and its change has not arrived yet.
  @Test func markingAsPlayedAgainIsAnAction() async throws {
    let podcast = try box.subscribe(Samples.episodes(1...1), url: Self.url)
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    try library.setStatus([id], .played, now: Samples.later(50))
    await sync()
    try library.setStatus([id], .played, now: Samples.later(200))
    let media = try #require(Samples.episode(1).mediaURL)
    server.episodes = [play(Self.url, media, at: 150)]
    server.pushed = SyncBatch()
    await sync(at: 300)
    #expect(server.pushed.episodes.map(\.mark.status) == [.played])
    #expect(try library.episode(id)?.row.status == .played)
    // Nothing changed here, so there is nothing to undo but the first mark.
    #expect(try library.undoEntries(limit: 50).count { $0.label.hasPrefix("Mark as played") } == 1)
    // Without sync it is no action.
    try library.setSyncAccount(nil)
    let before = try library.episode(id)?.statusUpdated
    try library.setStatus([id], .played, now: Samples.later(400))
    #expect(try library.episode(id)?.statusUpdated == before)
  }

  // MARK: Spellings

  /// For a server each spelling is another feed. The phone has subscribed with its own.
  @Test(arguments: ["http://a.example/f", "https://a.example/f/", "HTTP://a.example/f", "https://u:p@a.example/f"])
  func removalIsSentForTheSpellingOfTheServer(spelling: String) async throws {
    let podcast = try box.subscribe(Samples.episodes(1...2), url: "https://a.example/f")
    server.subscriptions = [SubscriptionChange(url: spelling, isSubscribed: true)]
    await sync()
    try library.unsubscribe(podcast, now: Samples.later(150))
    await sync(at: 200)
    let removed = server.pushed.subscriptions.filter { !$0.isSubscribed }.map(\.url)
    #expect(Set(removed) == ["https://a.example/f", spelling])
  }

  @Test func bothSpellingsOfAFullListAreRemoved() async throws {
    let podcast = try box.subscribe(Samples.episodes(1...2), url: "https://a.example/f")
    server.subscriptions = ["http://a.example/f", "https://a.example/f"].map {
      SubscriptionChange(url: $0, isSubscribed: true)
    }
    await sync()
    try library.unsubscribe(podcast, now: Samples.later(150))
    let report = await sync(at: 200)
    let removed = server.pushed.subscriptions.filter { !$0.isSubscribed }.map(\.url)
    #expect(Set(removed) == ["https://a.example/f", "http://a.example/f"])
    #expect(report.pushed.unsubscribed == 1)
  }

  @Test func refusedAddressDoesNotPreventACompletePull() async throws {
    try box.subscribe(Samples.episodes(1...2), url: "https://bad.example/f")
    server.refused = ["https://bad.example/f"]
    await sync()
    server.wasAskedForAll = false
    await sync(at: 200, isFull: true)
    #expect(server.wasAskedForAll)
  }

  // MARK: Entering the password again

  @Test func sameAccountKeepsWhatIsNotSentYet() async throws {
    let podcast = try box.subscribe(Samples.episodes(1...2), url: "https://a.example/f")
    await sync()
    try library.finishSync(error: nil, wasFull: true, now: Samples.later(100))
    try library.unsubscribe(podcast, now: Samples.later(150))
    var account = try #require(try library.syncAccount())
    account.deviceName = "Another name"
    try library.setSyncAccount(account)
    #expect(try library.syncAccount()?.isUnited == true)
    #expect(try library.syncAccount()?.deviceName == "Another name")
    server.subscriptions = []
    await sync(at: 200)
    #expect(server.pushed.subscriptions.last == SubscriptionChange(url: "https://a.example/f", isSubscribed: false))
  }

  // MARK: The next episode with the same address

  /// Some feeds have only the newest episode, always with the same address.
  @Test(arguments: ["https://a.example/news.mp3", "https://a.example/news.mp3?day=1"])
  func changeOfYesterdaysEpisodeIsNotForTodays(address: String) async throws {
    var today = Samples.episode(1)
    (today.guid, today.mediaURL, today.pubDate) = ("today", "https://a.example/news.mp3", Samples.now)
    let podcast = try box.subscribe([today], url: "https://a.example/f")
    let yesterday = EpisodeReference(podcast: "https://a.example/f", guid: "yesterday", mediaURL: address)
    let mark = EpisodeMark(.played, position: 0, isWhole: true)
    server.episodes = [
      EpisodeChange(episode: yesterday, mark: mark, time: Samples.later(-40_000).timeIntervalSince1970)
    ]
    await sync()
    #expect(try library.episodeRows(box.episodes(podcast)).map(\.status) == [.new])
    // The guid of the episode has changed, and it was heard since.
    guard address == today.mediaURL else { return }
    server.episodes = [EpisodeChange(episode: yesterday, mark: mark, time: Samples.later(50).timeIntervalSince1970)]
    await sync(at: 200)
    #expect(try library.episodeRows(box.episodes(podcast)).map(\.status) == [.played])
  }
}
