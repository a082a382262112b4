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

  struct Stored {
    var state: Versioned<RegisterValue>
    var isApplied: Bool
  }

  // MARK: Recording local changes

  /// Compares the tables with the stored registers, and records what has changed. Called at the end of each
  /// transaction that has written one of these tables.
  func capture(now: Double) throws {
    try db.execute(sql: "DELETE FROM syncTouched")
    let stored = try registers()
    // Registers that are not applied yet are in no local list, and must keep their order keys.
    let current = try CollectionReader(
      db: db, stored: stored.compactMapValues { $0.isApplied ? $0.state.value?.json : nil }
    )
    .read()
    for (key, value) in current {
      var register = stored[key] ?? Stored(state: Versioned(value: nil, time: 0, version: 0), isApplied: true)
      guard register.state.value?.json != value else { continue }
      register.state.change(to: RegisterValue(value), at: now)
      try write(key, register.state, isApplied: true)
    }
    for (key, var register) in stored
    where register.isApplied && register.state.value?.json != nil && current[key] == nil {
      register.state.change(to: RegisterValue(nil), at: now)
      try write(key, register.state, isApplied: true)
    }
  }

  private func registers() throws -> [String: Stored] {
    let rows = try Row.fetchAll(db, sql: "SELECT key, value, time, version, seen, agreed, isApplied FROM syncRegister")
    var result: [String: Stored] = [:]
    for row in rows.map(CheckedRow.init) {
      result[try row[0]] = try Stored(
        state: Versioned(
          value: RegisterValue(row[1]), time: row[2], version: row[3], seen: row[4], agreed: row[5]),
        isApplied: row[6])
    }
    return result
  }

  private func write(_ key: String, _ state: Versioned<RegisterValue>, isApplied: Bool) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO syncRegister (key, value, time, version, seen, agreed, isApplied)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      key, state.value?.json, state.time, state.version, state.seen, state.agreed, isApplied,
    ])
  }

  // MARK: Receiving

  /// - Returns: how many registers changed here.
  func apply(_ changes: [RegisterChange], _ rules: SyncRules, _ undo: inout SyncUndo) throws -> Int {
    // Before the first sync there are no registers. Local data is then merged with what arrives, and nothing is
    // removed.
    let isFirst = try Bool.fetchOne(db, sql: "SELECT 1 FROM syncRegister LIMIT 1") == nil
    var stored = try registers()
    var touched: Set<String> = []
    let present = isFirst ? try CollectionReader(db: db, stored: [:]).read() : [:]
    for change in changes {
      var register = stored[change.key] ?? Stored(state: Versioned(value: nil, time: 0, version: 0), isApplied: false)
      if isFirst, change.value == nil, present[change.key] != nil {
        // A removal from before this device joined is ignored: the local value is recorded as a later change.
        let state = Versioned<RegisterValue>(value: nil, time: 0, version: 0, seen: change.time)
        stored[change.key] = Stored(state: state, isApplied: true)
        try write(change.key, state, isApplied: true)
        continue
      }
      guard register.state.receive(RegisterValue(change.value), at: change.time, rules.clock) == .applied else {
        if stored[change.key] != nil {
          stored[change.key] = register
          try write(change.key, register.state, isApplied: register.isApplied)
        }
        continue
      }
      register.isApplied = false
      stored[change.key] = register
      touched.insert(change.key)
      try write(change.key, register.state, isApplied: false)
    }
    let now = Date(timeIntervalSince1970: rules.clock.now)
    try applyPending(now: now, &undo)
    try capture(now: rules.clock.now)
    return touched.count
  }

  /// Applies registers that arrived before the things they concern.
  static func applyWaiting(_ library: Library, _ db: Database, now: Date) throws {
    guard try Bool.fetchOne(db, sql: "SELECT 1 FROM syncRegister WHERE NOT isApplied LIMIT 1") != nil else { return }
    var undo = SyncUndo(label: "Sync of playlists whose episodes have arrived", continuesLastStep: true)
    try undo.open(db)
    try SyncCollections(library: library, db: db).applyPending(now: now, &undo)
    try undo.store(db, now: now)
  }

  private func applyPending(now: Date, _ undo: inout SyncUndo) throws {
    // Playlists and clips first, then their contents.
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT key, value FROM syncRegister WHERE NOT isApplied
        ORDER BY key NOT LIKE 'clip/%', key NOT LIKE 'playlist/%', key
        """
    ).map(CheckedRow.init)
    var writer = CollectionWriter(db: db, deviceID: library.deviceID, now: now)
    for row in rows {
      let (key, text) = (try row[0] as String, try row[1] as String?)
      guard try writer.apply(key, text.flatMap { JSONValue($0) }, &undo) else { continue }
      try db.cachedStatement(sql: "UPDATE syncRegister SET isApplied = 1 WHERE key = ?").execute(arguments: [key])
    }
    try writer.order(&undo)
  }

  // MARK: Sending

  func outgoing(limit: Int, _ rules: SyncRules, without: Set<String>) throws -> SyncOutgoing {
    // Records changes from before the first sync.
    if try Bool.fetchOne(db, sql: "SELECT 1 FROM syncRegister LIMIT 1") == nil { try capture(now: rules.clock.now) }
    var outgoing = SyncOutgoing()
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT key, value, time, version, seen, agreed FROM syncRegister
        WHERE agreed IS NOT version ORDER BY key LIMIT ?
        """, arguments: [limit + without.count]
    ).map(CheckedRow.init)
    for row in rows {
      let key = try row[0] as String
      guard !without.contains(key), outgoing.keys.count < limit else { continue }
      let state = try Versioned(
        value: RegisterValue(row[1]), time: row[2], version: row[3], seen: row[4], agreed: row[5])
      outgoing.batch.registers.append(
        RegisterChange(key: key, value: state.value?.json, time: state.sharedTime(rules.clock)))
      outgoing.keys.append(key)
      outgoing.versions.append(state.version)
    }
    return outgoing
  }

  static func didSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    for (index, change) in outgoing.batch.registers.enumerated() {
      try db.cachedStatement(
        sql: "UPDATE syncRegister SET seen = max(coalesce(seen, ?1), ?1), agreed = ?2 WHERE key = ?3"
      ).execute(arguments: [change.time, outgoing.versions[index], outgoing.keys[index]])
    }
  }
}
