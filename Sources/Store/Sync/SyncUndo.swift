import Foundation
import GRDB
import Model

/// The step of the undo log that a run fills. It begins with the first change: a run that changes nothing leaves no step,
/// and what the listener could do again stays as long as a run touches nothing of it.
struct SyncUndo {
  let label: String
  /// It goes on with the newest step of the log, where that has the same label: what many feeds bring one after the other
  /// is one thing to take back, and leaves the listener's own steps in the log.
  private let goesOn: Bool
  private(set) var id: Int64?
  private var steps: [UndoStep] = []
  private var isDirty = false
  private var redo: UndoLog.Redo?
  /// The step is known to be there, in this transaction.
  private var isThere = false

  init(label: String, goesOn: Bool = false) {
    self.label = label
    self.goesOn = goesOn
  }

  /// Seconds between the first and the last change of a step that goes on.
  private static let longest = 600.0

  /// Call at the beginning of each transaction: the listener may have undone something since the last one.
  mutating func open(_ db: Database) throws {
    redo = try UndoLog.Redo(db)
    isThere = false
  }

  /// Call before an episode is changed.
  mutating func keep(_ episode: EpisodeID, leavesQueue: Bool, _ db: Database, now: Date) throws {
    try UndoLog.keepEpisode(db, begin(db, now: now), episode)
    try touch(db) { try $0.concerns(db, episode, leavesQueue: leavesQueue) }
  }

  /// Call before the change that the step takes back.
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

  /// What could be done again would overwrite what came: it is no longer what the listener has seen.
  private mutating func touch(_ db: Database, _ isConcerned: (UndoLog.Redo) throws -> Bool) throws {
    guard let redo, try isConcerned(redo) else { return }
    try db.execute(sql: "DELETE FROM undo WHERE isUndone")
    self.redo = nil
  }

  @discardableResult
  private mutating func begin(_ db: Database, now: Date) throws -> Int64 {
    if let id, isThere { return id }
    isThere = true
    // Gone when the listener has taken it back already while the run goes on.
    let sql = "SELECT 1 FROM undo WHERE id = ? AND NOT isUndone"
    if let id, try Bool.fetchOne(db, sql: sql, arguments: [id]) != nil { return id }
    steps = []
    if goesOn, let last = try UndoLog.next(db, .back), last.label == label, case .sync(let parts) = last.step,
      abs(now.seconds - last.timestamp) < Self.longest
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
    try UndoLog.amend(db, id, step: .sync(steps))
    isDirty = false
  }
}

extension UndoLog {
  /// What the changes that can be done again are about.
  struct Redo {
    private var episodes: Set<Int64> = []
    private var steps: [UndoStep] = []
    /// One of them puts back a whole queue.
    private(set) var hasQueue = false

    /// nil: there is nothing to do again.
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

    /// - Parameter leavesQueue: the change takes the episode out of the queue.
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
  /// What else than episodes and the queue the step changes: "podcast 7".
  fileprivate var subjects: [String] {
    switch self {
    case .episodes, .jump, .queue: []
    case .adoption(let podcasts, let tags), .adoptionAgain(let podcasts, let tags):
      podcasts.map { "podcast \($0)" } + tags.map { "tags \($0.kind) \($0.id)" }
    case .subscription(let podcast, _): ["podcast \(podcast)"]
    case .playlist(let id, _): ["playlist \(id)"]
    // A clip takes its places in playlists along.
    case .clip(let id, let before): ["clip \(id)"] + (before?.places ?? []).map { "playlist \($0.playlist)" }
    case .tags(let kind, let id, _): ["tags \(kind) \(id)"]
    case .sync(let steps): steps.flatMap(\.subjects)
    }
  }
}
