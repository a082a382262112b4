import Foundation
import GRDB
import Model

/// The log of changes that can be taken back, and of those that were taken back and can be done again (`isUndone`). The
/// newest step of a kind is the next one. It survives restarts.
enum UndoLog {
  /// Older steps are forgotten.
  static let limit = 500

  /// Call before the change, in its transaction. A new change ends what could be done again.
  /// - Parameter endsRedo: false for a change that is not the listener's, or that is made in passing.
  /// - Returns: the id under which further tables hold what was.
  @discardableResult
  static func record(
    _ db: Database, label: String, step: UndoStep, now: Date, endsRedo: Bool = true
  ) throws -> Int64 {
    if endsRedo { try db.execute(sql: "DELETE FROM undo WHERE isUndone") }
    let id = try insert(db, label: label, step: step, timestamp: now.seconds, isUndone: false)
    try db.execute(
      sql: """
        DELETE FROM undo WHERE id <= (SELECT id FROM undo WHERE NOT isUndone ORDER BY id DESC LIMIT 1 OFFSET ?)
        """, arguments: [limit])
    return id
  }

  private static func insert(
    _ db: Database, label: String, step: UndoStep, timestamp: Double, isUndone: Bool
  ) throws -> Int64 {
    try db.execute(
      sql: "INSERT INTO undo (timestamp, label, step, isUndone) VALUES (?, ?, ?, ?)",
      arguments: [timestamp, label, try JSONCoding.encode(step), isUndone])
    let id = db.lastInsertedRowID
    if step.keepsQueue { try keepQueue(db, id) }
    return id
  }

  /// The step that comes next in this direction.
  struct Next {
    var id: Int64
    var label: String
    var timestamp: Double
    var step: UndoStep
  }

  static func next(_ db: Database, _ direction: UndoDirection) throws -> Next? {
    let sql = "SELECT id, label, timestamp, step FROM undo WHERE isUndone = ? ORDER BY id DESC LIMIT 1"
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [direction == .forward]).map(CheckedRow.init) else {
      return nil
    }
    return try Next(
      id: row[0], label: row[1], timestamp: row[2], step: JSONCoding.decode(UndoStep.self, row[3]))
  }

  /// Takes the step out of the log, for the one that reverses it: all that it is about to change is kept.
  static func turn(_ db: Database, _ next: Next, _ direction: UndoDirection) throws {
    let id = try insert(
      db, label: next.label, step: try next.step.reversed(db), timestamp: next.timestamp, isUndone: direction == .back)
    try keepEpisodes(
      db, id, where: "id IN (SELECT episodeID FROM undoEpisode WHERE undoID = ?)", [next.id])
  }

  /// Says what a recorded step is, once that is known.
  static func amend(_ db: Database, _ undoID: Int64, step: UndoStep) throws {
    try db.execute(sql: "UPDATE undo SET step = ? WHERE id = ?", arguments: [try JSONCoding.encode(step), undoID])
  }

  /// Keeps the state of one episode under a recorded step.
  static func keepEpisode(_ db: Database, _ undoID: Int64, _ episode: EpisodeID) throws {
    try RawStatement(db, keepingEpisodes("id = ?")).run {
      $0.add(undoID)
      $0.add(episode.rawValue)
    }
  }

  static func keepEpisodes(
    _ db: Database, _ undoID: Int64, where condition: String, _ arguments: StatementArguments
  ) throws {
    try db.cachedStatement(sql: keepingEpisodes(condition)).execute(arguments: [undoID] + arguments)
  }

  private static func keepingEpisodes(_ condition: String) -> String {
    """
    INSERT OR IGNORE INTO undoEpisode (undoID, episodeID, status, statusUpdated, position, positionUpdated)
    SELECT ?, id, status, statusUpdated, position, positionUpdated FROM episode WHERE \(condition)
    """
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
  /// Of a jump: where the listener is put.
  public var place: EpisodePlace?
  /// What else came back.
  public var others = Restored()

  /// All that the selection may go to.
  public var restored: Restored {
    var all = others
    all.episodes = episodes + others.episodes
    return all
  }
}

extension Library {
  /// Takes back the newest change of the log, or does again the one that was taken back last. Either can be reversed by
  /// the other, with all its data, until a new change is made.
  /// - Parameter id: of the plan that was agreed to; nil for whatever comes next.
  /// - Returns: nil when there is none, or another one comes next than was agreed to.
  public func undo(
    _ direction: UndoDirection = .back, only id: Int64? = nil, now: Date
  ) throws(StoreError) -> UndoneDescription? {
    try write { db in
      guard let next = try UndoLog.next(db, direction), id == nil || id == next.id else { return nil }
      try UndoLog.turn(db, next, direction)
      let queued = try Set(QueueTable.read(db))
      let before = try next.step.restores(db)
      if direction == .back, next.step.keepsWhatWasHeardSince {
        try Self.keepWhatWasHeard(db, next.id, since: next.timestamp)
      }
      let episodes = try Self.apply(db, next.id, next.step, deviceID: self.deviceID, now: now)
      try db.execute(sql: "DELETE FROM undo WHERE id = ?", arguments: [next.id])
      var others = try next.step.restores(db, since: before)
      // What is in the queue again, else what has left it.
      let after = try QueueTable.read(db)
      let back = after.filter { !queued.contains($0) }
      others.episodes += (back.isEmpty ? queued.subtracting(after).sorted() : back).map { EpisodeID($0) }
      others.episodes.removeAll(where: episodes.contains)
      return UndoneDescription(
        label: next.label, episodes: episodes, place: try Self.place(db, next.step), others: others)
    }
  }

  /// What `undo` would do; nil when there is nothing.
  public func undoPlan(_ direction: UndoDirection) throws(StoreError) -> UndoPlan? {
    try read { db in
      guard let next = try UndoLog.next(db, direction) else { return nil }
      let consequence = try UndoConsequence(db, next.id, next.step)
      return UndoPlan(
        id: next.id, direction: direction, label: next.label, timestamp: Date(timeIntervalSince1970: next.timestamp),
        count: consequence.count, consequence: consequence.text)
    }
  }

  /// Whether the plan changes status or place of this episode.
  public func undo(_ plan: UndoPlan, changes episode: EpisodeID) throws(StoreError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM undoEpisode WHERE undoID = ? AND episodeID = ?)",
        arguments: [plan.id, episode.rawValue]) ?? false
    }
  }

  /// What `undo` would take back, for a menu or a hint.
  public func nextUndo() throws(StoreError) -> String? { try undoPlan(.back)?.label }

  /// Makes what the step keeps what is.
  /// - Returns: episodes whose state changed.
  private static func apply(
    _ db: Database, _ id: Int64, _ step: UndoStep, deviceID: String, now: Date
  ) throws -> [EpisodeID] {
    switch step {
    case .jump: return try restoreEpisodes(db, id, deviceID: deviceID, now: now)
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
    case .adoptionAgain(let subscribed, let tags):
      for podcast in subscribed { try setSubscribed(db, podcast, true, now: now) }
      for before in tags { try before.kind.table.restore(db, before.tags, of: before.id) }
      let episodes = try restoreEpisodes(db, id, deviceID: deviceID, now: now)
      try restoreQueue(db, id)
      return episodes
    case .sync(let steps):
      let episodes = try restoreEpisodes(db, id, deviceID: deviceID, now: now)
      for step in steps.reversed() { _ = try apply(db, id, step, deviceID: deviceID, now: now) }
      try restoreQueue(db, id)
      return episodes
    case .queue: try restoreQueue(db, id)
    case .subscription(let podcast, let isSubscribed): try setSubscribed(db, podcast, isSubscribed, now: now)
    case .playlist(let id, let before): try StoredPlaylist.restore(db, id, before)
    case .clip(let id, let before): try StoredClip.restore(db, id, before)
    case .tags(let kind, let id, let before): try kind.table.restore(db, before, of: id)
    }
    return []
  }

  private static func place(_ db: Database, _ step: UndoStep) throws -> EpisodePlace? {
    guard case .jump(let episode) = step else { return nil }
    return try Double.fetchOne(db, sql: "SELECT position FROM episode WHERE id = ?", arguments: [episode.rawValue])
      .map { EpisodePlace(episode: episode, seconds: $0) }
  }

  /// An episode in which the listener has come further since the step, than it was before it, keeps its place.
  /// - Parameter time: of the step, in seconds since 1970.
  private static func keepWhatWasHeard(_ db: Database, _ id: Int64, since time: Double) throws {
    try db.execute(
      sql: """
        UPDATE undoEpisode SET status = e.status, position = e.position FROM episode e
        WHERE undoEpisode.undoID = ?1 AND e.id = undoEpisode.episodeID AND e.heardAt > ?2
          AND e.position > undoEpisode.position AND e.status IN (0, 1, 2)
        """, arguments: [id, time])
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
