import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Filter results in a library where each condition matches some episodes and not others.
@Suite struct FilterSQLTests {
  private let box: TemporaryLibrary
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    var episodes = Samples.episodes(1...6)
    for index in episodes.indices {
      // Seasons 6, 5, 4, 3, 2, 1.
      episodes[index].season = 6 - index
    }
    episodes[0].title = "Best of Ünïcode"
    episodes[0].duration = nil
    episodes[1].duration = 600
    episodes[1].persons = [Person(name: "Ana Lopez")]
    episodes[2].summary = "About zanzibar"
    episodes[2].chapters = [Chapter(start: 0, title: "Intro")]
    episodes[3].transcripts = [TranscriptLink(url: "https://example.org/t.vtt")]
    episodes[3].episodeType = "trailer"
    episodes[4].mediaBytes = 60_000_000
    episodes[5].pubDate = nil
    let podcast = try box.library.subscribe(
      feed: Samples.feed(episodes, title: "The Daily Ä"), feedURL: "https://example.org/feed", now: Samples.now)
    ids = try box.library.episodeIDs(EpisodeQuery(.podcast(podcast)))
    try box.library.setTags(["News", "später"], of: podcast)
    try box.library.setTags(["keep"], of: ids[1])
    try box.library.setStatus([ids[2]], .played, now: Samples.now)
    try box.library.savePosition(ids[3], seconds: 700, total: 1700, now: Samples.now)
    try box.library.enqueue([ids[4]], now: Samples.now)
    _ = try box.library.addClip(of: ids[5], startTime: 1, endTime: 2, now: Samples.now)
    try box.library.setStatus([try #require(ids.last)], .new, now: Samples.now)
  }

  /// Indices into `ids`, which is newest first.
  private func found(_ text: String) throws -> [Int] {
    try library.episodeIDs(EpisodeQuery(.matching(EpisodeFilter(parsing: text))), now: Samples.now).compactMap {
      ids.firstIndex(of: $0)
    }
  }

  /// Lists show whole seconds, and so does a filter compare them.
  @Test func measuredDurationIsComparedInWholeSeconds() throws {
    try library.savePosition(ids[1], seconds: 5, total: 600.049, now: Samples.now)
    #expect(try found("duration <= 10m").contains(1) && found("duration = 10m").contains(1))
    #expect(try !found("duration > 10m").contains(1))
  }

  /// The index of a read-only library, or of one on a full disk, cannot be updated.
  @Test(arguments: [
    ("notes:walrus", 70), ("not notes:walrus", 6), ("notes:walrus title:\"new 7\"", 1),
    ("notes:walrus or people:lopez", 71), ("people:walrus", 0),
  ]) func episodesThatAreNotIndexedAreFound(text: String, count: Int) throws {
    let old = try library.search("zanzibar").count
    #expect(old == 1)
    var episodes = Samples.episodes(101...170)
    for index in episodes.indices {
      episodes[index].title = "New \(index == 6 ? "7" : "x")"
      episodes[index].summary = "About a walrus"
    }
    _ = try library.subscribe(
      feed: Samples.feed(episodes, title: "Many"), feedURL: "https://example.org/many", now: Samples.now)
    #expect(try library.pendingCount() == 70)
    let reader = try Library(path: box.path, isReadOnly: true)
    let filter = try EpisodeFilter(parsing: text)
    #expect(try reader.episodeIDs(EpisodeQuery(.matching(filter)), now: Samples.now).count == count)
    #expect(try reader.pendingCount() == 70)
    #expect(try reader.pendingCount(for: filter) == 70)
    #expect(try reader.pendingCount(for: EpisodeFilter(parsing: "title:new")) == 0)
  }

  @Test(arguments: [
    ("unplayed", [0, 1, 3, 4, 5]), ("played", [2]), ("new", [0, 1, 4, 5]), ("begun", [3]), ("playing", [3]),
    ("status:played", [2]), ("queued", [4]), ("clipped", [5]), ("downloaded", []), ("gone", []),
    ("duration < 30m", [1, 3]), ("not duration < 30m", [0, 2, 4, 5]), ("duration = 30m", [2, 4, 5]),
    ("left < 20m", [1, 3]),
    ("position > 10m", [3]), ("size > 50MB", [4]), ("season >= 5", [0, 1]), ("title ~ \"best of\"", [0]),
    ("title:unicode", [0]), ("title = \"episode 3\"", [3]), ("tag:news", [0, 1, 2, 3, 4, 5]),
    ("tag:SPATER", [0, 1, 2, 3, 4, 5]),
    ("tag:keep", [1]), ("tag ~ kee", [1]), ("tag:kee", []), ("podcast = \"the daily a\"", [0, 1, 2, 3, 4, 5]),
    ("podcast ~ weekly", []), ("notes:zanzibar", [2]), ("notes ~ zanz", [2]), ("people ~ lopez", [1]),
    ("has:chapters", [2]), ("has:transcript", [3]), ("has:clips", [5]), ("has:media", [0, 1, 2, 3, 4, 5]),
    ("type:trailer", [3]), ("heard >= 2023", [3]), ("published < 2020-09-16", [4]),
    ("published >= 1970", [0, 1, 2, 3, 4]),
    ("published:2020", [0, 1, 2, 3, 4]), ("not published:2020", [5]), ("age < 100y", [0, 1, 2, 3, 4]),
    ("age > 100y", []),
    ("new order oldest limit 2", [4, 1]), ("duration > 0s order shortest limit 2", [1, 3]), ("notes ~ \"!\"", []),
  ]) func finds(text: String, places: [Int]) throws {
    #expect(try found(text) == places)
  }

  /// Values of the podcast count for its episodes, unless these have their own.
  @Test(arguments: [
    ("language:en", [0, 1]), ("language = EN-us", [0, 1]), ("language:e", []), ("language ~ us", [0, 1]),
    ("category:comedy", [0, 1]), ("category = \"Société\"", [1]), ("category:societe", [1]),
    ("category ~ com", [0, 1]),
    ("not category:societe", [0]), ("explicit", [0]), ("not explicit", [1]), ("weekday:tue", [0]),
    ("weekday != tuesday", [1]), ("first", [1]), ("catalogue", [0, 1]),
  ]) func findsByValuesOfThePodcast(text: String, places: [Int]) throws {
    let box = try TemporaryLibrary()
    var episodes = Samples.episodes(1...2)
    // Tuesday and Wednesday in UTC.
    episodes[0].pubDate = Date(timeIntervalSince1970: 1_795_478_400)
    episodes[1].pubDate = Date(timeIntervalSince1970: 1_795_564_800)
    episodes[1].explicit = false
    episodes[1].categories = ["Société", "News"]
    var feed = Samples.feed(episodes)
    (feed.podcast.language, feed.podcast.explicit, feed.podcast.categories) = ("en_US", true, ["Comedy"])
    let podcast = try box.library.subscribe(feed: feed, feedURL: "https://example.org/feed", now: Samples.now)
    let ids = Array(try box.library.episodeIDs(EpisodeQuery(.podcast(podcast))).reversed())
    let filter = try EpisodeFilter(parsing: text)
    let sql = FilterSQL(filter, FilterContext(now: Samples.now, timeZone: try #require(TimeZone(identifier: "UTC"))))
    let found = try box.library.read { db in
      try Int64.fetchAll(
        db, sql: "SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcastID WHERE \(sql.sql)",
        arguments: sql.arguments)
    }
    #expect(found.compactMap { ids.firstIndex(of: EpisodeID($0)) }.sorted() == places)
  }

  /// The index keeps rows of texts that were replaced.
  @Test func negatedTextFindsTheOthersAfterAnEdit() throws {
    #expect(try found("notes:zanzibar") == [2])
    let podcast = try #require(try library.podcasts().first).id
    var episode = Samples.episode(4)
    (episode.title, episode.summary) = ("Edited", "About zanzibar and more")
    try library.apply(feed: Samples.feed([episode]), to: podcast, now: Samples.now)
    _ = try library.search("zanzibar")
    let all = Set(try found("unplayed or not unplayed"))
    #expect(Set(try found("not notes:zanzibar")) == all.subtracting(try found("notes:zanzibar")) && all.count > 1)
    #expect(try library.deadDocumentCount() > 0)
  }

  /// `not`, `and` and `or` behave as set operations, also where the feed gives no value.
  @Test func conditionsAreSets() throws {
    let texts = [
      "unplayed", "duration < 30m", "left < 20m", "published:2020", "heard:today", "tag:keep", "title ~ of",
      "has:chapters",
      "season = 3", "notes ~ about", "type:trailer", "age < 1y", "queued",
    ]
    let all = Set(ids.indices)
    for first in texts {
      let left = Set(try found(first))
      #expect(Set(try found("not \(first)")) == all.subtracting(left), "\(first)")
      for second in texts {
        let right = Set(try found(second))
        #expect(Set(try found("\(first) \(second)")) == left.intersection(right), "\(first) and \(second)")
        #expect(Set(try found("\(first) or \(second)")) == left.union(right), "\(first) or \(second)")
        #expect(
          Set(try found("not (\(first) or \(second))")) == Set(try found("not \(first) and not \(second)")))
      }
    }
  }

  @Test func textsNeverReachTheSQL() throws {
    for text in ["'); DROP TABLE episode; --", "\"", "%", "?", "a'b", "\u{0}", "*", "{x} : y", "NEAR(a b)"] {
      for field in ["title ~", "podcast =", "tag:", "type:", "notes ~", "people ~"] {
        let quoted = text.replacing("\"", with: "\\\"")
        #expect(try found("\(field) \"x\(quoted)\"").isEmpty)
      }
    }
  }

  @Test func deletedAndUnsubscribedAreNeverFound() throws {
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    #expect(try found("not title ~ zzz").sorted() == [1, 2, 3, 4, 5])
    try library.unsubscribe(try #require(library.podcasts().first).id, now: Samples.now)
    #expect(try found("not title ~ zzz").isEmpty)
  }

  @Test func deletedEpisodesAreFoundByTheirWordAndBroughtBack() throws {
    let begun = ids[3]
    try library.setStatus([ids[0], begun], .deleted, now: Samples.now)
    #expect(try found("deleted") == [0, 3])
    #expect(try found("status:deleted and season = 6") == [0])
    #expect(try found("played or deleted") == [0, 2, 3])
    #expect(try found("not deleted").count == 4)
    #expect(try found("unplayed").count == 3)
    for scope in [
      EpisodeQuery.Scope.podcast(try podcast), .new, .these(ids), .matching(try EpisodeFilter(parsing: "season > 0")),
    ] {
      #expect(try filtered(scope, "deleted") == [0, 3], "\(scope)")
      #expect(try filtered(scope, "season > 0").allSatisfy { ![0, 3].contains($0) }, "\(scope)")
    }
    #expect(try filtered(.history, "deleted") == [3])
    #expect(try library.episodeIDs(EpisodeQuery(.these(ids))) == ids, "such a list shows them already")
    try library.bringBack([ids[0], begun, ids[1]], now: Samples.later(1))
    #expect(try found("deleted") == [])
    let row = try #require(try library.episodeRows([begun]).first)
    #expect(row.status == .paused && row.position == 700)
    #expect(try library.episodeRows([ids[0]]).first?.status == .new)
    #expect(try library.undo(now: Samples.later(2))?.label == "Bring back: 2 episodes")
    #expect(try found("deleted") == [0, 3])
  }

  private var podcast: PodcastID {
    get throws { try #require(try library.podcasts().first?.id) }
  }

  private func filtered(_ scope: EpisodeQuery.Scope, _ text: String) throws -> [Int] {
    var query = EpisodeQuery(scope)
    query.filter = try EpisodeFilter(parsing: text)
    return try library.episodeIDs(query, now: Samples.now).compactMap { ids.firstIndex(of: $0) }
  }

  /// A filter narrows every list, and keeps its order unless the filter has one.
  @Test func everyListIsNarrowed() throws {
    try library.enqueue([ids[1], ids[0]], now: Samples.now)
    let playlist = try library.addPlaylist(
      title: "Mine", items: [.episode(ids[4]), .episode(ids[1])], now: Samples.now)
    let smart = try library.addSmartPlaylist(
      title: "Some", filter: try EpisodeFilter(parsing: "season < 6 limit 4"), now: Samples.now)
    #expect(try filtered(.podcast(podcast), "season > 4") == [0, 1])
    #expect(try filtered(.podcast(podcast), "season > 4 order oldest") == [1, 0])
    #expect(try filtered(.podcast(podcast), "season > 0 limit 2") == [0, 1])
    #expect(try filtered(.new, "season > 4") == [0, 1])
    #expect(try filtered(.queue, "season > 0") == [4, 1, 0])
    #expect(try filtered(.queue, "season > 4") == [1, 0])
    #expect(try filtered(.history, "season > 0") == [3])
    #expect(try filtered(.downloads, "season > 0") == [])
    #expect(try filtered(.playlist(playlist), "season > 4") == [1])
    #expect(try filtered(.playlist(smart), "season > 4") == [1])
    #expect(try filtered(.these([ids[5], ids[0], ids[2]]), "season > 3") == [0, 2])
    #expect(try filtered(.podcast(podcast), "notes:zanzibar or tag:keep") == [1, 2])
    var query = EpisodeQuery(.podcast(try podcast), unplayedOnly: true, titleContains: "episode")
    query.filter = try EpisodeFilter(parsing: "season < 6")
    #expect(try library.episodeIDs(query, now: Samples.now).compactMap { ids.firstIndex(of: $0) } == [1, 3, 4, 5])
  }

  @Test func unplayedEpisodesOfAListKeepItsOrder() throws {
    let list = [ids[4], ids[2], ids[0], EpisodeID(999)]
    #expect(try library.unplayed(list).map(\.id) == [ids[4], ids[0]])
    #expect(try library.unplayed(list).last?.pubDate == library.episodeRows([ids[0]]).first?.pubDate)
  }

  /// What narrows a limited list finds nothing beyond its limit.
  @Test func limitedListIsNarrowedAfterItsLimit() throws {
    let oldest = try EpisodeFilter(parsing: "season > 1 order oldest limit 3")
    #expect(try library.episodeIDs(EpisodeQuery(.matching(oldest)), now: Samples.now) == [ids[4], ids[3], ids[2]])
    #expect(try filtered(.matching(oldest), "season > 4") == [])
    #expect(try filtered(.matching(oldest), "season > 2") == [3, 2])
    #expect(try filtered(.matching(oldest), "season > 2 limit 1") == [3])
    #expect(try filtered(.matching(oldest), "season > 0 order longest limit 2").allSatisfy { (2...4).contains($0) })
    #expect(try library.episodeIDs(EpisodeQuery(.matching(oldest), titleContains: "best")) == [])
    let words = try EpisodeFilter(parsing: "notes:zanzibar or tag:keep order oldest limit 1")
    #expect(try filtered(.matching(words), "tag:keep") == [])
    #expect(try filtered(.matching(words), "notes:zanzibar") == [2])
  }

  @Test func listOfAFilterCanBeFiltered() throws {
    let filter = try EpisodeFilter(parsing: "not queued limit 3")
    #expect(try library.episodeIDs(EpisodeQuery(.matching(filter), unplayedOnly: true)).count == 3)
    #expect(try library.episodeIDs(EpisodeQuery(.matching(filter), titleContains: "best")) == [ids[0]])
  }

  // MARK: Smart playlists

  @Test func smartPlaylistFollowsTheLibrary() throws {
    let filter = try EpisodeFilter(parsing: "unplayed and tag:keep")
    let id = try library.addSmartPlaylist(title: "Für später", filter: filter, now: Samples.now)
    #expect(try library.episodeIDs(EpisodeQuery(.playlist(id))) == [ids[1]])
    try library.setTags(["keep"], of: ids[0])
    #expect(try library.episodeIDs(EpisodeQuery(.playlist(id))) == [ids[0], ids[1]])
    let stored = try #require(try library.playlist(id))
    #expect(stored.isSmart && stored.filter == filter.description && stored.slug == "fur-spater")

    try library.changePlaylist(id, now: Samples.now) { $0.filter = "played" }
    try box.reopen()
    #expect(try library.episodeIDs(EpisodeQuery(.playlist(id))) == [ids[2]])
    #expect(try library.undo(now: Samples.now)?.label == "Change the playlist “Für später”")
    #expect(try library.playlist(id)?.filter == filter.description)
    try library.deletePlaylist(id, now: Samples.now)
    #expect(try library.playlist(id) == nil)
    _ = try library.undo(now: Samples.now)
    #expect(try library.playlist(id)?.filter == filter.description)
  }

  @Test func unknownFilterIsAnErrorAndKept() throws {
    let id = try library.addSmartPlaylist(
      title: "Later", filter: try EpisodeFilter(parsing: "new"), now: Samples.now)
    try library.pool.write { db in try db.execute(sql: "UPDATE smartPlaylist SET filter = 'mood:happy'") }
    #expect(throws: StoreError.self) { try library.episodeIDs(EpisodeQuery(.playlist(id))) }
    #expect(try library.playlist(id)?.filter == "mood:happy")
  }

  @Test func completionKnowsTheLibrary() throws {
    #expect(try library.completion(ofFilter: "tag:").candidates == ["News", "keep", "später"])
    #expect(try library.completion(ofFilter: "podcast ~ the").candidates == ["\"The Daily Ä\""])
  }
}
