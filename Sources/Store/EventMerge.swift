import Foundation
import GRDB
import Model

/// Events of other devices. An episode's status and position are what the latest action on any device made them: each
/// has the time of its last change, and an older event changes nothing any more.
extension Library {
  /// Takes over what other devices did. Events that are known already, and those of this device, are passed over, so
  /// that a server may send them twice. One transaction.
  /// - Returns: episodes whose status or position changed.
  @discardableResult
  public func receive(_ events: [StoredEvent]) throws(StoreError) -> [EpisodeID] {
    try write { db in
      var changed: [EpisodeID] = []
      for event in events where event.deviceID != self.deviceID {
        guard try Self.insertUnknown(db, event) else { continue }
        if try Self.follow(db, event.event), changed.last != event.event.episode {
          changed.append(event.event.episode)
        }
      }
      return changed
    }
  }

  /// False when it is stored already, or its episode is not.
  private static func insertUnknown(_ db: Database, _ event: StoredEvent) throws -> Bool {
    let known = try db.cachedStatement(
      sql: "SELECT 1 FROM event WHERE episodeID = ? AND timestamp = ? AND deviceID = ? AND kind = ?")
    let arguments: StatementArguments = [
      event.event.episode.rawValue, event.event.timestamp.seconds, event.deviceID, event.event.kind.name,
    ]
    guard try Bool.fetchOne(known, arguments: arguments) == nil else { return false }
    // It came from a server, so no server waits for it.
    return try insert(db, event.event, deviceID: event.deviceID, sent: true)
  }

  /// - Returns: whether the episode changed.
  private static func follow(_ db: Database, _ event: ListeningEvent) throws -> Bool {
    let time = event.timestamp.seconds
    let id = event.episode.rawValue
    func set(_ status: EpisodeStatus) throws -> Bool {
      let start = status == .new ? ", position = 0, positionUpdated = ?2" : ""
      try db.cachedStatement(
        sql: """
          UPDATE episode SET status = ?1, statusUpdated = ?2\(start)
          WHERE id = ?3 AND coalesce(statusUpdated, 0) < ?2 AND coalesce(positionUpdated, 0) < ?2
          """
      ).execute(arguments: [status.code, time, id])
      let isChanged = db.changesCount > 0
      if isChanged, status == .deleted {
        try db.cachedStatement(sql: "DELETE FROM queue WHERE episodeID = ?").execute(arguments: [id])
      }
      return isChanged
    }
    switch event.kind {
    case .play(_, let end, let total):
      guard end.isFinite, end >= 0 else { return false }
      try db.cachedStatement(
        sql: """
          UPDATE episode SET position = ?1, positionUpdated = ?2, heardAt = max(coalesce(heardAt, 0), ?2),
            measuredDuration = coalesce(measuredDuration, ?3), status = iif(status = 0, 1, status)
          WHERE id = ?4 AND coalesce(positionUpdated, 0) < ?2 AND coalesce(statusUpdated, 0) < ?2
          """
      ).execute(arguments: [end, time, total, id])
      return db.changesCount > 0
    case .start: return try set(.playing)
    case .pause: return try set(.paused)
    case .delete: return try set(.deleted)
    case .new: return try set(.new)
    case .download: return false
    }
  }
}
