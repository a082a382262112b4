import Foundation
import GRDB
import Model
import Sync

/// The library as a sync run sees it. All changes of a run are one step of the undo log.
///
/// `@unchecked`: a run makes its calls one after the other, and nothing else has the object.
public final class LibrarySync: SyncStore, @unchecked Sendable {
  let library: Library
  private let label: String
  private(set) var undo: SyncUndo

  /// The last episode returned by `outgoing` in this run. Episodes are sent in the order of their ids.
  private var lastSent: Int64 = 0

  /// Episodes whose status or position changed in this run.
  public internal(set) var changedEpisodes: Set<EpisodeID> = []
  /// Podcasts that this run subscribed to and that were not in the library. Their feeds must be fetched.
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

  public func hasUnconfirmedPush(_ category: SyncCategory) throws(SyncError) -> Bool {
    guard category == .subscriptions else { return false }
    return try answer {
      try library.read { db in
        try Bool.fetchOne(db, sql: "SELECT 1 FROM syncSubscription WHERE attempted > 0 LIMIT 1") != nil
      }
    }
  }

  public func apply(
    _ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules
  ) throws(SyncError) -> SyncChanges {
    try answer {
      var (undo, changed, fresh) = (self.undo, changedEpisodes, newPodcasts)
      let changes = try write(keeps: !rules.isDryRun) { db in
        try undo.open(db)
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
        if let cursor = pull.cursor { try Self.keep(db, cursor, category) }
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
    let outgoing = try answer {
      try write(keeps: !rules.isDryRun) { db in
        switch category {
        case .subscriptions:
          try SyncSubscriptions(db: db, rules: rules).outgoing(limit: limit, without: without)
        case .episodes:
          try SyncEpisodes(library: self.library, db: db, rules: rules).outgoing(
            limit: limit, after: without.isEmpty ? 0 : self.lastSent, isFirst: without.isEmpty || rules.isDryRun)
        case .collections:
          try SyncCollections(library: self.library, db: db).outgoing(limit: limit, rules, without: without)
        }
      }
    }
    if category == .episodes, let last = outgoing.keys.last.flatMap({ Int64($0) }) { lastSent = last }
    return outgoing
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

  public func queueUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError) {
    try answer {
      try library.write { db in
        switch lost {
        case .subscriptions: try db.execute(sql: "UPDATE syncSubscription SET agreed = NULL")
        case .episodes: try db.execute(sql: "UPDATE syncEpisode SET agreed = NULL")
        case .collections: try db.execute(sql: "UPDATE syncRegister SET agreed = NULL")
        case nil: break
        }
        try SyncEpisodes.queueUnsent(db)
      }
    }
  }

  public func keep(_ cursor: String, _ category: SyncCategory) throws(SyncError) {
    try answer { try library.write { db in try Self.keep(db, cursor, category) } }
  }

  private static func keep(_ db: Database, _ cursor: String, _ category: SyncCategory) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO syncCursor VALUES (?, ?)", arguments: [category.rawValue, cursor])
  }

  /// - Parameter keeps: false: the changes are rolled back.
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
