import Foundation
import GRDB
import Model
import TemporaryFiles
import Testing

@testable import Store

/// A library in a temporary directory, which is deleted when the value is released.
final class TemporaryLibrary {
  private let place: TemporaryDirectory
  private(set) var library: Library
  var directory: String { place.path }
  var path: String { directory + "/earshot.db" }

  init(notes: NotesReader = NotesReader()) throws {
    place = try TemporaryDirectory()
    library = try Library(path: place.path + "/earshot.db", notes: notes)
  }

  /// Closes and reopens the library, as a restart does.
  func reopen() throws {
    try library.close()
    library = try Library(path: path)
  }

  /// Subscribes to a feed with these episodes.
  @discardableResult
  func subscribe(_ episodes: [FeedEpisode], url: String = "https://example.org/feed") throws -> PodcastID {
    try library.subscribe(feed: Samples.feed(episodes), feedURL: url, now: Samples.now)
  }

  /// Subscribes to a podcast with 200 episodes, of which the first has a position.
  @discardableResult
  func fill() throws -> [EpisodeID] {
    let podcast = try subscribe(Samples.episodes(1...200))
    let ids = try episodes(podcast)
    try library.savePosition(ids[0], seconds: 42, total: nil, now: Samples.now)
    return ids
  }

  /// The listed episodes of a podcast, newest first.
  func episodes(_ podcast: PodcastID) throws -> [EpisodeID] { try library.episodeIDs(EpisodeQuery(.podcast(podcast))) }

  func titles(_ query: EpisodeQuery) throws -> [String] {
    try library.episodeRows(library.episodeIDs(query)).map(\.title)
  }

  /// Reads a value from the tables directly.
  func value<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String) throws -> Value? {
    try library.pool.read { db in try Value.fetchOne(db, sql: sql) }
  }
}

extension Library {
  /// Prepares and stores a refreshed feed, as `Refresher` does.
  @discardableResult
  func apply(
    feed: Feed, to podcast: PodcastID, info: RefreshInfo = RefreshInfo(), now: Date
  ) throws -> ApplyResult {
    try store(.feed(podcast, try prepare(feed, of: podcast, info: info)), now: now)
  }

  @discardableResult
  func store(_ arrival: RefreshArrival, now: Date) throws -> ApplyResult {
    try #require(store([arrival], now: now).first).get()
  }

  /// The number of events that no server has yet.
  func unsentEventCount() throws -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE NOT sent") ?? 0 }
  }

  /// The rows of the search index whose text was replaced or removed.
  func deadDocumentCount() throws -> Int {
    try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM searchDocument WHERE episodeID IS NULL") ?? 0 }
  }
}

enum Samples {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  static func later(_ seconds: Double) -> Date { now.addingTimeInterval(seconds) }

  /// Episode `number` of a daily podcast; a larger number is newer.
  static func episode(_ number: Int) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.title = "Episode \(number)"
    episode.guid = "guid-\(number)"
    episode.mediaURL = "https://cdn.example.org/\(number).mp3"
    episode.mediaType = "audio/mpeg"
    episode.mediaBytes = 1_000_000
    episode.duration = 1800
    episode.pubDate = Date(timeIntervalSince1970: 1_600_000_000 + Double(number) * 86400)
    episode.summary = "<p>Notes of \(number)</p>"
    episode.enclosures = [Enclosure(url: "https://cdn.example.org/\(number).mp3", type: "audio/mpeg", bytes: 1_000_000)]
    return episode
  }

  /// Newest first, as feeds are.
  static func episodes(_ numbers: ClosedRange<Int>) -> [FeedEpisode] { numbers.reversed().map(episode) }

  static func feed(_ episodes: [FeedEpisode], title: String = "A Podcast") -> Feed {
    var feed = Feed(episodes: episodes)
    feed.podcast.title = title
    return feed
  }
}

extension ForeignEpisode {
  /// Episode `number` of `Samples`, in another program's form.
  static func sample(
    _ number: Int, _ status: EpisodeStatus = .new, position: Double = 0, updated: Date? = nil, place: Int? = nil,
    guid: Bool = true, tags: [String] = []
  ) -> ForeignEpisode {
    let episode = Samples.episode(number)
    return ForeignEpisode(
      title: episode.title, guid: guid ? episode.guid : nil, mediaURL: episode.mediaURL, pubDate: episode.pubDate,
      status: status, position: position, updated: updated, queuePosition: place, tags: tags)
  }
}
