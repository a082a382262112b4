import GRDB
import Model
import Sync

/// The stored registers: what is synced through a folder, beside the states of episodes.
struct RegisterTable {
  let db: Database

  struct Stored {
    var state: Versioned<RegisterValue>
    var isApplied: Bool
    /// What the tables had when a register arrived that is not applied, as JSON. Nil: nothing, or it is applied.
    var local: String?
    /// What the tables have, unless the listener has changed it since.
    var present: String? { isApplied ? state.value?.json : local }
  }

  private static let columns = "key, value, time, version, seen, agreed, isApplied, local"

  /// - Parameter prefixes: of the keys.
  func registers(_ prefixes: [String]) throws -> [String: Stored] {
    var result: [String: Stored] = [:]
    for prefix in prefixes {
      result.merge(
        try fetch("key >= ? AND key < ?", [prefix, CollectionKind.end(of: prefix)]),
        uniquingKeysWith: { first, _ in first })
    }
    return result
  }

  /// Those whose key or value contains the key of a feed, without transcripts, which are large.
  func registers(naming feedKey: String) throws -> [String: Stored] {
    let prefix = SyncTranscript.prefix
    return try fetch(
      "(key < ? OR key >= ?) AND (instr(key, ?) OR instr(value, ?))",
      [prefix, CollectionKind.end(of: prefix), feedKey, feedKey])
  }

  func register(_ key: String) throws -> Stored? { try fetch("key = ?", [key])[key] }

  private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [String: Stored] {
    let statement = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM syncRegister WHERE \(condition)")
    let rows = try CheckedRow.fetchAll(statement, arguments: arguments)
    return try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let state = try Versioned(
          value: RegisterValue(row[1]), time: row[2], version: row[3], seen: row[4], agreed: row[5])
        return try (row[0], Stored(state: state, isApplied: row[6], local: row[7]))
      })
  }

  /// - Parameter local: what the tables have instead, if it is not applied.
  func write(_ key: String, _ state: Versioned<RegisterValue>, isApplied: Bool, local: String? = nil) throws {
    try db.run(
      "INSERT OR REPLACE INTO syncRegister (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [key, state.value?.json, state.time, state.version, state.seen, state.agreed, isApplied, isApplied ? nil : local])
  }

  func write(_ key: String, _ register: Stored) throws {
    try write(key, register.state, isApplied: register.isApplied, local: register.local)
  }
}
