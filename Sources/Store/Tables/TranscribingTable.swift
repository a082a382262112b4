import Foundation
import GRDB
import Model

/// The list of transcripts to make. It survives a restart.
extension Library {
  /// In the order in which they are made. Failed ones are listed until they are removed or added again.
  public func transcribingList() throws(StoreError) -> [TranscribingItem] {
    try read { db in try Self.items(db, "WHERE \(Self.isWanted) ORDER BY t.failure IS NOT NULL, t.id") }
  }

  /// The next one that waits. Nil: none.
  public func nextToTranscribe() throws(StoreError) -> TranscribingItem? {
    try read { db in
      try Self.items(db, "WHERE \(Self.isWanted) AND t.failure IS NULL ORDER BY t.id LIMIT 1").first
    }
  }

  /// Nil: the episode is not in the list. One that `nextToTranscribe` leaves out may be.
  public func transcribingItem(_ episode: EpisodeID) throws(StoreError) -> TranscribingItem? {
    try read { db in try Self.items(db, "WHERE e.id = ?", [episode.rawValue]).first }
  }

  /// When the episode was added to the list. Nil: it is not in it.
  public func addedToTranscribing(_ episode: EpisodeID) throws(StoreError) -> Date? {
    try read { db in
      try Double.fetchOne(db, "SELECT added FROM transcribing WHERE episodeID = ?", [episode.rawValue])
    }.map { Date(timeIntervalSince1970: $0) }
  }

  /// The episode is not deleted, and its podcast was not unsubscribed since it was added. Either may be undone.
  private static let isWanted = "e.\(StatusIs.listed) AND (p.isSubscribed OR t.added > p.subscriptionUpdated)"

  private static func items(
    _ db: Database, _ rest: String, _ arguments: StatementArguments = []
  ) throws -> [TranscribingItem] {
    try db.rows(
      """
      SELECT e.id, p.title, e.title, t.failure FROM transcribing t JOIN episode e ON e.id = t.episodeID
      JOIN podcast p ON p.id = e.podcastID \(rest)
      """, arguments
    ).map { row in
      try TranscribingItem(
        episode: EpisodeID(row[0]), podcastTitle: row[1], title: (row[2] as String?) ?? "Untitled", failure: row[3])
    }
  }

  /// Adds episodes to the end. Episodes without media are left out.
  /// - Parameter repeatsFailed: one that has failed waits again. False: nobody asked for it, so it stays failed.
  /// - Returns: how many of them wait now that did not wait before.
  @discardableResult
  public func addToTranscribing(
    _ episodes: [EpisodeID], repeatsFailed: Bool = true, now: Date = Date()
  ) throws(StoreError) -> Int {
    try write { db in
      try episodes.count { try Self.addToTranscribing(db, $0, repeatsFailed: repeatsFailed, now: now) }
    }
  }

  /// - Returns: whether the episode waits now and did not wait before.
  @discardableResult
  static func addToTranscribing(
    _ db: Database, _ episode: EpisodeID, repeatsFailed: Bool = true, now: Date
  ) throws -> Bool {
    if repeatsFailed {
      try db.run("DELETE FROM transcribing WHERE episodeID = ? AND failure IS NOT NULL", [episode.rawValue])
    }
    try db.run(
      """
      INSERT OR IGNORE INTO transcribing (episodeID, added)
      SELECT id, ?2 FROM episode WHERE id = ?1 AND mediaURL IS NOT NULL
      """, [episode.rawValue, now.seconds])
    return db.changesCount > 0
  }

  /// Removes episodes from the list.
  /// - Returns: how many were in it.
  @discardableResult
  public func removeFromTranscribing(_ episodes: [EpisodeID]) throws(StoreError) -> Int {
    try write { db in try episodes.count { try Self.removeFromTranscribing(db, $0) } }
  }

  /// - Returns: whether it was in the list.
  @discardableResult
  static func removeFromTranscribing(_ db: Database, _ episode: EpisodeID) throws -> Bool {
    try db.run("DELETE FROM transcribing WHERE episodeID = ?", [episode.rawValue])
    return db.changesCount > 0
  }

  /// Stores why a transcript was not made.
  public func failTranscribing(_ episode: EpisodeID, _ reason: String) throws(StoreError) {
    try write { db in
      try db.run("UPDATE transcribing SET failure = ? WHERE episodeID = ?", [reason, episode.rawValue])
    }
  }
}
