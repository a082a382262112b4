import Foundation
import GRDB
import Model

/// The log of changes that can be undone, and of undone changes that can be redone (`isUndone`). The newest step of
/// each kind is next. The log survives restarts.
enum UndoLog {
  /// Older steps are deleted.
  static let limit = 500

  /// Call before the change, in its transaction. A new change deletes the redo steps.
  /// - Parameter endsRedo: false for a change that the listener did not make.
  /// - Returns: the undo id, under which other tables store the previous state.
  @discardableResult
  static func record(
    _ db: Database, label: String, step: UndoStep, now: Date, endsRedo: Bool = true
  ) throws -> Int64 {
    if endsRedo { try db.run("DELETE FROM undo WHERE isUndone") }
    let id = try insert(db, label: label, step: step, timestamp: now.seconds, isUndone: false)
    try db.run(
      """
      DELETE FROM undo WHERE id <= (SELECT id FROM undo WHERE NOT isUndone ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, [limit])
    return id
  }

  private static func insert(
    _ db: Database, label: String, step: UndoStep, timestamp: Double, isUndone: Bool
  ) throws -> Int64 {
    try db.execute(
      sql: "INSERT INTO undo (timestamp, label, step, isUndone) VALUES (?, ?, ?, ?)",
      arguments: [timestamp, label, try JSONCoding.encode(step), isUndone])
    let id = db.lastInsertedRowID
    if step.tables.queue { try storeQueue(db, id) }
    return id
  }

  /// The step that is next in this direction.
  struct Next {
    var id: Int64
    var label: String
    var timestamp: Double
    var step: UndoStep
  }

  static func next(_ db: Database, _ direction: UndoDirection) throws -> Next? {
    let sql = "SELECT id, label, timestamp, step FROM undo WHERE isUndone = ? ORDER BY id DESC LIMIT 1"
    guard let row = try db.row(sql, [direction == .forward]) else { return nil }
    return try Next(id: row[0], label: row[1], timestamp: row[2], step: JSONCoding.decode(UndoStep.self, row[3]))
  }

  /// Replaces the step with its inverse, and stores everything that it is about to change.
  static func turn(_ db: Database, _ next: Next, _ direction: UndoDirection) throws {
    let id = try insert(
      db, label: next.label, step: try next.step.reversed(db), timestamp: next.timestamp, isUndone: direction == .back)
    try storeEpisodes(
      db, id, where: "id IN (SELECT episodeID FROM undoEpisode WHERE undoID = ?)", [next.id])
  }

  /// Replaces the content of a recorded step.
  static func replace(_ db: Database, _ undoID: Int64, step: UndoStep) throws {
    try db.execute(sql: "UPDATE undo SET step = ? WHERE id = ?", arguments: [try JSONCoding.encode(step), undoID])
  }

  /// Stores the state of one episode for a recorded step.
  static func storeEpisode(_ db: Database, _ undoID: Int64, _ episode: EpisodeID) throws {
    try RawStatement(db, storingEpisodes("id = ?")).run(undoID, episode.rawValue)
  }

  static func storeEpisodes(
    _ db: Database, _ undoID: Int64, where condition: String, _ arguments: StatementArguments
  ) throws {
    try db.run(storingEpisodes(condition), [undoID] + arguments)
  }

  private static func storingEpisodes(_ condition: String) -> String {
    """
    INSERT OR IGNORE INTO undoEpisode
      (undoID, episodeID, status, statusUpdated, position, positionUpdated, catalogueRank, isBacklog)
    SELECT ?, id, status, statusUpdated, position, positionUpdated, catalogueRank, isBacklog FROM episode
    WHERE \(condition)
    """
  }

  private static func storeQueue(_ db: Database, _ undoID: Int64) throws {
    try db.run("INSERT INTO undoQueue (undoID, position, episodeID) SELECT ?, position, episodeID FROM queue", [undoID])
  }
}

/// The changes that `undo` has made.
public struct UndoneDescription: Sendable, Equatable {
  /// For the user: "Delete “An episode”".
  public var label: String
  /// Episodes whose state changed.
  public var episodes: [EpisodeID]
  /// For a jump: the restored position.
  public var place: EpisodePlace?
  /// The podcasts whose settings were restored.
  public var settings: [PodcastID] = []
  /// What else was restored.
  public var others = Restored()

  /// Everything that the selection may move to.
  public var restored: Restored {
    var all = others
    all.episodes = episodes + others.episodes
    return all
  }
}

extension Library {
  /// Undoes the newest change of the log, or redoes the one undone last. Each can be reversed by the other until a
  /// new change is made.
  /// - Parameter id: the confirmed plan's id. Nil: whatever is next.
  /// - Returns: nil if there is nothing to do, or if the next change is not the confirmed one.
  public func undo(
    _ direction: UndoDirection = .back, only id: Int64? = nil, now: Date
  ) throws(StoreError) -> UndoneDescription? {
    try write { db in
      guard let next = try UndoLog.next(db, direction), id == nil || id == next.id else { return nil }
      try UndoLog.turn(db, next, direction)
      let queued = try Set(QueueTable.read(db))
      let before = try next.step.restores(db)
      if direction == .back, next.step.keepsLaterListening {
        try Self.keepLaterListening(db, next.id, since: next.timestamp)
      }
      let episodes = try self.apply(db, next.id, next.step, now: now)
      try db.run("DELETE FROM undo WHERE id = ?", [next.id])
      var others = try next.step.restores(db, since: before)
      // The episodes that are in the queue again, or else those that left it.
      let after = try QueueTable.read(db)
      let back = after.filter { !queued.contains($0) }
      others.episodes += (back.isEmpty ? queued.subtracting(after).sorted() : back).map { EpisodeID($0) }
      others.episodes.removeAll(where: episodes.contains)
      others.over = try Self.over(db, episodes)
      return UndoneDescription(
        label: next.label, episodes: episodes, place: try Self.place(db, next.step),
        settings: next.step.podcastsWithSettings, others: others)
    }
  }

  /// What `undo` would do. Nil if there is nothing.
  public func undoPlan(_ direction: UndoDirection) throws(StoreError) -> UndoPlan? {
    try read { db in
      guard let next = try UndoLog.next(db, direction) else { return nil }
      let consequence = try UndoConsequence(db, next.id, next.step)
      return UndoPlan(
        id: next.id, direction: direction, label: next.label, timestamp: Date(timeIntervalSince1970: next.timestamp),
        count: consequence.count, consequence: consequence.text)
    }
  }

  /// Whether the plan changes status or position of this episode.
  public func undo(_ plan: UndoPlan, changes episode: EpisodeID) throws(StoreError) -> Bool {
    try read { db in
      try db.hasRow("SELECT 1 FROM undoEpisode WHERE undoID = ? AND episodeID = ?", [plan.id, episode.rawValue])
    }
  }

  /// Restores the state that the step has stored.
  /// - Returns: the episodes whose state changed.
  private func apply(_ db: Database, _ id: Int64, _ step: UndoStep, now: Date) throws -> [EpisodeID] {
    let episodes = try step.tables.episodes ? restoreEpisodes(db, id, now: now) : []
    try step.apply(db, now: now)
    if step.tables.queue { try QueueTable.write(db, Self.queueToRestore(db, id)) }
    return episodes
  }

  private static func over(_ db: Database, _ episodes: [EpisodeID]) throws -> Set<EpisodeID> {
    let over = try episodes.filter { episode in
      let code = try Int.fetchOne(db, "SELECT status FROM episode WHERE id = ?", [episode.rawValue])
      return try code.map { try EpisodeStatus(code: $0).isOver } ?? false
    }
    return Set(over)
  }

  private static func place(_ db: Database, _ step: UndoStep) throws -> EpisodePlace? {
    guard case .jump(let episode) = step else { return nil }
    return try Double.fetchOne(db, "SELECT position FROM episode WHERE id = ?", [episode.rawValue])
      .map { EpisodePlace(episode: episode, seconds: $0) }
  }

  /// An episode that was played further since the step keeps its position.
  /// - Parameter time: of the step, in seconds since 1970.
  private static func keepLaterListening(_ db: Database, _ id: Int64, since time: Double) throws {
    try db.run(
      """
      UPDATE undoEpisode SET status = e.status, position = e.position FROM episode e
      WHERE undoEpisode.undoID = ?1 AND e.id = undoEpisode.episodeID AND e.heardAt > ?2
        AND e.position > undoEpisode.position AND e.\(StatusIs.unplayed)
      """, [id, time])
  }

  /// Sets `statusUpdated` to now, not to the old time: the undo is the listener's latest change, and sync compares
  /// times. An episode of the back catalogue is in it again. One that was playing then is paused if another one
  /// plays now.
  /// - Returns: the episodes.
  private func restoreEpisodes(_ db: Database, _ id: Int64, now: Date) throws -> [EpisodeID] {
    try db.run(
      """
      UPDATE episode SET status = iif(u.\(StatusIs.playing)
          AND EXISTS (SELECT 1 FROM episode o WHERE o.\(StatusIs.playing) AND o.id <> episode.id),
        \(EpisodeStatus.paused.code), u.status), statusUpdated = ?1, position = u.position, positionUpdated = ?1,
        catalogueRank = iif(u.isBacklog IS NULL, episode.catalogueRank, u.catalogueRank),
        isBacklog = coalesce(u.isBacklog, episode.isBacklog)
      FROM undoEpisode u WHERE u.undoID = ?2 AND u.episodeID = episode.id
      """, [now.seconds, id])
    try recordRestored(db, id, now: now)
    return try Int64.fetchAll(db, "SELECT episodeID FROM undoEpisode WHERE undoID = ?", [id])
      .map { EpisodeID($0) }
  }

  /// Records events that tell other devices the restored status, and the position of started episodes.
  func recordRestored(_ db: Database, _ id: Int64, now: Date) throws {
    let restored = "episode JOIN undoEpisode u ON u.episodeID = episode.id"
    func record(_ kind: ListeningEvent.Kind, _ condition: String) throws {
      try recordEvents(db, kind, from: restored, where: "u.undoID = ? AND episode.\(condition)", [id], now: now)
    }
    try record(.new, StatusIs.unplayed)
    // A span without length carries the position.
    let hasPosition = "u.undoID = ? AND (episode.\(StatusIs.begun) OR episode.\(StatusIs.deleted))"
    try db.run(
      """
      INSERT INTO event (episodeID, kind, fromTime, toTime, total, timestamp, deviceID)
      SELECT id, 'play', episode.position, episode.position, measuredDuration, ?, ? FROM \(restored) WHERE \(hasPosition)
      """, [now.seconds, deviceID, id])
    try record(.pause, StatusIs.paused)
    try record(.played, StatusIs.played)
    try record(.delete, StatusIs.deleted)
  }

  /// The episodes of the queue after the undo. Episodes that no longer exist, have been deleted, or were played to
  /// their end since the step are left out. An episode that leaves the queue at its end is no step of its own.
  static func queueToRestore(_ db: Database, _ id: Int64) throws -> [Int64] {
    // The undo may restore the status of an episode, too. Then the restored one counts.
    try Int64.fetchAll(
      db,
      """
      SELECT u.episodeID FROM undoQueue u JOIN episode e ON e.id = u.episodeID JOIN undo s ON s.id = u.undoID
        LEFT JOIN undoEpisode r ON r.undoID = u.undoID AND r.episodeID = u.episodeID
      WHERE u.undoID = ? AND coalesce(r.status, e.status) < \(EpisodeStatus.deleted.code)
        AND NOT (r.episodeID IS NULL AND e.\(StatusIs.played) AND coalesce(e.heardAt, 0) > s.timestamp
          AND NOT EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id))
      ORDER BY u.position
      """, [id])
  }
}

/// A change that can be undone.
public struct UndoEntry: Sendable, Equatable, Encodable {
  /// What was done, for the user.
  public var label: String
  public var timestamp: Date
}

extension Library {
  /// The changes that `undo` would undo or redo, in its order.
  public func undoEntries(
    _ direction: UndoDirection = .back, limit: Int
  ) throws(StoreError) -> [UndoEntry] {
    try read { db in
      try db.rows(
        "SELECT label, timestamp FROM undo WHERE isUndone = ? ORDER BY id DESC LIMIT ?",
        [direction == .forward, max(0, limit)]
      ).map { try UndoEntry(label: $0[0], timestamp: Date(timeIntervalSince1970: $0[1])) }
    }
  }
}
