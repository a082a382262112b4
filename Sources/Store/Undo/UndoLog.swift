import Foundation
import GRDB
import Model

/// What has to be put back. Episodes' states and the queue are in tables of their own, as one "mark all" may hold
/// 20,000 of them; the rest is JSON in `undo.step`.
enum UndoStep: Codable, Equatable {
  /// The states in `undoEpisode`, and the queue in `undoQueue` when `withQueue`.
  case episodes(withQueue: Bool)
  case queue
  /// What came from another program: `episodes(withQueue: true)`, the podcasts that were subscribed to, and the tags
  /// that were there before.
  case adoption(subscribed: [PodcastID], tags: [TagsBefore])
  case subscription(podcast: PodcastID, isSubscribed: Bool)
  /// The playlist as it was; nil where it was not.
  case playlist(id: PlaylistID, before: StoredPlaylist?)
  /// The clip as it was, and the places it had in playlists; nil where it was not.
  case clip(id: ClipID, before: StoredClip?)
  /// The tags that something had; `kind` is a case of `TagTable.Kind`.
  case tags(kind: TagTable.Kind, id: Int64, before: [String])

  struct TagsBefore: Codable, Equatable {
    var kind: TagTable.Kind
    var id: Int64
    var tags: [String]
  }

  fileprivate var keepsQueue: Bool {
    switch self {
    case .episodes(let withQueue): withQueue
    case .queue, .adoption: true
    case .subscription, .playlist, .clip, .tags: false
    }
  }
}

/// The log of changes that can be taken back, newest last. It survives restarts.
enum UndoLog {
  /// Older steps are forgotten.
  static let limit = 500

  /// Call before the change, in its transaction.
  /// - Returns: the id under which further tables hold what was.
  @discardableResult
  static func record(_ db: Database, label: String, step: UndoStep, now: Date) throws -> Int64 {
    try db.execute(
      sql: "INSERT INTO undo (timestamp, label, step) VALUES (?, ?, ?)",
      arguments: [now.seconds, label, try JSONCoding.encode(step)])
    let id = db.lastInsertedRowID
    try db.execute(sql: "DELETE FROM undo WHERE id <= ?", arguments: [id - Int64(limit)])
    if step.keepsQueue { try keepQueue(db, id) }
    return id
  }

  /// Says what a recorded step is, once that is known.
  static func amend(_ db: Database, _ undoID: Int64, step: UndoStep) throws {
    try db.execute(sql: "UPDATE undo SET step = ? WHERE id = ?", arguments: [try JSONCoding.encode(step), undoID])
  }

  /// Keeps the state of one episode under a recorded step.
  static func keepEpisode(_ db: Database, _ undoID: Int64, _ episode: EpisodeID) throws {
    try keepEpisodes(db, undoID, where: "id = ?", [episode.rawValue])
  }

  static func keepEpisodes(
    _ db: Database, _ undoID: Int64, where condition: String, _ arguments: StatementArguments
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO undoEpisode (undoID, episodeID, status, statusUpdated, position, positionUpdated)
        SELECT ?, id, status, statusUpdated, position, positionUpdated FROM episode WHERE \(condition)
        """
    ).execute(arguments: [undoID] + arguments)
  }

  private static func keepQueue(_ db: Database, _ undoID: Int64) throws {
    try db.execute(
      sql: "INSERT INTO undoQueue (undoID, position, episodeID) SELECT ?, position, episodeID FROM queue",
      arguments: [undoID])
  }
}

/// What `undo` has taken back.
public struct UndoneDescription: Sendable, Equatable {
  /// For people: "Delete “An episode”".
  public var label: String
  /// Episodes whose state changed.
  public var episodes: [EpisodeID]
}

extension Library {
  /// Takes back the newest change of the log; nil when there is none.
  public func undo(now: Date) throws(StoreError) -> UndoneDescription? {
    try write { db in
      guard let row = try Row.fetchOne(db, sql: "SELECT id, label, step FROM undo ORDER BY id DESC LIMIT 1")
      else { return nil }
      let (id, label) = (try CheckedRow(row)[0] as Int64, try CheckedRow(row)[1] as String)
      let step = try JSONCoding.decode(UndoStep.self, CheckedRow(row)[2])
      let episodes = try Self.takeBack(db, id, step, deviceID: self.deviceID, now: now)
      try db.execute(sql: "DELETE FROM undo WHERE id = ?", arguments: [id])
      return UndoneDescription(label: label, episodes: episodes)
    }
  }

  /// What `undo` would take back, for a menu or a hint.
  public func nextUndo() throws(StoreError) -> String? {
    try read { db in try String.fetchOne(db, sql: "SELECT label FROM undo ORDER BY id DESC LIMIT 1") }
  }

  /// - Returns: episodes whose state changed.
  private static func takeBack(
    _ db: Database, _ id: Int64, _ step: UndoStep, deviceID: String, now: Date
  ) throws -> [EpisodeID] {
    switch step {
    case .episodes(let withQueue):
      let episodes = try restoreEpisodes(db, id, deviceID: deviceID, now: now)
      if withQueue { try restoreQueue(db, id) }
      return episodes
    case .adoption(let subscribed, let tags):
      let episodes = try restoreEpisodes(db, id, deviceID: deviceID, now: now)
      try restoreQueue(db, id)
      for before in tags { try before.kind.table.restore(db, before.tags, of: before.id) }
      for podcast in subscribed { try setSubscribed(db, podcast, false, now: now) }
      return episodes
    case .queue: try restoreQueue(db, id)
    case .subscription(let podcast, let isSubscribed): try setSubscribed(db, podcast, isSubscribed, now: now)
    case .playlist(let id, let before): try StoredPlaylist.restore(db, id, before)
    case .clip(let id, let before): try StoredClip.restore(db, id, before)
    case .tags(let kind, let id, let before): try kind.table.restore(db, before, of: id)
    }
    return []
  }

  /// `statusUpdated` becomes now, not what it was: taking back is the listener's latest word, and sync goes by that.
  /// - Returns: the episodes.
  private static func restoreEpisodes(
    _ db: Database, _ id: Int64, deviceID: String, now: Date
  ) throws -> [EpisodeID] {
    try db.execute(
      sql: """
        UPDATE episode SET status = u.status, statusUpdated = ?1, position = u.position, positionUpdated = ?1
        FROM undoEpisode u WHERE u.undoID = ?2 AND u.episodeID = episode.id
        """, arguments: [now.seconds, id])
    try recordRestored(db, id, deviceID: deviceID, now: now)
    return try Int64.fetchAll(db, sql: "SELECT episodeID FROM undoEpisode WHERE undoID = ?", arguments: [id])
      .map { EpisodeID($0) }
  }

  /// Events that bring other devices to what was put back: the status, and for an episode that was begun its place.
  private static func recordRestored(_ db: Database, _ id: Int64, deviceID: String, now: Date) throws {
    let restored = "episode JOIN undoEpisode u ON u.episodeID = episode.id"
    func record(_ kind: ListeningEvent.Kind, of statuses: String) throws {
      try recordEvents(
        db, kind, from: restored, where: "u.undoID = ? AND episode.status IN (\(statuses))", [id], deviceID: deviceID,
        now: now)
    }
    try record(.new, of: "0, 1, 2")
    // A stretch without length tells the place.
    let hasPlace = "u.undoID = ? AND episode.status IN (1, 2, 4)"
    try db.execute(
      sql: """
        INSERT INTO event (episodeID, kind, fromTime, toTime, total, timestamp, deviceID)
        SELECT id, 'play', episode.position, episode.position, measuredDuration, ?, ? FROM \(restored) WHERE \(hasPlace)
        """, arguments: [now.seconds, deviceID, id])
    try record(.pause, of: "2")
    try record(.played, of: "3")
    try record(.delete, of: "4")
  }

  /// Episodes that are no longer stored, or were deleted since, stay out.
  private static func restoreQueue(_ db: Database, _ id: Int64) throws {
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT u.episodeID FROM undoQueue u JOIN episode e ON e.id = u.episodeID
        WHERE u.undoID = ? AND e.status < 4 ORDER BY u.position
        """, arguments: [id])
    try QueueTable.write(db, ids)
  }
}
