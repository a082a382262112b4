import Foundation
import GRDB
import Model

/// What events make of an episode, here and on other devices.
///
/// Status and position are two registers: each is what the latest event that speaks of it has made it, and has the time
/// of that event. So it does not matter in which order devices hear of each other. Events of one moment (the end of a
/// stretch, and the pause after it) count in the order in which they were recorded.
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

  /// - Returns: whether status or position changed.
  @discardableResult
  static func follow(_ db: Database, _ event: ListeningEvent) throws -> Bool {
    let (time, id) = (event.timestamp.seconds, event.episode.rawValue)
    let before = try state(db, id)
    if let status = event.kind.status {
      let isLater = "id = ? AND coalesce(statusUpdated, 0) <= ?"
      try db.cachedStatement(sql: "UPDATE episode SET status = ?, statusUpdated = ? WHERE \(isLater)")
        .execute(arguments: [status.code, time, id, time])
      if status.leavesQueue, db.changesCount > 0 {
        try db.cachedStatement(sql: "DELETE FROM queue WHERE episodeID = ?").execute(arguments: [id])
      }
    }
    if let position = event.kind.position {
      let isLater = "id = ? AND coalesce(positionUpdated, 0) <= ?"
      try db.cachedStatement(sql: "UPDATE episode SET position = ?, positionUpdated = ? WHERE \(isLater)")
        .execute(arguments: [position, time, id, time])
    }
    if event.kind.isHeard {
      try db.cachedStatement(sql: "UPDATE episode SET heardAt = max(coalesce(heardAt, 0), ?) WHERE id = ?")
        .execute(arguments: [time, id])
    }
    if case .play(_, _, let total?) = event.kind, total.isFinite, total > 0 {
      try db.cachedStatement(sql: "UPDATE episode SET measuredDuration = coalesce(measuredDuration, ?) WHERE id = ?")
        .execute(arguments: [total, id])
    }
    return try state(db, id) != before
  }

  private static func state(_ db: Database, _ id: Int64) throws -> Row? {
    try Row.fetchOne(db.cachedStatement(sql: "SELECT status, position FROM episode WHERE id = ?"), arguments: [id])
  }
}

extension ListeningEvent.Kind {
  /// What the event makes of the status; nil when it says nothing of it.
  fileprivate var status: EpisodeStatus? {
    switch self {
    case .play, .start: .playing
    case .pause: .paused
    case .delete: .deleted
    case .new: .new
    case .played: .played
    case .download: nil
    }
  }

  /// Seconds: where the event leaves the listener; nil when it says nothing of that.
  fileprivate var position: Double? {
    switch self {
    case .play(_, let end, _): end.isFinite && end >= 0 ? end : nil
    case .new, .played: 0
    case .start, .pause, .delete, .download: nil
    }
  }

  /// A stretch without length only tells a place.
  fileprivate var isHeard: Bool {
    switch self {
    case .start: true
    case .play(let start, let end, _): end > start
    case .pause, .delete, .download, .new, .played: false
    }
  }
}
