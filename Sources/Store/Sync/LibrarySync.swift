import Foundation
import GRDB
import Model
import Sync

/// The library as one run of sync sees it. All that a run changes is one step of the undo log.
///
/// `@unchecked`: a run makes its calls one after the other; nobody else has the object.
public final class LibrarySync: SyncStore, @unchecked Sendable {
  let library: Library
  private let label: String
  private(set) var undo: SyncUndo

  /// Episodes whose status or position changed in this run.
  public internal(set) var changedEpisodes: Set<EpisodeID> = []
  /// Podcasts that were subscribed to in this run and were not known here: their feeds are still to be fetched.
  public internal(set) var newPodcasts: [PodcastID] = []

  /// - Parameter server: for the undo log: "Sync with …".
  public init(library: Library, server: String) {
    self.library = library
    label = "Sync with \(server)"
    undo = SyncUndo(label: label)
  }

  public func cursor(_ category: SyncCategory) throws(SyncError) -> String? {
    try answer {
      try library.read { db in
        try String.fetchOne(db, sql: "SELECT cursor FROM syncCursor WHERE category = ?", arguments: [category.rawValue])
      }
    }
  }

  public func apply(
    _ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules
  ) throws(SyncError) -> SyncChanges {
    try answer {
      var (undo, changed, fresh) = (self.undo, changedEpisodes, newPodcasts)
      let changes = try write(keeps: !rules.isDryRun) { db in
        for (device, name) in pull.deviceNames {
          try db.execute(sql: "INSERT OR REPLACE INTO syncDevice VALUES (?, ?)", arguments: [device, name])
        }
        var changes = SyncChanges()
        switch category {
        case .subscriptions:
          changes = try SyncSubscriptions(db: db, rules: rules).apply(pull.subscriptions, &undo, &fresh)
        case .episodes:
          changes.episodes = try SyncEpisodes(library: self.library, db: db, rules: rules)
            .apply(pull.episodes, &undo, &changed)
        case .collections:
          changes.registers = try SyncCollections(library: self.library, db: db).apply(
            pull.registers, rules, &undo)
        }
        if let cursor = pull.cursor {
          try db.execute(
            sql: "INSERT OR REPLACE INTO syncCursor VALUES (?, ?)", arguments: [category.rawValue, cursor])
        }
        try undo.store(db, now: Date(timeIntervalSince1970: rules.clock.now))
        return changes
      }
      if !rules.isDryRun { (self.undo, changedEpisodes, newPodcasts) = (undo, changed, fresh) }
      return changes
    }
  }

  public func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing {
    try answer {
      try write(keeps: !rules.isDryRun) { db in
        switch category {
        case .subscriptions:
          try SyncSubscriptions(db: db, rules: rules).outgoing(limit: limit, without: without)
        case .episodes:
          try SyncEpisodes(library: self.library, db: db, rules: rules).outgoing(limit: limit, without: without)
        case .collections:
          try SyncCollections(library: self.library, db: db).outgoing(limit: limit, rules, without: without)
        }
      }
    }
  }

  public func willSend(_ outgoing: SyncOutgoing) throws(SyncError) {
    try answer {
      try library.write { db in
        if !outgoing.batch.subscriptions.isEmpty { try SyncSubscriptions.willSend(db, outgoing) }
        if !outgoing.batch.episodes.isEmpty { try SyncEpisodes.willSend(db, outgoing) }
      }
    }
  }

  public func didSend(
    _ outgoing: SyncOutgoing, _ receipt: SyncReceipt, _ rules: SyncRules
  ) throws(SyncError) {
    try answer {
      try library.write { db in
        if !outgoing.batch.subscriptions.isEmpty {
          try SyncSubscriptions(db: db, rules: rules).didSend(outgoing, receipt)
        }
        if !outgoing.batch.episodes.isEmpty { try SyncEpisodes.didSend(db, outgoing) }
        if !outgoing.batch.registers.isEmpty { try SyncCollections.didSend(db, outgoing) }
      }
    }
  }

  public func collectUnsent(_ rules: SyncRules, everything: Bool) throws(SyncError) {
    try answer {
      try library.write { db in
        if everything {
          for table in ["syncSubscription", "syncEpisode", "syncRegister"] {
            try db.execute(sql: "UPDATE \(table) SET agreed = NULL")
          }
        }
        try SyncEpisodes.collectUnsent(db)
      }
    }
  }

  /// - Parameter keeps: false: what was done is taken back.
  private func write<T>(keeps: Bool, _ body: (Database) throws -> T) throws -> T {
    if keeps { return try library.write(body) }
    var result: T?
    try library.write { db in
      try db.inSavepoint {
        result = try body(db)
        return .rollback
      }
    }
    guard let result else { throw StoreError.failed(path: library.path, detail: "nothing was read") }
    return result
  }

  private func answer<T>(_ body: () throws -> T) throws(SyncError) -> T {
    do { return try body() } catch { throw .library("\(error)") }
  }
}

/// The step of the undo log that a run fills.
struct SyncUndo {
  let label: String
  private(set) var id: Int64?
  private var steps: [UndoStep] = []
  private var isDirty = false
  private var episodes = 0

  init(label: String) { self.label = label }

  /// Call before an episode is changed.
  mutating func keep(_ episode: EpisodeID, _ db: Database, now: Date) throws {
    try UndoLog.keepEpisode(db, begin(db, now: now), episode)
    episodes += 1
  }

  /// Call before the change that the step takes back.
  mutating func add(_ step: UndoStep, _ db: Database, now: Date) throws {
    _ = try begin(db, now: now)
    steps.append(step)
    isDirty = true
  }

  @discardableResult
  mutating func begin(_ db: Database, now: Date) throws -> Int64 {
    // Gone when the listener has taken it back already while the run goes on.
    if let id, try Bool.fetchOne(db, sql: "SELECT 1 FROM undo WHERE id = ?", arguments: [id]) != nil { return id }
    steps = []
    let id = try UndoLog.record(db, label: label, step: .sync([]), now: now)
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
