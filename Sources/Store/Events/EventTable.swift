import Foundation
import GRDB
import Model

/// A stored event.
public struct StoredEvent: Sendable, Equatable {
  public var id: Int64
  public var event: ListeningEvent
  /// The device where the event happened.
  public var deviceID: String
}

/// Events of episodes, in order. They are the listening history and the outbox for sync.
extension Library {
  /// Stores an event of this device, and applies it to the episode.
  public func record(_ event: ListeningEvent) throws(StoreError) {
    try write { db in
      if try !Self.lengthen(db, event, deviceID: self.deviceID) {
        try Self.insert(db, event, deviceID: self.deviceID)
      }
      try Self.follow(db, event)
    }
  }

  /// Stores a span of an excerpt, such as a clip, that was played on its own. It counts as listening time. It does
  /// not change the episode and is not synced.
  public func recordExcerpt(_ event: ListeningEvent) throws(StoreError) {
    try write { db in _ = try Self.insert(db, event, deviceID: self.deviceID, sent: true) }
  }

  /// Events, newest first.
  /// - Parameter episode: only events of this episode.
  public func events(limit: Int, of episode: EpisodeID? = nil) throws(StoreError) -> [StoredEvent] {
    try read { db in
      try db.rows(
        """
        SELECT id, episodeID, kind, fromTime, toTime, total, timestamp, deviceID, speed FROM event
        WHERE \(episode == nil ? "?1 IS NULL" : "episodeID = ?1") ORDER BY id DESC LIMIT ?2
        """, [episode?.rawValue, max(0, limit)]
      ).map(Self.event)
    }
  }

  /// Records that the listener gave these episodes a status, with one statement for any number of episodes.
  /// - Parameters:
  ///   - source: a table with a column `id`, for FROM.
  ///   - condition: for WHERE; its arguments follow.
  func recordEvents(
    _ db: Database, _ kind: ListeningEvent.Kind, from source: String = "episode", where condition: String,
    _ arguments: StatementArguments, now: Date
  ) throws {
    try db.run(
      """
      INSERT INTO event (episodeID, kind, timestamp, deviceID) SELECT id, ?, ?, ? FROM \(source) WHERE \(condition)
      """, [kind.name, now.seconds, deviceID] + arguments)
  }

  /// - Returns: false if the episode does not exist. Then nothing is stored.
  @discardableResult
  static func insert(
    _ db: Database, _ event: ListeningEvent, deviceID: String, sent: Bool = false
  ) throws -> Bool {
    var (from, to, total): (Double?, Double?, Double?) = (nil, nil, nil)
    if case .play(let start, let end, let length) = event.kind { (from, to, total) = (start, end, length) }
    // A first sync stores tens of thousands.
    try RawStatement(
      db,
      """
      INSERT INTO event (episodeID, kind, fromTime, toTime, total, timestamp, deviceID, speed, sent)
      SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM episode WHERE id = ?
      """
    ).run(
      event.kind.name, from, to, total, event.timestamp.seconds, deviceID, event.speed, sent ? 1 : 0,
      event.episode.rawValue)
    return db.changesCount > 0
  }

  /// Extends the newest event if this span continues it on the same day and it has not been sent yet. The statistics
  /// count a span for the day on which it ends.
  /// - Returns: false if this is a new span, or not a span.
  private static func lengthen(_ db: Database, _ event: ListeningEvent, deviceID: String) throws -> Bool {
    guard case .play(let from, let to, let total) = event.kind, from < to else { return false }
    try db.run(
      """
      UPDATE event SET toTime = ?1, total = coalesce(?2, total), timestamp = ?3
      WHERE id = (SELECT max(id) FROM event) AND NOT sent AND kind = 'play' AND episodeID = ?4 AND deviceID = ?5
        AND fromTime < toTime AND toTime = ?6 AND speed IS ?7 AND timestamp <= ?3
        AND date(timestamp, 'unixepoch', 'localtime') = date(?3, 'unixepoch', 'localtime')
      """, [to, total, event.timestamp.seconds, event.episode.rawValue, deviceID, from, event.speed])
    return db.changesCount > 0
  }

  /// Applies an event to its episode.
  ///
  /// Status and position are independent registers. Each has the value and the time of the latest event that concerns
  /// it, so it does not matter in which order events are stored. Events with the same time (the end of a span
  /// and the pause after it) apply in the order they were recorded.
  private static func follow(_ db: Database, _ event: ListeningEvent) throws {
    let (time, id) = (event.timestamp.seconds, event.episode.rawValue)
    if let status = event.kind.status {
      let isLater = "id = ? AND coalesce(statusUpdated, 0) <= ?"
      try db.run("UPDATE episode SET status = ?, statusUpdated = ? WHERE \(isLater)", [status.code, time, id, time])
      if status.leavesQueue, db.changesCount > 0 {
        try db.run("DELETE FROM queue WHERE episodeID = ?", [id])
      }
    }
    if let position = event.kind.position {
      let isLater = "id = ? AND coalesce(positionUpdated, 0) <= ?"
      try db.run("UPDATE episode SET position = ?, positionUpdated = ? WHERE \(isLater)", [position, time, id, time])
    }
    if event.kind.isHeard {
      try db.run("UPDATE episode SET heardAt = max(coalesce(heardAt, 0), ?) WHERE id = ?", [time, id])
    }
    if case .play(_, _, let total?) = event.kind, total.isFinite, total > 0 {
      try db.run("UPDATE episode SET measuredDuration = coalesce(measuredDuration, ?) WHERE id = ?", [total, id])
    }
  }

  private static func event(_ row: CheckedRow) throws -> StoredEvent {
    let kind = try ListeningEvent.Kind(name: row[2], from: row[3], to: row[4], total: row[5])
    return try StoredEvent(
      id: row[0],
      event: ListeningEvent(
        episode: EpisodeID(row[1]), kind: kind, timestamp: Date(timeIntervalSince1970: row[6]), speed: row[8]),
      deviceID: row[7])
  }
}

extension ListeningEvent.Kind {
  /// As it is stored, and as `earshot history` prints it.
  public var name: String {
    switch self {
    case .play: "play"
    case .start: "start"
    case .pause: "pause"
    case .delete: "delete"
    case .download: "download"
    case .new: "new"
    case .played: "played"
    }
  }

  /// Throws `StoreError.invalid` for an unknown kind, which a newer version has stored.
  fileprivate init(name: String, from: Double?, to: Double?, total: Double?) throws {
    let span = Self.play(from: from ?? 0, to: to ?? 0, total: total)
    let kinds = [span, .start, .pause, .delete, .download, .new, .played]
    guard let kind = kinds.first(where: { $0.name == name }) else {
      throw StoreError.unknownCode(name, what: "an event")
    }
    self = kind
  }

  /// The status after the event. Nil if the event does not concern it.
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

  /// The position after the event, in seconds. Nil if the event does not concern it.
  fileprivate var position: Double? {
    switch self {
    case .play(_, let end, _): end.isFinite && end >= 0 ? end : nil
    case .new, .played: 0
    case .start, .pause, .delete, .download: nil
    }
  }

  /// A span without length only sets the position.
  fileprivate var isHeard: Bool {
    switch self {
    case .start: true
    case .play(let start, let end, _): end > start
    case .pause, .delete, .download, .new, .played: false
    }
  }
}
