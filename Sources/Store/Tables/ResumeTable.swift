import Foundation
import GRDB
import Model

/// Where an episode was left. Seconds.
public struct ResumePoint: Sendable, Equatable {
  public var position: Double
  public var savedAt: Date?
  /// How long the file was then, as the player found it.
  public var total: Double?
}

extension Library {
  /// Nil for an episode that is not there.
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
