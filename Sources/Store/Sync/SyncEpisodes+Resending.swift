import Foundation
import GRDB
import Model

/// Which states of episodes are sent again.
extension SyncEpisodes {
  /// Called when a feed's address has changed. Devices that know only the new address have not received anything
  /// about its episodes, so all states are sent again with later times.
  static func resendAll(_ db: Database, podcast: Int64) throws {
    guard try db.hasRow("SELECT 1 FROM syncAccount") else { return }
    try db.run(
      """
      UPDATE syncEpisode SET agreed = NULL WHERE episodeID IN (SELECT id FROM episode WHERE podcastID = ?)
      """, [podcast])
    try db.run(
      """
      INSERT OR IGNORE INTO syncOutbox
      SELECT id FROM episode WHERE podcastID = ? AND (statusUpdated IS NOT NULL OR positionUpdated IS NOT NULL)
      """, [podcast])
  }

  /// The listener gives episodes a status that they have already. Another device may have a later one that has not
  /// arrived yet, so this is the latest change now.
  static func repeatStatus(_ db: Database, _ episodes: [EpisodeID], now: Date) throws {
    guard !episodes.isEmpty, try db.hasRow("SELECT 1 FROM syncAccount") else { return }
    for episode in episodes {
      try db.run("UPDATE episode SET statusUpdated = ? WHERE id = ?", [now.seconds, episode.rawValue])
      try db.run("INSERT OR IGNORE INTO syncOutbox SELECT id FROM episode WHERE id = ?", [episode.rawValue])
    }
  }

  static func queueUnsent(_ db: Database, isTimed: Bool) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO syncOutbox
      SELECT e.id FROM episode e JOIN podcast p ON p.id = e.podcastID LEFT JOIN syncEpisode s ON s.episodeID = e.id
      WHERE \(isShared(isTimed: isTimed))
        AND (e.statusUpdated IS NOT NULL OR e.positionUpdated IS NOT NULL)
        AND s.agreed IS NOT coalesce(e.statusUpdated, 0) + coalesce(e.positionUpdated, 0)
      """)
  }

  /// Episodes that a complete pull does not mention, so the server has lost them.
  /// - Parameter found: the episodes that it mentions.
  static func missing(_ db: Database, found: Set<Int64>) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      """
      SELECT s.episodeID FROM syncEpisode s
      JOIN episode e ON e.id = s.episodeID JOIN podcast p ON p.id = e.podcastID
      WHERE s.agreed = coalesce(e.statusUpdated, 0) + coalesce(e.positionUpdated, 0) AND s.repairs < ?
        AND (e.statusUpdated IS NOT NULL OR e.positionUpdated IS NOT NULL)
        AND p.isSubscribed AND p.feedURL LIKE 'http%' AND e.mediaURL LIKE 'http%'
      """, [repairLimit]
    ).filter { !found.contains($0) }
  }

  static func resend(_ db: Database, _ missing: some Sequence<Int64>) throws {
    let lost = try RawStatement(
      db, "UPDATE syncEpisode SET agreed = NULL, repairs = repairs + 1 WHERE episodeID = ?")
    let queued = try RawStatement(db, "INSERT OR IGNORE INTO syncOutbox VALUES (?)")
    for id in missing {
      try lost.run(id)
      try queued.run(id)
    }
  }
}
