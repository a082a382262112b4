import Foundation
import Model
import Testing

@testable import Store

/// Imports of another program's library.
@Suite struct ImportTests {
  private let box: TemporaryLibrary
  private var library: Library { box.library }

  init() throws { box = try TemporaryLibrary() }

  private func elsewhere(_ episodes: [ForeignEpisode], tags: [String] = []) -> ForeignLibrary {
    ForeignLibrary(
      program: "elsewhere",
      podcasts: [
        ForeignPodcast(feedURL: "https://example.org/feed", title: "A Podcast", tags: tags, episodes: episodes)
      ])
  }

  private func row(_ title: String) throws -> EpisodeRow? {
    let podcast = try #require(try library.podcastID(feedURL: "https://example.org/feed"))
    return try library.episodeRows(box.episodes(podcast)).first { $0.title == title }
  }

  private func detail(_ title: String) throws -> EpisodeDetail {
    let row = try #require(try row(title))
    return try #require(try library.episode(row.id))
  }

  /// Several transactions, with podcasts that are known, repeated, or were left.
  @Test func manyPodcastsAreImported() throws {
    func podcast(_ number: Int) -> ForeignPodcast {
      ForeignPodcast(
        feedURL: "https://example.org/\(number)", title: "Podcast \(number)", tags: ["t"], episodes: [.sample(number)])
    }
    let left = try #require(
      try library.importLibrary(ForeignLibrary(program: "x", podcasts: [podcast(3)]), now: Samples.now).added.first)
    try library.unsubscribe(left, now: Samples.now)
    let all = (0..<600).map(podcast)
    let result = try library.importLibrary(
      ForeignLibrary(program: "x", podcasts: all + all.prefix(300)), now: Samples.now)
    #expect(result.added.count == 600 && Set(result.added).count == 600 && result.added[3] == left)
    #expect(result.known == 300)
    #expect(try library.podcasts().map(\.episodes) == [Int](repeating: 1, count: 600))
    #expect(try library.podcastDetail(result.added[599])?.row.title == "Podcast 599")
    #expect(try library.podcastDetail(result.added[599])?.lastRefreshed == nil)
    let again = try library.importLibrary(ForeignLibrary(program: "x", podcasts: all), now: Samples.now)
    #expect(again.added.isEmpty && again.known == 600)
    _ = try library.undo(now: Samples.later(9))
    #expect(try library.podcasts().isEmpty)
  }

  @Test func importedStatesWaitForTheFeed() throws {
    let result = try library.importLibrary(
      elsewhere(
        [
          .sample(1, .played, guid: false), .sample(2, .paused, position: 93.5, place: 5, guid: false),
          .sample(3, place: 1), .sample(4, .deleted), .sample(5, tags: ["favorite"]),
        ], tags: ["news"]), now: Samples.now)
    #expect(
      result.added.count == 1 && result.played == 1 && result.begun == 1 && result.deleted == 1 && result.queued == 2
        && result.tagged == 1 && result.kept == 0)
    let podcast = try #require(result.added.first)
    #expect(try library.podcastDetail(podcast)?.row.tags == ["news"])
    // The import runs before the feed is fetched.
    let queued = try library.queue()
    #expect(try library.episodeRows(queued).map(\.title) == ["Episode 3", "Episode 2"])

    let applied = try library.apply(feed: Samples.feed(Samples.episodes(1...8)), to: podcast, now: Samples.later(60))
    #expect(applied.new.count == 3, "6, 7 and 8: the others were found again")
    #expect(try row("Episode 1")?.status == .played)
    #expect(try row("Episode 2")?.position == 93.5 && row("Episode 2")?.status == .paused)
    #expect(try library.queue() == queued && row("Episode 4") == nil)
    #expect(try box.episodes(podcast).count == 7, "all but the deleted one, each once")
    let detail = try self.detail("Episode 5")
    #expect(detail.tags == ["favorite"] && detail.feed.summary == "<p>Notes of 5</p>")
    #expect(try library.integrityCheck() == [])
  }

  @Test func feedDataOfAKnownPodcastIsKept() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    try library.setTags(["mine"], of: podcast)
    var twice = ForeignEpisode.sample(2, .played)
    twice.title = "Another title there"
    let result = try library.importLibrary(
      elsewhere([twice, .sample(9, .played)], tags: ["news"]), now: Samples.later(1))
    #expect(result.added.isEmpty && result.known == 1 && result.played == 2)
    let detail = try self.detail("Episode 2")
    #expect(detail.row.status == .played && detail.feed.summary == "<p>Notes of 2</p>" && detail.feed.duration == 1800)
    #expect(try row("Episode 9")?.status == .played, "long gone from the feed, and known there")
    #expect(try library.podcastDetail(podcast)?.row.tags == ["mine", "news"])
  }

  @Test func laterLocalChangesAreKept() throws {
    let podcast = try box.subscribe(Samples.episodes(1...4))
    let ids = try box.episodes(podcast)  // 4, 3, 2, 1
    try library.savePosition(ids[0], seconds: 500, total: nil, now: Samples.later(100))
    try library.savePosition(ids[1], seconds: 500, total: nil, now: Samples.later(100))
    try library.setStatus([ids[2]], .deleted, now: Samples.later(100))
    let result = try library.importLibrary(
      elsewhere([
        .sample(4, .played, updated: Samples.later(50)), .sample(3, .played, updated: Samples.later(150)),
        .sample(2, .played), .sample(1, .played),
      ]), now: Samples.later(200))
    #expect(result.played == 2 && result.kept == 2)
    #expect(try row("Episode 4")?.position == 500 && row("Episode 3")?.status == .played)
    #expect(try row("Episode 2") == nil && row("Episode 1")?.status == .played)
  }

  /// A state without a time must not replace what another device has done.
  @Test func stateWithoutATimeIsAsOldAsTheEpisode() throws {
    _ = try library.importLibrary(elsewhere([.sample(1, .played), .sample(2, .paused, position: 9)]), now: Samples.now)
    let times = try box.value(Double.self, "SELECT max(statusUpdated) FROM episode")
    #expect(try times == box.value(Double.self, "SELECT max(pubDate) FROM episode"))
  }

  /// As a time of the other program it would be newer than everything that happens here, at each import.
  @Test func timeInTheFutureIsUnknown() throws {
    let ids = try box.episodes(try box.subscribe(Samples.episodes(1...2)))
    let library = elsewhere([.sample(2, .paused, position: 33, updated: Samples.later(1e9))])
    #expect(try self.library.importLibrary(library, now: Samples.now).begun == 1)
    try self.library.savePosition(ids[0], seconds: 60, total: nil, now: Samples.later(100))
    let again = try self.library.importLibrary(library, now: Samples.later(200))
    #expect(again.begun == 0 && again.kept == 1)
    #expect(try self.library.episode(ids[0])?.row.position == 60)
  }

  @Test func repeatedImportChangesNothing() throws {
    let library = elsewhere([.sample(1, .played), .sample(2, .paused, position: 9, place: 1)])
    _ = try self.library.importLibrary(library, now: Samples.now)
    let again = try self.library.importLibrary(library, now: Samples.later(9))
    #expect(again.added.isEmpty && again.known == 1 && again.played == 0 && again.begun == 0 && again.queued == 0)
    #expect(try box.value(Int.self, "SELECT count(*) FROM episode") == 2)
    #expect(try self.library.undoEntries(limit: 9).map(\.label) == ["Import from elsewhere"])
  }

  @Test func ownQueueComesFirstAndUndoRevertsAll() throws {
    let podcast = try box.subscribe(Samples.episodes(1...4))
    let ids = try box.episodes(podcast)
    try library.enqueue([ids[0], ids[3]], now: Samples.now)
    _ = try library.importLibrary(
      elsewhere([.sample(2, place: 1), .sample(1, place: 0), .sample(4, .played)]), now: Samples.later(1))
    // Number 4 is ids[0]: played and no longer queued. Number 1 is ids[3] and keeps its place in the queue.
    #expect(try library.queue() == [ids[3], ids[2]])
    #expect(try library.undo(now: Samples.later(2))?.label == "Import from elsewhere")
    #expect(try library.queue() == [ids[0], ids[3]] && row("Episode 4")?.status == .new)
  }

  @Test func undoRevertsSubscriptionsAndTagsInOneStep() throws {
    let known = try box.subscribe(Samples.episodes(1...2), url: "https://known.example")
    try library.setTags(["mine"], of: known)
    let left = try box.subscribe(Samples.episodes(1...2), url: "https://left.example")
    try library.unsubscribe(left, now: Samples.now)
    let entries = try library.undoEntries(limit: 9).map(\.label)
    let podcasts = ["https://known.example", "https://left.example", "https://new.example"].map {
      ForeignPodcast(feedURL: $0, title: $0, tags: ["news"], episodes: [.sample(2, .played, tags: ["favorite"])])
    }
    let result = try library.importLibrary(
      ForeignLibrary(program: "elsewhere", podcasts: podcasts), now: Samples.later(1))
    #expect(result.added.count == 2 && result.known == 1 && result.played == 3)
    #expect(try library.podcasts().count == 3)
    #expect(try library.undoEntries(limit: 9).map(\.label) == ["Import from elsewhere"] + entries)
    try box.reopen()
    #expect(try library.undo(now: Samples.later(2))?.label == "Import from elsewhere")
    #expect(try library.podcasts().map(\.id) == [known])
    #expect(try library.podcastDetail(known)?.row.tags == ["mine"] && library.podcastDetail(left)?.row.tags == [])
    #expect(try library.allTags() == ["mine"])
    #expect(try library.podcasts().map(\.unplayed) == [2])
    #expect(try library.undoEntries(limit: 9).map(\.label) == entries)
    #expect(try library.integrityCheck() == [])
  }

  @Test func subscriptionsAloneAreOneUndoStep() throws {
    let foreign = ForeignLibrary(
      program: "OPML", podcasts: [ForeignPodcast(feedURL: "https://new.example", title: "New", episodes: [])])
    _ = try library.importLibrary(foreign, now: Samples.now)
    _ = try library.importLibrary(foreign, now: Samples.later(1))
    #expect(try library.undoEntries(limit: 9).map(\.label) == ["Import from OPML"])
    _ = try library.undo(now: Samples.later(2))
    #expect(try library.podcasts().isEmpty)
  }

  @Test func importedChangesAreSentToOtherDevices() throws {
    let other = try TemporaryLibrary()
    let episodes: [ForeignEpisode] = [
      .sample(1, .played), .sample(2, .paused, position: 93.5), .sample(3, .deleted, position: 7), .sample(4),
    ]
    _ = try library.importLibrary(elsewhere(episodes), now: Samples.now)
    try other.subscribe(episodes.map { $0.feed }.reversed())
    let events = try library.events(limit: 99)
    #expect(try library.unsentEventCount() == events.count)
    for event in events.reversed() { try other.library.record(event.event) }
    for number in Int64(1)...4 {
      let (here, there) = (try library.episode(EpisodeID(number)), try other.library.episode(EpisodeID(number)))
      #expect(here?.row.title == there?.row.title)
      #expect(here?.row.status == there?.row.status && here?.row.position == there?.row.position)
    }
    #expect(try library.history(limit: 9).isEmpty && other.library.history(limit: 9).isEmpty)
  }

  @Test func importSubscribesToAnUnsubscribedPodcastAgain() throws {
    let podcast = try box.subscribe(Samples.episodes(1...2))
    try library.unsubscribe(podcast, now: Samples.now)
    let result = try library.importLibrary(elsewhere([.sample(1, .played)]), now: Samples.later(1))
    #expect(result.added == [podcast] && result.known == 0)
    #expect(try library.isSubscribed(feedURL: "https://example.org/feed"))
  }

  @Test func importedListeningIsInTheHistory() throws {
    _ = try library.importLibrary(
      elsewhere([.sample(1, .played, updated: Samples.later(-50)), .sample(2, .played)]), now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.history)) == ["Episode 1"])
  }
}

extension ForeignEpisode {
  /// The same episode as a feed has it.
  fileprivate var feed: FeedEpisode {
    var episode = FeedEpisode()
    (episode.title, episode.guid, episode.mediaURL, episode.pubDate) = (title, guid, mediaURL, pubDate)
    return episode
  }
}
