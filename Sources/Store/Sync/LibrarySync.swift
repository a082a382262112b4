import Foundation
import GRDB
import Model
import Sync

/// The library as a sync run sees it. All changes of a run are one step of the undo log.
///
/// `@unchecked`: a run makes its calls one after the other, and nothing else has the object.
public final class LibrarySync: SyncStore, @unchecked Sendable {
  let library: Library
  private let takesTranscripts: Bool
  /// What this run has changed.
  private var merged: Merged

  private var sending = EpisodeSending()
  /// How many transactions have applied changes.
  private(set) var transactionCount = 0

  private struct Merged {
    var undo: SyncUndo
    var episodes: Set<EpisodeID> = []
    var podcasts: [PodcastID] = []
  }

  /// Episodes whose status or position changed in this run.
  public var changedEpisodes: Set<EpisodeID> { merged.episodes }
  /// Podcasts that this run subscribed to and that were not in the library. Their feeds must be fetched.
  public var newPodcasts: [PodcastID] { merged.podcasts }

  /// - Parameters:
  ///   - server: for the undo log: "Sync with …".
  ///   - takesTranscripts: sends and takes transcripts that were made by the listener.
  public init(library: Library, server: String, takesTranscripts: Bool = false) {
    self.library = library
    self.takesTranscripts = takesTranscripts
    merged = Merged(undo: SyncUndo(label: "Sync with \(server)"))
  }

  public func cursor(_ category: SyncCategory) throws(SyncError) -> String? {
    try answer {
      try library.read { db in
        try String.fetchOne(db, "SELECT cursor FROM syncCursor WHERE category = ?", [category.rawValue])
      }
    }
  }

  public func hasUnconfirmedPush(_ category: SyncCategory) throws(SyncError) -> Bool {
    guard category == .subscriptions else { return false }
    return try answer {
      try library.read { db in
        try db.hasRow(
          "SELECT 1 FROM syncSubscription s JOIN podcast p ON p.feedKey = s.feedKey WHERE s.attempted > 0")
      }
    }
  }

  /// Applies the changes in several transactions, so that a player can store its position in between. The last one
  /// saves the cursor: after a kill, the next run pulls the same changes again.
  public func apply(
    _ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules
  ) throws(SyncError) -> SyncChanges {
    try answer {
      let changes =
        switch category {
        case .subscriptions: try applySubscriptions(pull, rules)
        case .episodes: try applyEpisodes(pull.episodes, rules)
        case .collections: try applyCollections(pull.registers, rules)
        }
      try transaction(rules) { db, _ in
        try Self.storeDevices(db, pull, rules)
        if let cursor = pull.cursor { try Self.save(db, cursor, category) }
      }
      return changes
    }
  }

  private func applySubscriptions(_ pull: SyncPull, _ rules: SyncRules) throws -> SyncChanges {
    var result = SyncChanges()
    while rules.acceptsRemovals {
      let count = try transaction(rules) { db, merged in
        try SyncSubscriptions(db: db, rules: rules).acceptHeld(limit: SyncSlice.limit, &merged.undo)
      }
      result.unsubscribed += count
      if count < SyncSlice.limit || rules.isDryRun { break }
    }
    let plan = try library.read { db in try SyncSubscriptions(db: db, rules: rules).plan(pull.subscriptions) }
    try transactions(plan.changes, rules) { db, changes, merged in
      result += try SyncSubscriptions(db: db, rules: rules)
        .apply(changes, holds: plan.holds, &merged.undo, &merged.podcasts)
    }
    var lost = plan.missing
    if let list = pull.listOfNewDevices {
      lost += try library.read { db in try SyncSubscriptions(db: db, rules: rules).unlisted(list) }
    }
    try transactions(lost, rules) { db, lost, _ in try SyncSubscriptions(db: db, rules: rules).forget(lost) }
    return result
  }

  private func applyEpisodes(_ changes: [EpisodeChange], _ rules: SyncRules) throws -> SyncChanges {
    var result = SyncChanges()
    var found: Set<Int64> = []
    // Those of one podcast together, because each transaction reads the names of all its episodes.
    let changes = changes.sorted { $0.episode.podcast < $1.episode.podcast }
    var leftQueue = false
    try transactions(changes, rules) { db, changes, merged in
      result.episodes += try SyncEpisodes(library: self.library, db: db, rules: rules)
        .apply(changes, &merged.undo, &merged.episodes, &found)
      // Recorded once for all transactions, because that reads the whole queue.
      leftQueue = try SyncCollections.ignoreTouched(db) || leftQueue
    }
    if leftQueue {
      try transaction(rules) { db, _ in
        try SyncCollections(library: self.library, db: db).capture([.queue], now: rules.clock.now)
      }
    }
    if rules.isFull, rules.traits.mayLoseValues {
      let missing = try library.read { [found] db in try SyncEpisodes.missing(db, found: found) }
      try transactions(missing, rules) { db, missing, _ in try SyncEpisodes.resend(db, missing) }
    }
    return result
  }

  private func applyCollections(_ changes: [RegisterChange], _ rules: SyncRules) throws -> SyncChanges {
    var result = SyncChanges()
    let hasWaiting =
      try takesTranscripts && !rules.isDryRun && library.read { db in try SyncTranscript(db: db).isAnyWaiting() }
    guard !changes.isEmpty || hasWaiting else { return result }
    var merge = CollectionMerge(changes, isFirst: rules.isFirstSync)
    if !rules.isDryRun { merge.transcripts = try changedTranscripts() }
    while merge.step != nil {
      try transaction(rules) { db, merged in
        try SyncCollections(library: self.library, db: db, takesTranscripts: self.takesTranscripts)
          .advance(&merge, rules, &merged.undo)
      }
    }
    result.registers = merge.changed.count
    return result
  }

  /// Read before the transactions that capture them, so that a player can store its position meanwhile.
  private func changedTranscripts() throws -> SyncTranscript.Changes {
    guard takesTranscripts else { return .init() }
    return try library.read { db in try SyncCollections(library: self.library, db: db).changedTranscripts() }
  }

  // MARK: Transactions

  /// Splits the values into transactions.
  private func transactions<Value>(
    _ values: [Value], _ rules: SyncRules, _ body: (Database, ArraySlice<Value>, inout Merged) throws -> Void
  ) throws {
    for start in stride(from: 0, to: values.count, by: SyncSlice.limit) {
      let part = values[start..<min(values.count, start + SyncSlice.limit)]
      try transaction(rules) { db, merged in try body(db, part, &merged) }
    }
  }

  private func transaction<T>(_ rules: SyncRules, _ body: (Database, inout Merged) throws -> T) throws -> T {
    // Otherwise another process that waits for the lock would hardly get it between two transactions.
    if transactionCount > 0 { Thread.sleep(forTimeInterval: SyncSlice.pause) }
    transactionCount += 1
    var merged = merged
    let result = try write(keeps: !rules.isDryRun) { db in
      try merged.undo.open(db)
      let result = try body(db, &merged)
      try merged.undo.store(db)
      return result
    }
    if !rules.isDryRun { self.merged = merged }
    return result
  }

  public func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing {
    var sending = self.sending
    let outgoing = try answer {
      var transcripts = SyncTranscript.Changes()
      if category == .collections, without.isEmpty { transcripts = try changedTranscripts() }
      while !transcripts.isEmpty, !rules.isDryRun {
        try transaction(rules) { db, _ in
          try SyncCollections(library: self.library, db: db).captureUnsent(&transcripts, rules)
        }
      }
      return try write(keeps: !rules.isDryRun) { db in
        switch category {
        case .subscriptions:
          try SyncSubscriptions(db: db, rules: rules).outgoing(limit: limit, without: without)
        case .episodes:
          try SyncEpisodes(library: self.library, db: db, rules: rules).outgoing(
            limit: limit, after: without.isEmpty ? 0 : sending.last, isFirst: without.isEmpty || rules.isDryRun,
            &sending)
        case .collections:
          try SyncCollections(library: self.library, db: db)
            .outgoing(limit: limit, rules, without: without, &transcripts)
        }
      }
    }
    if category == .episodes, let last = outgoing.keys.last.flatMap({ Int64($0) }) { sending.last = last }
    self.sending = sending
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

  public func wasRefused(_ outgoing: SyncOutgoing) throws(SyncError) {
    guard !outgoing.batch.subscriptions.isEmpty else { return }
    try answer { try library.write { db in try SyncSubscriptions.wasRefused(db, outgoing) } }
  }

  public func queueUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError) {
    try answer {
      try library.write { db in
        switch lost {
        case .subscriptions: try db.run("UPDATE syncSubscription SET agreed = NULL")
        case .episodes: try db.run("UPDATE syncEpisode SET agreed = NULL")
        case .collections: try db.run("UPDATE syncRegister SET agreed = NULL")
        case nil: break
        }
        try SyncEpisodes.queueUnsent(db, isTimed: rules.traits.storesSubscriptionTimes)
      }
    }
  }

  public func save(_ cursor: String, _ category: SyncCategory) throws(SyncError) {
    try answer { try library.write { db in try Self.save(db, cursor, category) } }
  }

  /// Stores the names of devices, and when they were last seen. 0: they have changed nothing yet.
  private static func storeDevices(_ db: Database, _ pull: SyncPull, _ rules: SyncRules) throws {
    var seen = pull.deviceNames.mapValues { _ in 0.0 }
    func add(_ device: String?, _ time: Double?) {
      guard let device, !device.isEmpty, seen[device] != nil || seen.count < deviceLimit else { return }
      let time = time.map { rules.clock.local(rules.clock.plausible($0)) } ?? 0
      seen[device] = max(seen[device] ?? 0, time)
    }
    for change in pull.subscriptions { add(change.device, change.time) }
    for change in pull.episodes { add(change.device, change.time) }
    for change in pull.registers { add(change.device, change.time) }
    for (device, time) in seen {
      try db.run(
        """
        INSERT INTO syncDevice (device, name, seen) VALUES (?1, ?2, ?3)
        ON CONFLICT (device) DO UPDATE SET name = coalesce(?4, name), seen = max(coalesce(seen, 0), ?3)
        """, [device, pull.deviceNames[device] ?? device, time, pull.deviceNames[device]])
    }
  }

  /// How many devices a server may name.
  private static let deviceLimit = 200

  private static func save(_ db: Database, _ cursor: String, _ category: SyncCategory) throws {
    try db.run("INSERT OR REPLACE INTO syncCursor VALUES (?, ?)", [category.rawValue, cursor])
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

/// One transaction of a sync: so many values, or so much time.
struct SyncSlice {
  /// Values.
  static let limit = 500
  /// Seconds between two transactions. A process that waits for the lock tries again more often (`LibraryHandle`).
  static let pause = 0.015

  private let end = ContinuousClock.now + .milliseconds(100)
  private var left = limit

  /// Whether one more value fits. Always true for the first.
  mutating func takes() -> Bool {
    left -= 1
    return left == Self.limit - 1 || left >= 0 && ContinuousClock.now < end
  }
}
