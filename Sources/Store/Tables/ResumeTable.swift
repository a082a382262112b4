import Foundation
import GRDB
import Model

/// The position to resume an episode at. Seconds.
public struct ResumePoint: Sendable, Equatable {
  public var position: Double
  public var savedAt: Date?
  /// The duration of the file at that time, as the player found it.
  public var total: Double?
}

extension Library {
  /// Nil if the episode does not exist.
  public func resumePoint(_ episode: EpisodeID) throws(StoreError) -> ResumePoint? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT position, positionUpdated, measuredDuration FROM episode WHERE id = ?",
        arguments: [episode.rawValue]
      ).map { row in
        let row = CheckedRow(row)
        let saved: Double? = try row[1]
        return try ResumePoint(
          position: row[0], savedAt: saved.map { Date(timeIntervalSince1970: $0) }, total: row[2])
      }
    }
  }
}
