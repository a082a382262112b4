import Foundation
import GRDB
import Model

/// The undo step of a sync run. It is created by the first change, so a run without changes adds no step. Changes
/// that can be redone stay as long as the run does not touch the same things.
struct SyncUndo {
  let label: String
  /// Whether to continue the newest step of the log if it has the same label. So the changes from many feeds are one
  /// step, and the listener's own steps stay in the log.
  private let continuesLastStep: Bool
  private(set) var id: Int64?
  /// Steps that are not stored yet.
  private var unsaved: [UndoStep] = []
  /// What the step restores: "podcast 7". The oldest state of a thing is the one to restore, so each has one step,
  /// however often the run changes it. Nil: not read yet.
  private var subjects: Set<String>? = []
  private var redo: UndoLog.Redo?
  /// Whether the step exists in this transaction.
  private var isThere = false

  init(label: String, continuesLastStep: Bool = false) {
    self.label = label
    self.continuesLastStep = continuesLastStep
  }

  /// Continues this step of the log.
  init(label: String, continuing id: Int64) {
    self.label = label
    (self.id, subjects, continuesLastStep) = (id, nil, false)
  }

  /// Seconds between the first and the last change of a continued step.
  private static let maxSpan = 600.0

  /// Call at the start of each transaction, because the listener may have undone something since the last one.
  mutating func open(_ db: Database) throws {
    redo = try UndoLog.Redo(db)
    isThere = false
  }

  /// Call before an episode is changed.
  mutating func storeEpisode(_ episode: EpisodeID, leavesQueue: Bool, _ db: Database, now: Date) throws {
    try UndoLog.storeEpisode(db, begin(db, now: now), episode)
    try touch(db) { try $0.concerns(db, episode, leavesQueue: leavesQueue) }
  }

  /// Call before the change that the step undoes.
  /// - Parameters:
  ///   - subject: what the step restores, one of its `subjects`.
  ///   - step: made only if the run has not changed the thing before.
  mutating func add(_ subject: String, _ db: Database, now: Date, _ step: () throws -> UndoStep) throws {
    let id = try begin(db, now: now)
    try touch(db) { $0.subjects.contains(subject) }
    var known = try subjects ?? Set(UndoLog.step(db, id).subjects)
    subjects = nil
    defer { subjects = known }
    guard known.insert(subject).inserted else { return }
    let step = try step()
    if let redo, !redo.subjects.isDisjoint(with: step.subjects) { try touch(db) { _ in true } }
    unsaved.append(step)
  }

  /// Call before the queue is changed.
  mutating func storeQueue(_ db: Database, now: Date) throws {
    try begin(db, now: now)
    try touch(db) { $0.hasQueue }
  }

  /// Deletes the redo steps if they would overwrite this change.
  private mutating func touch(_ db: Database, _ isConcerned: (UndoLog.Redo) throws -> Bool) throws {
    guard let redo, try isConcerned(redo) else { return }
    try db.run("DELETE FROM undo WHERE isUndone")
    self.redo = nil
  }

  @discardableResult
  private mutating func begin(_ db: Database, now: Date) throws -> Int64 {
    if let id, isThere { return id }
    isThere = true
    // The step is missing if the listener undid it while the run continues.
    if let id, try db.hasRow("SELECT 1 FROM undo WHERE id = ? AND NOT isUndone", [id]) { return id }
    (unsaved, subjects) = ([], [])
    if continuesLastStep, let last = try UndoLog.newestSync(db, label: label, since: now.seconds - Self.maxSpan) {
      (id, subjects) = (last, nil)
      return last
    }
    let id = try UndoLog.record(db, label: label, step: .sync([]), now: now, endsRedo: false)
    self.id = id
    return id
  }

  /// Call at the end of each transaction.
  mutating func store(_ db: Database) throws {
    guard !unsaved.isEmpty, let id else { return }
    try UndoLog.append(db, id, unsaved)
    unsaved = []
  }
}

extension UndoLog {
  /// The episodes and other things that the redo steps would change.
  struct Redo {
    private var episodes: Set<Int64> = []
    /// What they change besides episodes and the queue.
    private(set) var subjects: Set<String> = []
    /// One of them restores a whole queue.
    private(set) var hasQueue = false

    /// Nil: there is nothing to redo.
    init?(_ db: Database) throws {
      let rows = try db.rows("SELECT step FROM undo WHERE isUndone")
      guard !rows.isEmpty else { return nil }
      for row in rows {
        let step = try JSONCoding.decode(UndoStep.self, row[0])
        hasQueue = hasQueue || step.tables.queue
        subjects.formUnion(step.subjects)
      }
      episodes = try Int64.fetchSet(
        db, sql: "SELECT episodeID FROM undoEpisode JOIN undo ON id = undoID WHERE isUndone")
    }

    /// - Parameter leavesQueue: the change removes the episode from the queue.
    func concerns(_ db: Database, _ episode: EpisodeID, leavesQueue: Bool) throws -> Bool {
      if episodes.contains(episode.rawValue) { return true }
      guard hasQueue, leavesQueue else { return false }
      return try db.hasRow("SELECT 1 FROM queue WHERE episodeID = ?", [episode.rawValue])
    }
  }

  static func step(_ db: Database, _ id: Int64) throws -> UndoStep {
    let text = try String.fetchOne(db, "SELECT step FROM undo WHERE id = ?", [id])
    return try text.map { try JSONCoding.decode(UndoStep.self, $0) } ?? .sync([])
  }

  /// The newest step of the log, if it is one of sync with this label.
  /// - Parameter time: seconds since 1970.
  static func newestSync(_ db: Database, label: String, since time: Double) throws -> Int64? {
    try Int64.fetchOne(
      db,
      """
      SELECT id FROM (SELECT id, label, timestamp, step FROM undo WHERE NOT isUndone ORDER BY id DESC LIMIT 1)
      WHERE label = ? AND timestamp > ? AND substr(step, 1, 8) = '{"sync":'
      """, [label, time])
  }

  /// Appends to a step of sync. Its text is not decoded, so that a run with many transactions does not encode all its
  /// steps again in each.
  static func append(_ db: Database, _ id: Int64, _ steps: [UndoStep]) throws {
    let (empty, new) = (try JSONCoding.encode(UndoStep.sync([])), try JSONCoding.encode(UndoStep.sync(steps)))
    let tail = "]}}"
    // "{"sync":{"_0":[" and the steps, without the tail.
    let parts = new.dropFirst(empty.count - tail.count)
    try db.execute(
      sql: """
        UPDATE undo SET step = iif(step = ?1, ?2, substr(step, 1, length(step) - length(?3)) || ',' || ?4) WHERE id = ?5
        """, arguments: [empty, new, tail, String(parts), id])
  }
}
