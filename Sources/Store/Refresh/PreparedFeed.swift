import Foundation
import GRDB
import Model

/// A feed that is ready to be written, with keys, hashes, JSON and plain text. Preparing is the expensive part of
/// storing, and can run on any number of threads while one writes.
public struct PreparedFeed: Sendable {
  let podcast: FeedPodcast
  let episodes: [PreparedEpisode]
  let info: RefreshInfo

  var health: FeedHealth {
    info.problem.map { .failed(connectivity: false, message: "\(podcast.title ?? "Untitled"): \($0)") } ?? .good
  }
}

/// The result of requesting a feed, for storing.
public enum RefreshArrival: Sendable {
  case feed(PodcastID, PreparedFeed)
  /// 304, or a body with the same digest.
  case unchanged(PodcastID, RefreshInfo)
  /// Only changes the health. `.gone` (410) ends all automatic requests.
  case failed(PodcastID, FeedHealth, RefreshInfo)

  fileprivate var refresh: Date? { if case .feed(_, let feed) = self { feed.info.refresh } else { nil } }

  /// The approximate cost of writing it: the number of episodes.
  public var weight: Int {
    if case .feed(_, let feed) = self { return feed.episodes.count + 1 }
    return 1
  }
}

extension Library {
  /// A feed with more new texts than this is indexed after it is stored (`indexPending`), so that its episodes can be
  /// listed and played earlier.
  static let indexedAtOnce = 50

  /// Prepares a feed for `store`. Called on any thread; reads the library but does not write.
  /// - Parameter podcast: the feed's podcast; nil: a new one. Its unchanged episodes need no text for the index.
  public func prepare(
    _ feed: Feed, of podcast: PodcastID?, info: RefreshInfo = RefreshInfo()
  ) throws(StoreError) -> PreparedFeed {
    let known = try podcast.map { id throws(StoreError) in try contentHashes(id) } ?? []
    let packer = NotesPacker()
    do {
      // The rest of an item that was cut off may be its identity. It is stored when a refresh brings the whole item.
      let whole = feed.episodes.indices.filter { feed.episodes[$0].isCutOff != true }
      var episodes = try whole.map { try PreparedEpisode(feed.episodes[$0]) }
      let changed = episodes.indices.filter { !known.contains(episodes[$0].key.hash) }
      let isIndexedNow = changed.count <= Self.indexedAtOnce
      for index in changed {
        if isIndexedNow {
          let chapters = feed.episodes[whole[index]].chapters
          episodes[index].document = episodes[index].makeDocument(chapters: chapters, plainText: plainText)
        }
        episodes[index].pack(packer)
      }
      return PreparedFeed(podcast: feed.podcast, episodes: episodes, info: info)
    } catch { throw StoreError(error, path: path) }
  }

  /// Prepares a live item or a trailer.
  func prepare(extra: FeedEpisode) throws(StoreError) -> PreparedEpisode {
    let packer = NotesPacker()
    do {
      var episode = try PreparedEpisode(extra, isExtra: true)
      episode.document = episode.makeDocument(chapters: extra.chapters, plainText: plainText)
      episode.pack(packer)
      return episode
    } catch { throw StoreError(error, path: path) }
  }

  /// Stores several results in one transaction, so that they share one commit and one index segment. If that fails,
  /// each is stored separately, so that one removed podcast does not affect the others.
  /// - Returns: for each result what changed, or why it could not be stored.
  public func store(_ arrivals: [RefreshArrival], now: Date) -> [Result<ApplyResult, StoreError>] {
    do throws(StoreError) {
      return try write { db in
        var search = SearchWriter(db)
        var results = try arrivals.map { try self.store(db, $0, &search, now: now) }
        try search.finish()
        try self.runRules(db, for: &results, refresh: arrivals.lazy.compactMap(\.refresh).first, now: now)
        return results.map { .success($0) }
      }
    } catch {
      guard arrivals.count > 1 else { return arrivals.map { _ in .failure(error) } }
      return arrivals.flatMap { store([$0], now: now) }
    }
  }

  private func store(
    _ db: Database, _ arrival: RefreshArrival, _ search: inout SearchWriter, now: Date
  ) throws -> ApplyResult {
    switch arrival {
    case .feed(let podcast, let feed): return try apply(db, feed, to: podcast, &search, now: now)
    case .unchanged(let podcast, let info): try Self.setHealth(db, podcast, .good, info: info, now: now)
    case .failed(let podcast, let health, let info): try Self.setHealth(db, podcast, health, info: info, now: now)
    }
    return ApplyResult()
  }

  private func contentHashes(_ podcast: PodcastID) throws(StoreError) -> Set<Int64> {
    try read { db in
      // Two SELECTs, because each uses a partial index.
      let sql = """
        SELECT contentHash FROM episode WHERE podcastID = ?1 AND \(StatusIs.listed)
        UNION ALL SELECT contentHash FROM episode WHERE podcastID = ?1 AND \(StatusIs.deleted)
        """
      return Set(try RawStatement.integers(db, sql, [podcast.rawValue]))
    }
  }
}
