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

    var isRemoved: Bool { state.value?.json == nil }
    /// Nil: it was removed.
    var value: JSONValue? { state.value?.json.flatMap { JSONValue($0) } }
    var localValue: JSONValue? { local.flatMap { JSONValue($0) } }
  }

  private static let columns = "key, value, time, version, seen, agreed, isApplied, local"

  /// - Parameter prefixes: of the keys.
  func registers(_ prefixes: [String]) throws -> [String: Stored] {
    try Dictionary(prefixes.flatMap { try fetch(prefix: $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The registers of a list, by their keys. Removals that are applied are left out, unless an item of the same feed
  /// waits: it may be another name of what was removed.
  /// - Parameter list: the beginning of the keys: "queue/", "rule/", "item/NAME/".
  func items(of list: String) throws -> [(String, Stored)] {
    func feed(_ key: String) -> Substring { key.dropFirst(list.count).prefix { $0 != " " } }
    let all = try fetch(prefix: list)
    let waiting = Set(all.filter { _, register in !register.isApplied && !register.isRemoved }.map { feed($0.0) })
    return all.filter { key, register in
      !register.isRemoved || !register.isApplied || waiting.contains(feed(key))
    }
  }

  /// Those whose key or value contains the key of a feed, without transcripts, which are large.
  func registers(naming feedKey: String) throws -> [(String, Stored)] {
    let prefix = SyncTranscript.prefix
    return try fetch(
      "(key < ? OR key >= ?) AND (instr(key, ?) OR instr(value, ?))",
      [prefix, CollectionKind.end(of: prefix), feedKey, feedKey])
  }

  func register(_ key: String) throws -> Stored? { try fetch("key = ?", [key]).first?.1 }

  private func fetch(prefix: String) throws -> [(String, Stored)] {
    try fetch("key >= ? AND key < ?", [prefix, CollectionKind.end(of: prefix)])
  }

  private func fetch(_ condition: String, _ arguments: StatementArguments) throws -> [(String, Stored)] {
    try db.rows("SELECT \(Self.columns) FROM syncRegister WHERE \(condition) ORDER BY key", arguments)
      .map { row in
        let state = try Versioned(
          value: RegisterValue(row[1]), time: row[2], version: row[3], seen: row[4], agreed: row[5])
        return try (row[0], Stored(state: state, isApplied: row[6], local: row[7]))
      }
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

  func markApplied(_ keys: [String]) throws {
    for key in keys { try db.run("UPDATE syncRegister SET isApplied = 1, local = NULL WHERE key = ?", [key]) }
  }

  /// Items that wait do not count as removed.
  /// - Parameter list: the beginning of the keys.
  func markWaiting(list: String) throws {
    try db.run(
      "UPDATE syncRegister SET isApplied = 0 WHERE key >= ? AND key < ? AND value IS NOT NULL AND isApplied",
      [list, CollectionKind.end(of: list)])
  }

  /// The same for a clip in all playlists.
  func markWaiting(clip name: String) throws {
    try db.run(
      """
      UPDATE syncRegister SET isApplied = 0
      WHERE key >= 'item/' AND key < 'item0' AND value IS NOT NULL AND isApplied AND substr(key, -length(?1)) = ?1
      """, ["/clip " + name])
  }
}
