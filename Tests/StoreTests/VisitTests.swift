import Foundation
import Model
import Testing

@testable import Store

/// Podcasts that are viewed without subscribing.
@Suite struct VisitTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  private static let later = Samples.later(86_400)

  private func visit() throws -> PodcastID {
    let feed = Samples.feed(Samples.episodes(1...3), title: "Visited")
    return try box.library.subscribe(feed: feed, feedURL: "https://v.example/feed", isVisit: true, now: Samples.now)
  }

  @Test func visitedPodcastIsInNoListAndNotRefreshed() throws {
    let id = try visit()
    let library = box.library
    #expect(try library.podcasts().isEmpty)
    #expect(try library.podcasts(withFormer: true).isEmpty)
    #expect(try box.titles(EpisodeQuery(.new)).isEmpty)
    #expect(try library.podcastsToRefresh(now: Samples.now).isEmpty)
    #expect(try library.podcastsToRefresh([id], now: Samples.now).isEmpty)
    #expect(try library.podcastsDue(RefreshSchedule(every: 3600), now: Self.later).isEmpty)
    #expect(try library.search("Notes").isEmpty)
    #expect(try box.titles(EpisodeQuery(.matching(EpisodeFilter(parsing: "unplayed")))).isEmpty)
    #expect(try library.subscriptionNames().isEmpty)
    // Its episodes can be viewed.
    #expect(try box.titles(EpisodeQuery(.podcast(id))) == ["Episode 3", "Episode 2", "Episode 1"])
    #expect(try library.podcastDetail(id)?.isSubscribed == false)
    #expect(try box.value(Bool.self, "SELECT visited IS NOT NULL FROM podcast") == true)
  }

  @Test func visitedPodcastIsDeletedCompletely() throws {
    let id = try visit()
    #expect(try box.library.deleteVisited(before: Samples.now) == 0, "a podcast that was just visited is kept")
    #expect(try box.library.deleteVisited(before: Self.later) == 1)
    #expect(try box.library.podcastDetail(id) == nil)
    for table in ["podcast", "podcastContent", "episode", "episodeContent"] {
      #expect(try box.value(Int.self, "SELECT count(*) FROM \(table)") == 0, "\(table)")
    }
    #expect(try box.library.integrityCheck() == [])
  }

  enum Trace: CaseIterable {
    case queued, begun, played, clipped, downloaded, listed, tagged, heard
  }

  @Test(arguments: Trace.allCases) func userDataKeepsAVisitedPodcast(trace: Trace) throws {
    let library = box.library
    let id = try visit()
    let episode = try #require(try box.episodes(id).first)
    switch trace {
    case .queued: try library.enqueue([episode], now: Samples.now)
    case .begun: try library.savePosition(episode, seconds: 30, total: 100, now: Samples.now)
    case .played: try library.setStatus([episode], .played, now: Samples.now)
    case .clipped: _ = try library.addClip(of: episode, startTime: 1, endTime: 5, now: Samples.now)
    case .downloaded:
      try library.saveDownload(
        Download(episode: episode, fileName: "a.mp3", downloadComplete: true, bytes: 5), now: Samples.now)
    case .listed:
      try library.addToPlaylist(
        try #require(try library.playlists().first).id, [.episode(episode)], now: Samples.now)
    case .tagged: try library.setTags(["a"], of: episode, now: Samples.now)
    case .heard:
      try library.record(ListeningEvent(episode: episode, kind: .start, timestamp: Samples.now))
    }
    #expect(try library.deleteVisited(before: Self.later) == 0)
    #expect(try library.episode(episode) != nil)
  }

  @Test func visitedPodcastIsDeletedOnceNothingIsQueued() throws {
    let id = try visit()
    let episode = try #require(try box.episodes(id).first)
    try box.library.enqueue([episode], now: Samples.now)
    try box.library.dequeue([episode], now: Samples.now)
    #expect(try box.library.deleteVisited(before: Self.later) == 1)
    // The undo log still refers to it.
    _ = try box.library.undo(now: Self.later)
    #expect(try box.library.queue().isEmpty)
    #expect(try box.library.integrityCheck() == [])
  }

  @Test func subscribingKeepsAVisitedPodcast() throws {
    let id = try visit()
    try box.library.resubscribe(id, now: Samples.now)
    #expect(try box.library.podcasts().map(\.id) == [id])
    #expect(try box.library.podcastsToRefresh(now: Samples.now).map(\.id) == [id])
    try box.library.unsubscribe(id, now: Samples.now)
    #expect(try box.library.deleteVisited(before: Self.later) == 0, "a subscription is kept")
    #expect(try box.library.podcasts(withFormer: true).map(\.id) == [id])
    // Viewing it again changes nothing.
    #expect(try visit() == id)
    #expect(try box.library.deleteVisited(before: Self.later) == 0)
  }

  @Test func visitingASubscriptionLeavesItSubscribed() throws {
    let id = try box.subscribe(Samples.episodes(1...2), url: "https://v.example/feed")
    #expect(try visit() == id)
    #expect(try box.library.isSubscribed(feedURL: "https://v.example/feed"))
    #expect(try box.value(Bool.self, "SELECT visited IS NOT NULL FROM podcast") == false)
    #expect(try box.episodes(id).count == 3)
  }

  /// As for any subscription, the existing catalogue does not fill the New screen.
  @Test func subscribingAfterAVisitCountsTheCatalogueAsBacklog() throws {
    let info = RefreshInfo(catalogueRule: .standard)
    let feed = Samples.feed(Samples.episodes(1...5))
    let id = try box.library.subscribe(
      feed: feed, feedURL: "https://v.example/feed", info: info, isVisit: true, now: Samples.now)
    try box.library.resubscribe(id, now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.new)) == ["Episode 5"])
  }

  @Test func visitIsNotSynced() throws {
    _ = try visit()
    for isTimed in [true, false] {
      let unsent = try box.library.pool.read { db in try SyncSubscriptions.unsent(db, isTimed: isTimed, limit: 9) }
      #expect(unsent.isEmpty)
    }
  }

  @Test func feedThatMovesToAVisitedOneIsKept() throws {
    let former = try box.subscribe(Samples.episodes(1...2), url: "https://old.example/feed")
    try box.library.unsubscribe(former, now: Samples.now)
    let visited = try visit()
    #expect(try box.library.setFeedURL(former, "https://v.example/feed", now: Samples.now) == visited)
    #expect(try box.library.deleteVisited(before: Self.later) == 0)
  }

  @Test func subscriptionIsFoundByGuidAndAppleNumber() throws {
    var feed = Samples.feed(Samples.episodes(1...2))
    feed.podcast.guid = "ABC-1"
    let id = try box.library.subscribe(
      feed: feed, feedURL: "https://a.example/feed", source: .apple(collectionID: "42"), now: Samples.now)
    let names = try box.library.subscriptionNames()
    #expect(names == ["feed a.example/feed": id, "guid abc-1": id, "apple 42": id])
    #expect(try box.library.brokenPodcast(guid: "abc-1", besides: "https://b.example/feed") == nil)
    let missing = FeedHealth.failed(connectivity: true, message: "404")
    let info = RefreshInfo(notBefore: Self.later)
    try box.library.store(.failed(id, missing, info), now: Samples.now)
    #expect(try box.library.brokenPodcast(guid: "abc-1", besides: "https://b.example/feed") == id)
    #expect(try box.library.brokenPodcast(guid: "abc-1", besides: "https://a.example/feed") == nil)
  }

  /// A failure without a time for the next attempt: the connection was lost (true), or the server wants a password.
  @Test(arguments: [true, false]) func feedThatMayStillBeThereIsNotBroken(connectivity: Bool) throws {
    var feed = Samples.feed(Samples.episodes(1...2))
    feed.podcast.guid = "abc-1"
    let id = try box.library.subscribe(feed: feed, feedURL: "https://a.example/feed", now: Samples.now)
    let health = FeedHealth.failed(connectivity: connectivity, message: "failed")
    try box.library.store(.failed(id, health, RefreshInfo()), now: Samples.now)
    #expect(try box.library.brokenPodcast(guid: "abc-1", besides: "https://b.example/feed") == nil)
    try box.library.store(.failed(id, .gone, RefreshInfo()), now: Samples.now)
    #expect(try box.library.brokenPodcast(guid: "abc-1", besides: "https://b.example/feed") == id)
  }

  @Test func audiobookBeginsWithItsFirstChapter() throws {
    var feed = Samples.feed(Samples.episodes(1...3))
    feed.podcast.medium = "audiobook"
    let id = try box.library.subscribe(feed: feed, feedURL: "https://a.example/feed", now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.podcast(id))) == ["Episode 1", "Episode 2", "Episode 3"])
    #expect(try box.library.medium(of: id) == "audiobook")
  }

  @Test func suggestionsComeFromPlayedPodcasts() throws {
    let library = box.library
    var heard = Samples.feed(Samples.episodes(1...3), title: "Heard")
    heard.podcast.podroll = [
      RemoteItem(feedGuid: "G-1", title: "Recommended"), RemoteItem(feedURL: "https://known.example/feed"),
    ]
    heard.podcast.categories = ["Technology"]
    heard.podcast.persons = [Person(name: "Ada Lovelace"), Person(name: "Network")]
    let id = try library.subscribe(feed: heard, feedURL: "https://heard.example/feed", now: Samples.now)
    var other = Samples.feed(Samples.episodes(7...8), title: "Other")
    other.podcast.podroll = [RemoteItem(feedGuid: "g-1")]
    other.podcast.persons = [Person(name: "Nobody Heard")]
    try library.subscribe(feed: other, feedURL: "https://known.example/feed", now: Samples.now)
    for episode in try box.episodes(id) {
      try library.record(
        ListeningEvent(episode: episode, kind: .play(from: 0, to: 60, total: nil), timestamp: Samples.now))
    }
    let suggestions = try library.suggestions()
    #expect(
      suggestions == [
        Suggestion(
          target: .podcast(RemoteItem(feedGuid: "G-1", title: "Recommended")), podcasts: ["Heard", "Other"], weight: 5),
        Suggestion(target: .person("Ada Lovelace"), podcasts: ["Heard"], weight: 3),
        Suggestion(target: .category("Technology"), podcasts: ["Heard"], weight: 4),
      ])
  }
}
