import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Feeds that have moved on another device, which has synced the removal of the old address and the new one.
@Suite struct SyncMoveTests {
  private let box: TemporaryLibrary
  private let sync: LibrarySync
  private let rules: SyncRules
  private let old = "https://feeds.example/old"
  private let new = "https://elsewhere.example/new"

  init() throws {
    box = try TemporaryLibrary()
    try box.subscribe(Self.episodes("show"), url: old)
    try box.library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: "https://s.example", user: "u", device: "d", deviceName: "D"))
    sync = LibrarySync(library: box.library, server: "s.example")
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions, .episodes], batch: 100,
      mayLoseValues: true)
    rules = SyncRules(clock: SyncClock(step: 1, now: Samples.later(1000).timeIntervalSince1970), traits: traits)
    try receive([old: true])
  }

  private static func episodes(_ name: String) -> [FeedEpisode] {
    (1...4).reversed().map { index in
      var episode = Samples.episode(index)
      episode.title = "\(name) \(index)"
      episode.guid = "\(index)"
      episode.mediaURL = "https://cdn.example/\(name)/\(index).mp3"
      return episode
    }
  }

  private func receive(_ changes: KeyValuePairs<String, Bool>) throws {
    var pull = SyncPull()
    pull.subscriptions = changes.map { SubscriptionChange(url: $0.key, isSubscribed: $0.value) }
    _ = try sync.apply(pull, .subscriptions, rules)
  }

  private func fetch(_ url: String, _ name: String) throws {
    let podcast = try #require(try box.library.podcastID(feedURL: url))
    try box.library.apply(feed: Samples.feed(Self.episodes(name)), to: podcast, now: Samples.later(1100))
  }

  private func listen() throws -> EpisodeID {
    let podcast = try #require(try box.library.podcastID(feedURL: old))
    let ids = try box.library.episodeIDs(EpisodeQuery(.podcast(podcast)))
    try box.library.setPosition(ids[0], seconds: 300, now: Samples.later(500))
    try box.library.enqueue([ids[1]], now: Samples.later(500))
    return ids[0]
  }

  @Test func dataMovesWithTheFeed() throws {
    let episode = try listen()
    let name = try #require(try box.library.episode(episode)?.feed.guid)
    try receive([old: false, new: true])
    try fetch(new, "show")
    #expect(try box.library.podcastID(feedURL: old) == nil)
    let podcast = try #require(try box.library.podcastID(feedURL: new))
    let rows = try box.library.episodeRows(box.library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.count == 4 && rows.contains { $0.position == 300 })
    #expect(try box.library.queue().compactMap { try box.library.episode($0)?.row.podcast } == [podcast])
    let sent = try sync.outgoing(.episodes, limit: 100, rules, without: []).batch.episodes
    #expect(sent.contains { $0.episode.podcast == new && $0.episode.guid == name && $0.mark.position == 300 })
    // The server is not told anything more about the old address.
    #expect(try sync.outgoing(.subscriptions, limit: 100, rules, without: []).keys == [])
  }

  /// A player may still store positions of the episode that was heard last.
  @Test func episodeThatWasHeardLastKeepsItsID() throws {
    let episode = try listen()
    try box.library.savePosition(episode, seconds: 310, total: nil, now: Samples.later(510))
    try receive([old: false, new: true])
    try fetch(new, "show")
    try box.library.savePosition(episode, seconds: 311, total: nil, now: Samples.later(1200))
    let other = try box.subscribe(Self.episodes("other"), url: "https://feeds.example/other")
    let heard = try box.library.episodeIDs(EpisodeQuery(.podcast(other)))[0]
    try box.library.savePosition(heard, seconds: 5, total: nil, now: Samples.later(1300))
    try fetch(new, "show")
    #expect(try box.library.podcastID(feedURL: old) == nil)
    let podcast = try #require(try box.library.podcastID(feedURL: new))
    let rows = try box.library.episodeRows(box.library.episodeIDs(EpisodeQuery(.podcast(podcast))))
    #expect(rows.count == 4 && rows.contains { $0.position == 311 })
  }

  /// Guids that are only numbers are the same in many feeds.
  @Test func otherFeedsStayApart() throws {
    let episode = try listen()
    try receive([old: false, new: true])
    try fetch(new, "another show")
    #expect(try box.library.podcastID(feedURL: old) != nil)
    #expect(try box.library.episode(episode)?.row.position == 300)
  }

  @Test func feedsOfDifferentSyncsStayApart() throws {
    _ = try listen()
    try receive([old: false])
    var later = rules
    later.clock = SyncClock(step: 1, now: rules.clock.now + 3600)
    var pull = SyncPull()
    pull.subscriptions = [SubscriptionChange(url: new, isSubscribed: true)]
    _ = try sync.apply(pull, .subscriptions, later)
    try fetch(new, "show")
    #expect(try box.library.podcastID(feedURL: old) != nil)
  }

  /// A server cannot make yt-dlp read an address.
  @Test(arguments: ["yt-dlp:https://evil.example/", "YT-DLP:https://evil.example/", "earshot:welcome"])
  func serverCannotAddWhatIsNoFeed(address: String) throws {
    try receive([address: true])
    #expect(try box.library.podcasts().map(\.feedURL) == [old])
  }
}
