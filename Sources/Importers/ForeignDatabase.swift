import Foundation
import GRDB
import Model

/// A copy of another program's database, open for reading.
struct ForeignDatabase {
  /// Of the original.
  var path: String
  /// In lower case, as SQLite compares them.
  var tables: Set<String>
  private let db: Database

  /// Copies the file with the journal that may lie beside it: what the other program had not finished is in there.
  static func withCopy<Result>(
    of path: String, in scratch: String, _ body: (ForeignDatabase) throws -> Result
  ) throws(ImportError) -> Result {
    let directory = "\(scratch)/import-\(UUID().uuidString.lowercased())"
    defer { remove(directory) }
    do {
      let queue = try DatabaseQueue(path: try copy(path, into: directory))
      let result = try queue.inDatabase { db in
        let names = try String.fetchAll(db, sql: "SELECT lower(name) FROM sqlite_master WHERE type = 'table'")
        return try body(ForeignDatabase(path: path, tables: Set(names), db: db))
      }
      try queue.close()
      return result
    } catch let error as ImportError {
      throw error
    } catch let error as DatabaseError {
      throw .damaged(path: path, detail: error.message ?? String(describing: error.resultCode))
    } catch {
      throw .unreadable(path: path, why: error.localizedDescription)
    }
  }

  /// - Returns: where the copy is.
  private static func copy(_ path: String, into directory: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let copy = directory + "/copy.db"
    for companion in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + companion) {
      try FileManager.default.copyItem(atPath: path + companion, toPath: copy + companion)
      // The original may be read-only, and recovery writes to the copy.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + companion)
    }
    return copy
  }

  /// What stays behind is in the cache's directory, and is nobody's loss.
  private static func remove(_ directory: String) { try? FileManager.default.removeItem(atPath: directory) }

  private init(path: String, tables: Set<String>, db: Database) {
    self.path = path
    self.tables = tables
    self.db = db
  }

  /// The names of a table's columns, in lower case.
  func columns(of table: String) throws -> Set<String> {
    Set(try db.columns(in: table).map { $0.name.lowercased() })
  }

  /// Calls `body` for each row.
  func each(_ sql: String, _ body: (ForeignRow) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() { try body(ForeignRow(row: row)) }
  }
}

/// A row of somebody else's table: any column may be absent and hold anything. Nothing here throws or traps; what is
/// not as expected is as good as nothing.
struct ForeignRow {
  fileprivate let row: Row

  /// Nil for what is empty, too.
  func text(_ column: String) -> String? {
    switch value(column) {
    case .string(let text): text.isEmpty ? nil : text
    case .int64(let number): String(number)
    case .blob(let data): String(data: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
    case .double, .null, nil: nil
    }
  }

  /// Also of a number in a text.
  func number(_ column: String) -> Double? {
    switch value(column) {
    case .int64(let number): Double(number)
    case .double(let number): number.isFinite ? number : nil
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .blob, .null, nil: nil
    }
  }

  func flag(_ column: String) -> Bool { (number(column) ?? 0) != 0 }

  func integer(_ column: String) -> Int? { number(column).flatMap { Int(exactly: $0.rounded()) } }

  /// Seconds since 1970; nil for 0, which programs write for "never".
  func date(_ column: String, perSecond: Double = 1) -> Date? {
    guard let number = number(column), number > 0 else { return nil }
    return Date(timeIntervalSince1970: number / perSecond)
  }

  private func value(_ column: String) -> DatabaseValue.Storage? {
    (row[column] as DatabaseValue?)?.storage
  }
}

/// Collects episodes under their podcasts, in the order in which the other program has them.
struct ForeignCollector<Key: Hashable> {
  private var order: [Key] = []
  private var podcasts: [Key: ForeignPodcast] = [:]

  mutating func add(_ key: Key, _ podcast: ForeignPodcast) {
    if podcasts[key] == nil { order.append(key) }
    podcasts[key] = podcast
  }

  /// One that nobody touched is left to the refresh, and one of no known podcast is nobody's.
  mutating func add(_ episode: ForeignEpisode, to key: Key) {
    guard episode.isTouched else { return }
    podcasts[key]?.episodes.append(episode)
  }

  var all: [ForeignPodcast] { order.compactMap { podcasts[$0] } }
}
