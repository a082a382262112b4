import CSQLite
import Foundation
import GRDB
import Model

/// A copy of another program's database, opened for reading.
struct ForeignDatabase {
  /// The path of the original.
  var path: String
  /// The names of the tables in lower case, because SQLite ignores case.
  var tables: Set<String>
  private let db: Database

  /// Copies the file with its journal files, because they may contain the latest changes.
  static func withCopy<Result>(
    of path: String, in scratch: String, _ body: (ForeignDatabase) throws -> Result
  ) throws(ImportError) -> Result {
    let directory = "\(scratch)/import-\(UUID().uuidString.lowercased())"
    defer { remove(directory) }
    do {
      let queue = try DatabaseQueue(
        path: try copy(path, into: directory, scratch: scratch), configuration: safeConfiguration)
      let result = try queue.inDatabase { db in
        let names = try String.fetchAll(db, sql: "SELECT lower(name) FROM sqlite_master WHERE type = 'table'")
        return try body(ForeignDatabase(path: path, tables: Set(names), db: db))
      }
      try queue.close()
      return result
    } catch let error as ImportError {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      throw .noCopy(directory: scratch, why: String(cString: strerror(ENOSPC)))
    } catch let error as DatabaseError {
      throw .damaged(path: path, detail: error.message ?? String(describing: error.resultCode))
    } catch let error as CocoaError where isWriteError(error) {
      throw .noCopy(directory: scratch, why: FileFailure.text(error))
    } catch {
      throw .unreadable(path: path, why: FileFailure.text(error))
    }
  }

  /// Source: https://developer.apple.com/documentation/foundation/1448136-nserror_codes (NSFileWriteUnknownError and
  /// others)
  private static func isWriteError(_ error: CocoaError) -> Bool { (512..<768).contains(error.code.rawValue) }

  /// The maximum size of a text or blob. Real show notes have about a hundredth of it.
  private static let maxValueBytes: CInt = 16 * 1024 * 1024

  /// The schema comes from outside, so its views and triggers must not call functions with side effects.
  /// Source: https://www.sqlite.org/security.html
  private static var safeConfiguration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      let code = earshot_distrust(db.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, maxValueBytes)
      try db.execute(sql: "PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// Copies until no file was changed during the copy, because the database and its log must belong together. It takes
  /// no SQLite lock, because that would block the other program.
  /// - Returns: the path of the copy.
  private static func copy(_ path: String, into directory: String, scratch: String) throws -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ImportError.noCopy(directory: scratch, why: FileFailure.text(error))
    }
    for attempt in 1...attempts {
      let copy = "\(directory)/\(attempt).db"
      let before = FileStamp.all(of: path)
      for suffix in suffixes where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        // The original may be read-only, and recovery writes to the copy.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + suffix)
      }
      if FileStamp.all(of: path) == before { return copy }
    }
    throw ImportError.busy(path: path)
  }

  /// The suffixes of the database file and its journal files.
  static let suffixes = ["", "-wal", "-journal"]

  /// The maximum number of attempts to copy the file. A copy takes milliseconds, so if the file changes during every
  /// attempt, the other program is writing for a long time.
  private static let attempts = 5

  /// Deletes the copy. If that fails, it stays in the cache directory.
  private static func remove(_ directory: String) { try? FileManager.default.removeItem(atPath: directory) }

  private init(path: String, tables: Set<String>, db: Database) {
    self.path = path
    self.tables = tables
    self.db = db
  }

  /// The names of a table's columns, in lower case. Empty if there is no such table.
  func columns(of table: String) throws -> Set<String> {
    guard tables.contains(table.lowercased()) else { return [] }
    return Set(try db.columns(in: table).map { $0.name.lowercased() })
  }

  /// Refuses computed columns and virtual tables. None of the programs has them, and with them a small file could
  /// produce endless values.
  func refuseComputedValues() throws {
    let virtual = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage = 0"
    if let table = try String.fetchOne(db, sql: virtual) {
      throw ImportError.unknown(path: path, detail: "its table “\(table)” is virtual")
    }
    let computed = """
      SELECT c.name FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND c.hidden IN (2, 3)
      """
    if let column = try String.fetchOne(db, sql: computed) {
      throw ImportError.unknown(path: path, detail: "its column “\(column)” is computed")
    }
  }

  /// Calls `body` for each row.
  func each(_ sql: String, _ body: (ForeignRow) throws -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() { try body(ForeignRow(row: row)) }
  }
}

/// The size and time of a file, to detect changes.
struct FileStamp: Equatable {
  private var size: Int64
  private var inode: UInt64
  private var seconds: Int
  private var nanoseconds: Int

  /// The stamps of a database and its journal files; nil for missing ones.
  static func all(of path: String) -> [FileStamp?] { ForeignDatabase.suffixes.map { FileStamp(path + $0) } }

  private init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (size, inode) = (Int64(info.st_size), UInt64(info.st_ino))
    (seconds, nanoseconds) = (info.written.tv_sec, info.written.tv_nsec)
  }
}

/// A row of another program's table. A column may be missing and may contain any value. Unexpected values are treated
/// as missing, without an error.
struct ForeignRow {
  let row: Row

  /// The text of a column. Nil if it is missing or empty.
  func text(_ column: String) -> String? {
    switch value(column) {
    case .string(let text): text.isEmpty ? nil : text
    case .int64(let number): String(number)
    case .blob(let data): String(data: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
    case .double, .null, nil: nil
    }
  }

  /// The number in a column, which may be stored as text.
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

  /// The date of a number of seconds since 1970. Nil for 0, which programs write for "never".
  /// - Parameter perSecond: the unit, such as 1000 for milliseconds.
  func date(_ column: String, perSecond: Double = 1) -> Date? {
    guard let number = number(column), number > 0, number / perSecond < 1e11 else { return nil }
    return Date(timeIntervalSince1970: number / perSecond)
  }

  private func value(_ column: String) -> DatabaseValue.Storage? {
    (row[column] as DatabaseValue?)?.storage
  }
}
