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
  private var steps: [UndoStep] = []
  private var isDirty = false
  private var redo: UndoLog.Redo?
  /// Whether the step exists in this transaction.
  private var isThere = false

  init(label: String, continuesLastStep: Bool = false) {
    self.label = label
    self.continuesLastStep = continuesLastStep
  }

  /// Seconds between the first and the last change of a continued step.
  private static let maxSpan = 600.0

  /// Call at the start of each transaction, because the listener may have undone something since the last one.
  mutating func open(_ db: Database) throws {
    redo = try UndoLog.Redo(db)
    isThere = false
  }

  /// Call before an episode is changed.
  mutating func keep(_ episode: EpisodeID, leavesQueue: Bool, _ db: Database, now: Date) throws {
    try UndoLog.keepEpisode(db, begin(db, now: now), episode)
    try touch(db) { try $0.concerns(db, episode, leavesQueue: leavesQueue) }
  }

  /// Call before the change that the step undoes.
  mutating func add(_ step: UndoStep, _ db: Database, now: Date) throws {
    _ = try begin(db, now: now)
    steps.append(step)
    isDirty = true
    try touch(db) { $0.concerns(step) }
  }

  /// Call before the queue is changed.
  mutating func keepQueue(_ db: Database, now: Date) throws {
    try begin(db, now: now)
    try touch(db) { $0.hasQueue }
  }

  /// Deletes the redo steps if they would overwrite this change.
  private mutating func touch(_ db: Database, _ isConcerned: (UndoLog.Redo) throws -> Bool) throws {
    guard let redo, try isConcerned(redo) else { return }
    try db.execute(sql: "DELETE FROM undo WHERE isUndone")
    self.redo = nil
  }

  @discardableResult
  private mutating func begin(_ db: Database, now: Date) throws -> Int64 {
    if let id, isThere { return id }
    isThere = true
    // The step is missing if the listener undid it while the run continues.
    let sql = "SELECT 1 FROM undo WHERE id = ? AND NOT isUndone"
    if let id, try Bool.fetchOne(db, sql: sql, arguments: [id]) != nil { return id }
    steps = []
    if continuesLastStep, let last = try UndoLog.next(db, .back), last.label == label,
      case .sync(let parts) = last.step,
      abs(now.seconds - last.timestamp) < Self.maxSpan
    {
      (self.id, steps) = (last.id, parts)
      return last.id
    }
    let id = try UndoLog.record(db, label: label, step: .sync([]), now: now, endsRedo: false)
    self.id = id
    isDirty = true
    return id
  }

  mutating func store(_ db: Database, now: Date) throws {
    guard isDirty, let id else { return }
    try UndoLog.replace(db, id, step: .sync(steps))
    isDirty = false
  }
}

extension UndoLog {
  /// The episodes and other things that the redo steps would change.
  struct Redo {
    private var episodes: Set<Int64> = []
    private var steps: [UndoStep] = []
    /// One of them restores a whole queue.
    private(set) var hasQueue = false

    /// Nil: there is nothing to redo.
    init?(_ db: Database) throws {
      let rows = try Row.fetchAll(db, sql: "SELECT step FROM undo WHERE isUndone").map(CheckedRow.init)
      guard !rows.isEmpty else { return nil }
      for row in rows {
        let step = try JSONCoding.decode(UndoStep.self, row[0])
        hasQueue = hasQueue || step.keepsQueue
        if case .sync(let parts) = step { steps += parts } else { steps.append(step) }
      }
      episodes = try Int64.fetchSet(
        db, sql: "SELECT episodeID FROM undoEpisode JOIN undo ON id = undoID WHERE isUndone")
    }

    /// - Parameter leavesQueue: the change removes the episode from the queue.
    func concerns(_ db: Database, _ episode: EpisodeID, leavesQueue: Bool) throws -> Bool {
      if episodes.contains(episode.rawValue) { return true }
      guard hasQueue, leavesQueue else { return false }
      let isQueued = try db.cachedStatement(sql: "SELECT 1 FROM queue WHERE episodeID = ?")
      return try Bool.fetchOne(isQueued, arguments: [episode.rawValue]) != nil
    }

    func concerns(_ step: UndoStep) -> Bool {
      let subjects = Set(step.subjects)
      return steps.contains { !subjects.isDisjoint(with: $0.subjects) }
    }
  }
}

extension UndoStep {
  /// What the step changes besides episodes and the queue: "podcast 7".
  fileprivate var subjects: [String] {
    switch self {
    case .episodes, .jump, .queue: []
    case .adoption(let podcasts, let tags), .adoptionAgain(let podcasts, let tags):
      podcasts.map { "podcast \($0)" } + tags.map { "tags \($0.kind) \($0.id)" }
    case .subscription(let podcast, _): ["podcast \(podcast)"]
    case .playlist(let id, _): ["playlist \(id)"]
    // A clip includes its positions in playlists.
    case .clip(let id, let before): ["clip \(id)"] + (before?.places ?? []).map { "playlist \($0.playlist)" }
    case .tags(let kind, let id, _): ["tags \(kind) \(id)"]
    case .podcastSettings(let podcast, _): ["settings \(podcast)"]
    case .sync(let steps): steps.flatMap(\.subjects)
    }
  }
}
