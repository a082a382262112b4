import Foundation
import GRDB
import Model
import Sync

/// Syncs what only folders support: queue, playlists, clips, tags, and settings and images of podcasts. Each is a set
/// of registers (docs/SYNC.md lists them), and the latest change of a register wins. Each list item is a register
/// with its order key. So items that two devices add are both kept, and removed items stay removed.
struct SyncCollections {
  let library: Library
  let db: Database
  /// Whether transcripts are sent and taken, too.
  var takesTranscripts = false

  private var table: RegisterTable { RegisterTable(db: db) }

  // MARK: Recording local changes

  /// Whether there are registers: a folder was synced.
  static func isUsed(_ db: Database) throws -> Bool { try db.hasRow("SELECT 1 FROM syncRegister") }

  /// Whether there are changes to record.
  static func isTouched(_ db: Database) throws -> Bool {
    try db.hasRow("SELECT 1 FROM syncTouched") && isUsed(db)
  }

  /// For a transaction whose changes are recorded by a later one.
  /// - Returns: whether there is something to record.
  static func ignoreTouched(_ db: Database) throws -> Bool {
    guard try isTouched(db) else { return false }
    try db.run("DELETE FROM syncTouched")
    return true
  }

  /// Compares the tables with the stored registers, and records what has changed. Called at the end of each
  /// transaction that has written one of these tables.
  func capture(_ kinds: [CollectionKind] = CollectionKind.allCases, now: Double) throws {
    try db.run("DELETE FROM syncTouched")
    for kind in kinds { try capture(kind, now: now) }
  }

  private func capture(_ kind: CollectionKind, now: Double) throws {
    try capture(kind.prefixes, now: now) { try $0.read(kind) }
  }

  private func capture(list: String, now: Double) throws {
    try capture([list], now: now) { try $0.read(list: list) }
  }

  /// - Parameters:
  ///   - prefixes: of the keys of the registers that are compared.
  ///   - read: the same registers from the tables.
  private func capture(
    _ prefixes: [String], now: Double, _ read: (CollectionReader) throws -> [String: String]
  ) throws {
    let stored = try table.registers(prefixes)
    var writer = CollectionWriter(db: db, deviceID: library.deviceID, now: Date(timeIntervalSince1970: now))
    // Registers that are not applied yet are in no local list, and must keep their order keys.
    var values = stored.compactMapValues { $0.isApplied ? $0.state.value?.json : nil }
    let names = try namesWithoutGUID(stored, values, &writer)
    for (own, key) in names where values[own] == nil { values[own] = values[key] }
    let current = try read(CollectionReader(db: db, stored: values))
    for (own, value) in current {
      let key = stored[own] == nil ? names[own] ?? own : own
      var register =
        stored[key] ?? RegisterTable.Stored(state: Versioned(value: nil, time: 0, version: 0), isApplied: true)
      // The list is still being merged, so the item has its previous order key; or a newer version has made the rule.
      if !register.isApplied, CollectionKind.list(of: key) != nil { continue }
      // A register that is not applied is no change by the listener, but what the listener does afterwards is one.
      guard let changed = RegisterText.changed(register.present, to: value) else { continue }
      register.state.change(to: RegisterValue(changed), at: now)
      try table.write(key, register.state, isApplied: true)
    }
    var lists: [String: Bool] = [:]
    // In the order of the keys, the episodes of one podcast come together.
    let gone = stored.filter { $1.present != nil && current[$0] == nil }.sorted { $0.key < $1.key }
    for (key, register) in gone {
      if try hasLostParent(key, &lists) { continue }
      // Another name of an item that is there.
      if !current.isEmpty, let own = try writer.ownKey(key, register.present), current[own] != nil { continue }
      var register = register
      register.state.change(to: RegisterValue(nil), at: now)
      try table.write(key, register.state, isApplied: true)
    }
  }

  /// The keys of episodes without a guid, by the keys that they would get now: the media address may change at each
  /// fetch of the feed. Such a register keeps its key.
  private func namesWithoutGUID(
    _ stored: [String: RegisterTable.Stored], _ values: [String: String], _ writer: inout CollectionWriter
  ) throws -> [String: String] {
    var names: [String: String] = [:]
    for (key, value) in values where RegisterText.hasNoGUID(value) {
      guard let own = try writer.ownKey(key, value), own != key else { continue }
      if let other = names[own], stored[other]?.state.time ?? 0 >= stored[key]?.state.time ?? 0 { continue }
      names[own] = key
    }
    return names
  }

  /// Whether the playlist or the clip of an item was removed. Its register stays, so that the item comes back if
  /// another device has changed that playlist or clip later.
  /// - Parameter lists: whether the playlists exist, as far as it is known.
  private func hasLostParent(_ key: String, _ lists: inout [String: Bool]) throws -> Bool {
    guard let list = CollectionKind.list(of: key), list.hasPrefix("item/") else { return false }
    let exists = try lists[list] ?? (SyncName.playlist(db, list: list) != nil)
    lists[list] = exists
    let item = key.dropFirst(list.count)
    return try !exists || item.hasPrefix("clip ") && SyncName.id(db, "clip", String(item.dropFirst(5))) == nil
  }

  // MARK: Receiving

  /// Continues a merge for one transaction.
  func advance(_ merge: inout CollectionMerge, _ rules: SyncRules, _ undo: inout SyncUndo) throws {
    let now = Date(timeIntervalSince1970: rules.clock.now)
    var slice = SyncSlice()
    var writer = CollectionWriter(
      db: db, deviceID: library.deviceID, now: now, takesTranscripts: takesTranscripts)
    if try merge.isFirst || !Self.isUsed(db), merge.present == nil {
      // Before the first sync there are no registers. Local data is then merged with what arrives, and nothing is
      // removed.
      let reader = CollectionReader(db: db, stored: [:])
      merge.present = try CollectionKind.allCases.reduce(into: [String: String]()) { present, kind in
        present.merge(try reader.read(kind)) { $1 }
      }
      merge.device = try Library.syncAccount(db)?.device
      merge.kinds = Set(CollectionKind.allCases)
    }
    // What was made here since the last sync must not be overwritten as if it had been sent.
    if !merge.transcripts.isEmpty { return try capture(&merge.transcripts, now: rules.clock.now) }
    while let step = merge.step, slice.takes() {
      switch step {
      case .receive(let change): try receive(change, &merge, &writer, rules, &undo)
      case .findPending: merge.pending = rules.isDryRun ? [] : try pending()
      case .apply(let key): if try applyPending(key, &writer, &undo) { merge.changed.insert(key) }
      case .order(let list):
        try writer.order(list, &undo)
        try capture(list: list, now: rules.clock.now)
      case .capture(let kind): try capture(kind, now: rules.clock.now)
      }
      merge.finish(step)
      merge.lists.formUnion(writer.lists)
      writer.lists = []
    }
    // The last steps record what this has changed in other registers.
    _ = try Self.ignoreTouched(db)
  }

  private func receive(
    _ change: RegisterChange, _ merge: inout CollectionMerge, _ writer: inout CollectionWriter, _ rules: SyncRules,
    _ undo: inout SyncUndo
  ) throws {
    let old = try table.register(change.key)
    if change.value == nil, old == nil, merge.present?[change.key] != nil, change.key.hasPrefix("playlist/") {
      try rename(String(change.key.dropFirst(9)), in: &merge)
    }
    if old == nil, let local = merge.present?[change.key] {
      // A removal from before this device joined is ignored, and so is the newest value if this device wrote it before
      // it left, and the listener has changed it since: the local value is recorded as a later change.
      let isOwn = change.device == merge.device && CollectionKind.list(of: change.key) == nil
      if change.value == nil || isOwn && RegisterText.changed(change.value, to: local) != nil {
        return try table.write(
          change.key, Versioned(value: nil, time: 0, version: 0, seen: change.time), isApplied: true)
      }
    }
    var state = old?.state ?? Versioned(value: nil, time: 0, version: 0)
    guard state.receive(RegisterValue(change.value), at: change.time, rules.clock) == .applied else {
      if let old, old.state != state {
        try table.write(change.key, state, isApplied: old.isApplied, local: old.local)
      }
      return
    }
    merge.changed.insert(change.key)
    let list = CollectionKind.list(of: change.key)
    // The items of a list are applied together, because each changes the whole list.
    let isApplied =
      try list == nil && !rules.isDryRun
      && apply(
        change.key, change.value.flatMap { JSONValue($0) }, old?.present.flatMap { JSONValue($0) }, &writer, &undo)
    try table.write(change.key, state, isApplied: isApplied, local: old?.present)
    if let list { writer.lists.insert(list) }
  }

  /// A removed playlist of another device has the name that was derived from the title of one here. The registers of
  /// its items are still there, so the one here gets another name.
  private func rename(_ name: String, in merge: inout CollectionMerge) throws {
    guard let id = try SyncName.id(db, "playlist", name) else { return }
    let new = UUID().uuidString.lowercased()
    try SyncName.set(db, "playlist", id, new)
    let keys = ["playlist/\(name)"] + (merge.present ?? [:]).keys.filter { $0.hasPrefix("item/\(name)/") }
    for key in keys {
      let local = merge.present?.removeValue(forKey: key)
      merge.present?[key.replacing("/\(name)", with: "/\(new)", maxReplacements: 1)] = local
    }
  }

  /// Applies a register. One that the tables refuse waits, so that it does not block those of other devices.
  /// - Parameter old: what the tables have.
  private func apply(
    _ key: String, _ value: JSONValue?, _ old: JSONValue?, _ writer: inout CollectionWriter, _ undo: inout SyncUndo
  ) throws -> Bool {
    let before = (writer, undo)
    var isApplied = false
    do {
      try db.inSavepoint {
        isApplied = try writer.apply(key, value, old: old, &undo)
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      (writer, undo) = before
      return false
    }
    return isApplied
  }

  /// The keys of registers that arrived before the things they concern.
  private func pending() throws -> [String] {
    try String.fetchAll(db, "SELECT key FROM syncRegister WHERE NOT isApplied ORDER BY key").filter {
      takesTranscripts || !$0.hasPrefix(SyncTranscript.prefix)
    }
  }

  /// - Returns: whether it is applied now. Those of lists are not, because `order` applies them.
  @discardableResult
  private func applyPending(_ key: String, _ writer: inout CollectionWriter, _ undo: inout SyncUndo) throws -> Bool {
    if let list = CollectionKind.list(of: key) {
      writer.lists.insert(list)
      return false
    }
    guard let register = try table.register(key), !register.isApplied,
      try apply(key, register.value, register.localValue, &writer, &undo)
    else { return false }
    try table.markApplied([key])
    return true
  }

  /// Applies registers that arrived before the episodes of this podcast.
  static func applyWaiting(_ library: Library, _ db: Database, podcast: PodcastID, now: Date) throws {
    // Keys contain the feed's key, except for those of clips.
    let keys = try String.fetchAll(
      db,
      """
      SELECT key FROM syncRegister JOIN (SELECT feedKey FROM podcast WHERE id = ?)
      WHERE NOT isApplied AND (instr(key, feedKey) OR instr(value, feedKey))
      """, [podcast.rawValue])
    guard !keys.isEmpty else { return }
    var undo = SyncUndo(label: "Sync of playlists whose episodes have arrived", continuesLastStep: true)
    try undo.open(db)
    let own = SyncCollections(library: library, db: db)
    var writer = CollectionWriter(db: db, deviceID: library.deviceID, now: now)
    for key in keys.sorted(by: CollectionKind.isBefore) { try own.applyPending(key, &writer, &undo) }
    if keys.contains(where: { $0.hasPrefix("clip/") }) {
      writer.lists.formUnion(try own.pending().compactMap(CollectionKind.list))
    }
    for list in writer.lists.sorted() { try writer.order(list, &undo) }
    try undo.store(db)
  }

  // MARK: Sending

  /// The transcripts that are to be captured. Reads all their registers, which takes long.
  func changedTranscripts() throws -> SyncTranscript.Changes {
    var writer = CollectionWriter(db: db, deviceID: library.deviceID, now: Date())
    return try SyncTranscript(db: db).changes { try writer.episode($0) }
  }

  /// Captures as many as fit in one transaction.
  private func capture(_ transcripts: inout SyncTranscript.Changes, now: Double) throws {
    try SyncTranscript(db: db).capture(&transcripts) { key, value in
      var state = try table.register(key)?.state ?? Versioned(value: nil, time: 0, version: 0)
      state.change(to: RegisterValue(value), at: now)
      try table.write(key, state, isApplied: true)
    }
  }

  /// Captures what is from before the first sync, and as many transcripts as fit in one transaction.
  func captureUnsent(_ transcripts: inout SyncTranscript.Changes, _ rules: SyncRules) throws {
    if try !Self.isUsed(db) { try capture(now: rules.clock.now) }
    if !transcripts.isEmpty { try capture(&transcripts, now: rules.clock.now) }
  }

  /// How many bytes of values are sent at once. A dry run counts all.
  private static let batchSize = 8_000_000

  /// - Parameter transcripts: what is left to capture in a dry run. It counts those that fit in one transaction.
  func outgoing(
    limit: Int, _ rules: SyncRules, without: Set<String>, _ transcripts: inout SyncTranscript.Changes
  ) throws -> SyncOutgoing {
    try captureUnsent(&transcripts, rules)
    var outgoing = SyncOutgoing()
    var size = 0
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key, value, time, version, seen, agreed FROM syncRegister
        WHERE agreed IS NOT version ORDER BY key LIMIT ?
        """, arguments: [limit + without.count])
    while outgoing.keys.count < limit, size < Self.batchSize || rules.isDryRun,
      let row = try rows.next().map({ CheckedRow($0) })
    {
      let key = try row[0] as String
      guard !without.contains(key) else { continue }
      let state = try Versioned(
        value: RegisterValue(row[1]), time: row[2], version: row[3], seen: row[4], agreed: row[5])
      outgoing.batch.registers.append(
        RegisterChange(key: key, value: state.value?.json, time: state.sharedTime(rules.clock)))
      outgoing.keys.append(key)
      outgoing.versions.append(state.version)
      size += state.value?.json?.utf8.count ?? 0
    }
    return outgoing
  }

  static func didSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    for (index, change) in outgoing.batch.registers.enumerated() {
      try db.run(
        "UPDATE syncRegister SET seen = max(coalesce(seen, ?1), ?1), agreed = ?2 WHERE key = ?3",
        [change.time, outgoing.versions[index], outgoing.keys[index]])
    }
  }
}
