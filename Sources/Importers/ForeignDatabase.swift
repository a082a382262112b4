import CSQLite
import Foundation
import GRDB

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
      let queue = try DatabaseQueue(path: try copy(path, into: directory), configuration: distrusting)
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

  /// The schema is somebody else's: its views and triggers must not call functions with side effects.
  /// Source: https://www.sqlite.org/security.html
  private static var distrusting: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      let code = earshot_distrust(db.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      try db.execute(sql: "PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// Copies until nothing was written meanwhile: the database of one moment and the log of another are no database.
  /// SQLite's locks are not asked for, because that would keep the other program from writing.
  /// - Returns: where the copy is.
  private static func copy(_ path: String, into directory: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for attempt in 1...attempts {
      let copy = "\(directory)/\(attempt).db"
      let before = FileStamp.all(of: path)
      for companion in companions where FileManager.default.fileExists(atPath: path + companion) {
        try FileManager.default.copyItem(atPath: path + companion, toPath: copy + companion)
        // The original may be read-only, and recovery writes to the copy.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + companion)
      }
      if FileStamp.all(of: path) == before { return copy }
    }
    throw ImportError.busy(path: path)
  }

  /// The file and what may lie beside it.
  static let companions = ["", "-wal", "-journal"]

  /// A copy takes milliseconds: whoever writes during all of them will be writing for long.
  private static let attempts = 5

  /// What stays behind is in the cache's directory, and is nobody's loss.
  private static func remove(_ directory: String) { try? FileManager.default.removeItem(atPath: directory) }

  private init(path: String, tables: Set<String>, db: Database) {
    self.path = path
    self.tables = tables
    self.db = db
  }

  /// The names of a table's columns, in lower case; none when there is no such table.
  func columns(of table: String) throws -> Set<String> {
    guard tables.contains(table.lowercased()) else { return [] }
    return Set(try db.columns(in: table).map { $0.name.lowercased() })
  }

  /// Calls `body` for each row.
  func each(_ sql: String, _ body: (ForeignRow) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() { try body(ForeignRow(row: row)) }
  }
}
