import Foundation
import GRDB
import Model

/// An episode of the history, and when it was last heard.
public struct HeardEpisode: Sendable, Equatable {
  public var episode: EpisodeID
  public var heardAt: Date
  /// Seconds of it that were played, repeats included.
  public var listened: Double
}

/// What was heard.
extension Library {
  /// The episodes that were heard, the most recent first, also those that were deleted since.
  /// - Parameter since: only those last heard then or later.
  public func heard(limit: Int, since: Date? = nil) throws(StoreError) -> [HeardEpisode] {
    try read { db in
      try Row.fetchCursor(
        db,
        sql: """
          SELECT e.id, e.heardAt,
            (SELECT total(max(0, toTime - fromTime)) FROM event WHERE episodeID = e.id AND kind = 'play')
          FROM episode e INDEXED BY episodeHeard WHERE e.heardAt IS NOT NULL AND e.heardAt >= ?
          ORDER BY e.heardAt DESC, e.id DESC LIMIT ?
          """, arguments: [since?.seconds ?? 0, max(0, limit)]
      ).map { row in
        let row = CheckedRow(row)
        return try HeardEpisode(
          episode: EpisodeID(row[0]), heardAt: Date(timeIntervalSince1970: row[1]), listened: row[2])
      }.collect()
    }
  }
}
