import Foundation
import Model
import Testing

@testable import Store

/// Live items and trailers, which are played as episodes.
@Suite struct ExtraEpisodeTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...3))
  }

  private static func live(_ status: String = "live") -> LiveItem {
    var episode = FeedEpisode()
    (episode.title, episode.guid, episode.mediaURL) = ("On air", "stream", "https://live.example/stream")
    return LiveItem(status: status, start: Samples.now, episode: episode)
  }

  @Test func liveItemIsOneEpisode() throws {
    let id = try #require(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now))
    #expect(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now) == id)
    let row = try #require(try library.episodeRows([id]).first)
    #expect(row.isLive && row.hasMedia && row.title == "On air")
    // It is not new, and a refresh neither removes it nor marks it as gone.
    #expect(try !box.titles(EpisodeQuery(.new)).contains("On air"))
    let result = try library.apply(feed: Samples.feed(Samples.episodes(1...3)), to: podcast, now: Samples.later(60))
    #expect(result.removed.isEmpty && result.gone == 0)
    #expect(try library.episodeRows([id]).first?.isGoneFromFeed == false)
  }

  /// A station has one live item for all of its shows.
  @Test func playedLiveItemIsUpdated() throws {
    let id = try #require(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now))
    try library.savePosition(id, seconds: 20, total: 60, now: Samples.now)
    let before = try library.podcasts()
    var next = Self.live()
    (next.episode.title, next.episode.mediaURL) = ("Next show", "https://live.example/next")
    next.start = Samples.later(3600)
    #expect(try library.episode(ofLive: next, in: podcast, now: Samples.later(3600)) == id)
    let feed = try #require(try library.episode(id)).feed
    #expect(feed.title == "Next show" && feed.mediaURL == "https://live.example/next")
    #expect(feed.pubDate == Samples.later(3600))
    let row = try #require(try library.episodeRows([id]).first)
    #expect(row.isLive && row.position == 20)
    #expect(try library.podcasts() == before)
    #expect(try library.integrityCheck() == [])
  }

  @Test func knownLiveItemIsPlayedFromAReadOnlyLibrary() throws {
    let id = try #require(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now))
    let readOnly = try Library(path: box.path, isReadOnly: true)
    var next = Self.live()
    next.episode.title = "Next show"
    #expect(try readOnly.episode(ofLive: next, in: podcast, now: Samples.now) == id)
    #expect(try readOnly.episode(id)?.row.title == "On air")
    next.episode.guid = "another"
    #expect(throws: StoreError.self) {
      try readOnly.episode(ofLive: next, in: podcast, now: Samples.now)
    }
  }

  @Test func liveItemIsNoEpisodeOfThePodcast() throws {
    let before = try library.podcasts()
    let episodes = try box.episodes(podcast)
    let id = try #require(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now))
    #expect(try library.podcasts() == before, "neither its counts nor the date of its newest episode change")
    #expect(try box.episodes(podcast) == episodes)
    let all = try EpisodeFilter(parsing: "not queued")
    #expect(try !library.episodeIDs(EpisodeQuery(.matching(all))).contains(id))
    try library.setStatus([id], .played, now: Samples.now)
    #expect(try library.podcasts() == before)
    try library.setCatalogueRule(.all, of: podcast)
    #expect(try !library.episodeIDs(EpisodeQuery(.new)).contains(id))
    #expect(try library.integrityCheck() == [])
    try library.deletePastLive(before: .distantFuture)
    #expect(try library.podcasts().map(\.episodes) == before.map(\.episodes))
  }

  @Test func trailerIsCounted() throws {
    let trailer = Trailer(title: "Coming up", url: "https://t.example/1.mp3", pubDate: Samples.now, type: "audio/mpeg")
    _ = try #require(try library.episode(ofTrailer: trailer, in: podcast, now: Samples.now))
    #expect(try library.podcasts().map(\.episodes) == [4])
    #expect(try library.integrityCheck() == [])
  }

  /// A version before v14 that was still running during the migration counts on a trigger that is gone.
  @Test func refreshCorrectsTheCounts() throws {
    try library.write { try $0.execute(sql: "UPDATE podcast SET episodes = 1, unplayed = 0") }
    #expect(try library.integrityCheck() == ["the counters of podcast \(podcast.rawValue) are wrong"])
    _ = try library.apply(feed: Samples.feed(Samples.episodes(1...4)), to: podcast, now: Samples.later(60))
    #expect(try library.integrityCheck() == [])
    #expect(try library.podcasts().map(\.unplayed) == [4])
  }

  @Test func liveItemHeardBeforeSubscribingIsNotNew() throws {
    let feed = Samples.feed(Samples.episodes(1...3))
    let visited = try library.subscribe(feed: feed, feedURL: "https://v.example/feed", isVisit: true, now: Samples.now)
    let id = try #require(try library.episode(ofLive: Self.live(), in: visited, now: Samples.now))
    try library.resubscribe(visited, now: Samples.now)
    try library.setCatalogueRule(.all, of: visited)
    let row = try #require(try library.podcasts().first { $0.id == visited })
    #expect(row.episodes == 3 && row.unplayed == 3 && row.lastPubDate == feed.episodes.compactMap(\.pubDate).max())
    #expect(try !library.episodeIDs(EpisodeQuery(.new)).contains(id))
  }

  /// Feeds often list the trailer as an item, too. A stream often keeps its address when it is published as an episode.
  @Test func extraWithTheFileOfAnEpisodeDoesNotChangeTheEpisode() throws {
    let episode = try #require(try box.episodes(podcast).first)
    try library.savePosition(episode, seconds: 20, total: 60, now: Samples.now)
    let before = try #require(try library.episode(episode))
    let url = try #require(before.feed.mediaURL)
    let trailer = Trailer(title: "Coming up", url: url, pubDate: Samples.now, type: "audio/mpeg")
    #expect(try library.episode(ofTrailer: trailer, in: podcast, now: Samples.now) == episode)
    var live = Self.live()
    live.episode.mediaURL = url
    let stream = try #require(try library.episode(ofLive: live, in: podcast, now: Samples.now))
    #expect(stream != episode)
    #expect(try library.episode(episode) == before)
    let result = try library.apply(feed: Samples.feed(Samples.episodes(1...3)), to: podcast, now: Samples.later(60))
    #expect(result.new.isEmpty && result.updated == 0 && result.removed.isEmpty && result.gone == 0)
  }

  /// The guids of live items and trailers are ours. A feed that uses them would get new episodes at each refresh.
  @Test(arguments: ["earshot:live:x", "earshot:trailer:x", " EarShot:Live:x"])
  func feedCannotUseOurGuids(guid: String) throws {
    var episode = Samples.episode(9)
    episode.guid = guid
    let result = try library.apply(feed: Samples.feed([episode]), to: podcast, now: Samples.now)
    let id = try #require(result.new.first)
    #expect(try library.episodeRows([id]).first?.isLive == false)
    episode.title = "Changed"
    let second = try library.apply(feed: Samples.feed([episode]), to: podcast, now: Samples.later(60))
    #expect(second.new.isEmpty && second.updated == 1)
  }

  @Test func endedLiveItemIsDeleted() throws {
    let id = try #require(try library.episode(ofLive: Self.live(), in: podcast, now: Samples.now))
    try library.deletePastLive(before: Samples.now)
    #expect(try library.episode(id) != nil)
    try library.deletePastLive(before: Samples.later(1))
    #expect(try library.episode(id) == nil)
    #expect(try library.integrityCheck() == [])
  }

  @Test func trailerKeepsItsPosition() throws {
    let trailer = Trailer(
      title: "Coming up", url: "https://cdn.example/t.mp3", pubDate: Samples.now, type: "audio/mpeg")
    let id = try #require(try library.episode(ofTrailer: trailer, in: podcast, now: Samples.now))
    try library.savePosition(id, seconds: 20, total: 60, now: Samples.now)
    #expect(try library.episode(ofTrailer: trailer, in: podcast, now: Samples.now) == id)
    let row = try #require(try library.episodeRows([id]).first)
    #expect(row.position == 20 && !row.isLive && row.title == "Coming up")
  }

  @Test func itemsWithoutMediaCannotBePlayed() throws {
    var item = Self.live()
    item.episode.mediaURL = nil
    #expect(try library.episode(ofLive: item, in: podcast, now: Samples.now) == nil)
  }

  @Test func podcastIsLiveWhileItsFeedSaysSo() throws {
    var feed = Samples.feed(Samples.episodes(1...3))
    feed.podcast.liveItems = [Self.live()]
    try library.apply(feed: feed, to: podcast, now: Samples.later(1))
    #expect(try library.podcasts().map(\.isLive) == [true])
    feed.podcast.liveItems = [Self.live("ended")]
    try library.apply(feed: feed, to: podcast, now: Samples.later(2))
    #expect(try library.podcasts().map(\.isLive) == [false])
  }

  @Test func feedIsDueWhenItsLiveItemBegins() throws {
    var feed = Samples.feed(Samples.episodes(1...3))
    feed.podcast.liveItems = [Self.live("pending")]
    feed.podcast.liveItems[0].start = Samples.later(600)
    try library.apply(feed: feed, to: podcast, now: Samples.now)
    let schedule = RefreshSchedule(every: 3600)
    #expect(try library.podcastsDue(schedule, now: Samples.later(599)).isEmpty)
    #expect(try library.podcastsDue(schedule, now: Samples.later(601)) == [podcast])
    // The live item is late: for half an hour the feed is fetched every five minutes.
    try library.apply(feed: feed, to: podcast, now: Samples.later(601))
    #expect(try library.podcastsDue(schedule, now: Samples.later(900)).isEmpty)
    #expect(try library.podcastsDue(schedule, now: Samples.later(902)) == [podcast])
    try library.apply(feed: feed, to: podcast, now: Samples.later(2500))
    #expect(try library.podcastsDue(schedule, now: Samples.later(2900)).isEmpty)
  }

  @Test func chosenFileIsPlayed() throws {
    var episode = Samples.episode(9)
    episode.alternateEnclosures = [
      AlternateEnclosure(type: "audio/opus", length: 90_000, sources: ["https://cdn.example/small.opus"]),
      AlternateEnclosure(type: "video/mp4", length: 9_000_000, sources: ["https://cdn.example/film.mp4"]),
      AlternateEnclosure(type: "application/x-mpegURL", length: 1, sources: ["https://cdn.example/list.m3u8"]),
    ]
    let id = try library.subscribe(feed: Samples.feed([episode]), feedURL: "https://m.example/feed", now: Samples.now)
    let detail = try #require(try library.episode(try box.episodes(id)[0]))
    func heard(_ choice: MediaChoice?) throws -> String? {
      try library.update(settingsOf: id) { settings in
        settings.playback = PlaybackSettings()
        settings.playback?.media = choice
      }
      return try library.withPreferredMedia(detail).feed.mediaURL
    }
    #expect(try heard(nil) == "https://cdn.example.org/9.mp3")
    #expect(try heard(.smallest) == "https://cdn.example/small.opus")
    #expect(try heard(.best) == "https://cdn.example.org/9.mp3")
    #expect(try heard(.video) == "https://cdn.example/film.mp4")
    #expect(try heard(.audio) == "https://cdn.example.org/9.mp3")
  }
}
