import Foundation
import GRDB
import Model

/// A feed that is ready to be written: matched keys, hashes, JSON and readable text are made. That is the costly part
/// of storing, and runs on any number of threads while one writes.
public struct PreparedFeed: Sendable {
  let podcast: FeedPodcast
  let episodes: [PreparedEpisode]
  let info: RefreshInfo
}

/// How asking a feed ended, as the library keeps it.
public enum RefreshArrival: Sendable {
  case feed(PodcastID, PreparedFeed)
  /// 304, or a body with the same digest.
  case unchanged(PodcastID, RefreshInfo)
  /// Only the health changes. `.gone` (410) ends all asking.
  case failed(PodcastID, FeedHealth, RefreshInfo)

  /// What writing it costs, roughly: the episodes in it.
  public var weight: Int {
    if case .feed(_, let feed) = self { return feed.episodes.count + 1 }
    return 1
  }
}

extension Library {
  /// A feed with more new texts than this is indexed after it is stored: `indexPending`. Its episodes can be listed and
  /// played before that.
  static let indexedAtOnce = 50

  /// Makes a feed ready for `store`. Called from any thread; reads the library, writes nothing.
  /// - Parameter podcast: the one it belongs to, nil for a new one. Of episodes whose text is
  ///   stored already, no text is made for the index.
  public func prepare(
    _ feed: Feed, of podcast: PodcastID?, info: RefreshInfo = RefreshInfo()
  ) throws(StoreError) -> PreparedFeed {
    let known = try podcast.map { id throws(StoreError) in try contentHashes(id) } ?? []
    let session = try notes.packer(for: self).session()
    do {
      var episodes = try feed.episodes.map { try PreparedEpisode($0) }
      let changed = episodes.indices.filter { !known.contains(episodes[$0].key.hash) }
      let isIndexedNow = changed.count <= Self.indexedAtOnce
      for index in changed {
        if isIndexedNow { episodes[index].document = episodes[index].makeDocument(plainText: plainText) }
        episodes[index].pack(session)
      }
      return PreparedFeed(podcast: feed.podcast, episodes: episodes, info: info)
    } catch { throw StoreError(error, path: path) }
  }

  /// Stores what several refreshes brought in one transaction: a commit, and a piece of the index, for all of them.
  /// When it fails each is tried alone, so that one podcast that was just removed does not cost the others theirs.
  /// - Returns: for each arrival what it changed, or why it could not be stored.
  public func store(_ arrivals: [RefreshArrival], now: Date) -> [Result<ApplyResult, StoreError>] {
    do throws(StoreError) {
      return try write { db in
        var search = SearchWriter(db)
        let results = try arrivals.map { try self.store(db, $0, &search, now: now) }
        try search.finish()
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
      // Two halves, because each has a partial index.
      let statement = try db.cachedStatement(
        sql: """
          SELECT contentHash FROM episode WHERE podcastID = ?1 AND status < 4
          UNION ALL SELECT contentHash FROM episode WHERE podcastID = ?1 AND status = 4
          """)
      var hashes: Set<Int64> = []
      let rows = try Int64.fetchCursor(statement, arguments: [podcast.rawValue])
      while let hash = try rows.next() { hashes.insert(hash) }
      return hashes
    }
  }
}
