import Foundation
import GRDB
import Model

/// Podcasts that the listener visits without subscribing. They are stored like others, so that their episodes can be
/// played and queued and keep their positions. They are deleted when the listener's data no longer refers to them.
extension Library {
  /// Former subscriptions do not become visited podcasts, so they are never deleted.
  static func recordVisit(_ db: Database, of podcast: PodcastID, isNew: Bool, now: Date) throws {
    try db.run(
      "UPDATE podcast SET visited = ?1 WHERE id = ?2 AND (?3 OR visited IS NOT NULL)",
      [now.seconds, podcast.rawValue, isNew])
  }

  /// Deletes visited podcasts of which nothing is queued, started, played, clipped, in a playlist, tagged or
  /// downloaded.
  /// - Parameter before: only those last visited before this date.
  /// - Returns: how many were deleted.
  @discardableResult
  public func deleteVisited(before: Date) throws(StoreError) -> Int {
    // Avoids a write transaction at every start.
    guard try read({ db in try db.hasRow("SELECT 1 FROM podcast WHERE visited IS NOT NULL") }) else { return 0 }
    return try write { db in
      let ids = try Int64.fetchAll(db, Self.forgettable, [before.seconds])
      for id in ids {
        for table in ["podcastSettings", "podcastCredentials", "episode", "podcastContent"] {
          try db.run("DELETE FROM \(table) WHERE podcastID = ?", [id])
        }
        try db.run("DELETE FROM podcast WHERE id = ?", [id])
      }
      return ids.count
    }
  }

  private static let forgettable = """
    SELECT id FROM podcast p WHERE visited IS NOT NULL AND NOT isSubscribed AND visited < ?
    AND NOT EXISTS (SELECT 1 FROM podcastTag WHERE podcastID = p.id)
    AND NOT EXISTS (SELECT 1 FROM episode e WHERE e.podcastID = p.id AND \(EpisodeTouched.condition("e")))
    """
}
