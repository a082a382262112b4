import Foundation
import GRDB
import Model
import Synchronization

/// The listener's library and the complete API of the store. Each table extends it in a file of its own.
///
/// All methods are synchronous and may be called from any thread. Reads never wait for a writer (WAL); writes wait
/// for each other. Each change is one transaction: all or nothing. When the method returns, the change survives a
/// `kill -9` of the process; within a second it also survives a power cut (`LogFlusher`). The file is consistent at
/// any moment.
public final class Library: Sendable {
  /// The database file.
  public var path: String { handle.withLock { $0.path } }
  /// A random id, created with the library. It identifies this device in events and clips.
  public let deviceID: String
  /// Whether the last player ended with `markCleanStop`. If not, run `integrityCheck`.
  public let wasCleanStop: Bool
  /// True until `finishFirstStart`: the welcome podcast has not been added.
  public let isFirstStart: Bool
  /// True if the library can only be read. Every change then throws `StoreError.readOnly`.
  public var isReadOnly: Bool { handle.withLock { $0.isReadOnly } }

  var pool: DatabasePool { handle.withLock { $0.pool } }
  /// Replaced when the file becomes writable or was moved away.
  let handle: Mutex<LibraryHandle>
  /// Pools that are no longer used. Closing one would release the locks of another on the same file
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
  let retired = Mutex<[DatabasePool]>([])
  let migrator: DatabaseMigrator
  /// Why `open` could only open it read-only.
  let openFailure = Mutex<StoreError?>(nil)
  /// The directory of a temporary library, which `close` deletes.
  let temporaryDirectory = Mutex<String?>(nil)
  private let flusher = LogFlusher()
  /// Called when the library has waited for a second for another process that writes to it.
  public static let onWait = Mutex<(@Sendable () -> Void)?>(nil)
  /// Tells when collections are changed.
  let collectionClock = Mutex<@Sendable () -> Date>({ Date() })
  /// Reads show notes, for the search index and for chapters.
  let notes: NotesReader
  var plainText: @Sendable (String) -> String { notes.plainText }

  /// Opens the library at `path`, creating and migrating it if needed. If the file is damaged or not a library, this
  /// throws `StoreError` and does not change it; `open` renames such a file.
  /// - Parameters:
  ///   - isReadOnly: for a disk that cannot be written, or a caller that must only read. The file must exist and be
  ///     of this version.
  ///   - notes: reads show notes.
  public convenience init(
    path: String, isReadOnly: Bool = false, notes: NotesReader = NotesReader()
  ) throws(StoreError) {
    try self.init(path: path, isReadOnly: isReadOnly, migrator: Schema.migrator, notes: notes)
  }

  /// - Parameter migrator: `Schema`'s, or another one in tests of migrations.
  init(
    path: String, isReadOnly: Bool = false, migrator: DatabaseMigrator, notes: NotesReader = NotesReader()
  ) throws(StoreError) {
    let handle = try LibraryHandle.open(path: path, isReadOnly: isReadOnly, migrator: migrator)
    self.notes = notes
    self.migrator = migrator
    deviceID = handle.values["deviceID"] ?? ""
    wasCleanStop = handle.values["cleanStop"] != "0"
    isFirstStart = handle.values["firstStartDone"] == nil
    self.handle = Mutex(handle)
  }

  deinit {
    // A running flush would keep the file open, and its log would remain when the process ends.
    flusher.waitUntilIdle()
  }

  /// Copies the write-ahead log into the file, so that the next start need not read it. This is the last call on a
  /// library. Concurrent calls of other threads still work, because the file is closed with the last reference.
  /// (GRDB's own `close` can close the connection of a read that is just starting, which crashes.)
  public func close() throws(StoreError) {
    guard !isReadOnly else { return }
    if let directory = temporaryDirectory.withLock({ $0 }) {
      // If it cannot be deleted, the system cleans it up.
      try? FileManager.default.removeItem(atPath: directory)
      return
    }
    // If the file was deleted or replaced while it was open, what is written to it is lost.
    guard fileState == .same else { return }
    do {
      _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
      // Busy: another process has the library open and will do this. Full: the log remains, and together the two
      // files are complete.
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The rows of two text columns.
  static func pairs(_ db: Database, _ sql: String) throws -> [String: String] {
    let rows = try db.rows(sql)
    return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { $1 })
  }

  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
  }

  func write<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    if isReadOnly {
      // Reports a full disk as such, not as read-only.
      if case .diskFull = openFailure.withLock({ $0 }) { throw .diskFull(path: path) }
      throw .readOnly(path: path)
    }
    do {
      let pool = self.pool
      let result = try pool.write { db in
        let result = try body(db)
        try recordCollections(db)
        return result
      }
      flusher.schedule(pool, path: path)
      return result
    } catch {
      let error = StoreError(error, path: path)
      if case .diskFull = error { pool.reuseLog(of: path) }
      throw error
    }
  }

  /// Records changes to lists, tags and settings for sync, in the same transaction. A trigger marks that something
  /// changed. Does nothing unless a folder is synced.
  private func recordCollections(_ db: Database) throws {
    guard try SyncCollections.isTouched(db) else { return }
    try SyncCollections(library: self, db: db).capture(now: collectionClock.withLock { $0() }.seconds)
  }

  /// Waits until all changes are on the disk.
  func flushNow() { flusher.flushNow(pool, path: path) }

  /// How often changes were flushed to the disk.
  var flushes: Int { flusher.flushes }

  /// Why a flush to the disk failed, reported once per failure. Nil if none failed.
  public func takeFlushFailure() -> StoreError? { flusher.takeFailure() }
}

extension Database {
  // Statements are compiled once per connection, and keep their arguments. `sql:` is for several statements, for SQL
  // with changing lists, for pragmas, some of which SQLite evaluates when it compiles them, and for large values.

  /// Whether the query has a row.
  func hasRow(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Bool {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments) != nil
  }

  /// The first row of the query.
  func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> CheckedRow? {
    try CheckedRow.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  /// All rows of the query.
  func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [CheckedRow] {
    try CheckedRow.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// Reads the rows of the query one after the other, without keeping them.
  func each(_ sql: String, _ arguments: StatementArguments, _ body: (CheckedRow) throws -> Void) throws {
    let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    while let row = try rows.next() { try body(CheckedRow(row)) }
  }

  /// Executes a statement without a result.
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// A value about the library itself, such as the id of this device. Nil if there is none.
  func meta(_ key: String) throws -> String? {
    try String.fetchOne(self, "SELECT value FROM meta WHERE key = ?", [key])
  }

  /// Nil removes the value.
  func setMeta(_ key: String, _ value: String?) throws {
    guard let value else { return try execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [key]) }
    try execute(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", arguments: [key, value])
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  /// The first column of the first row of a query, which is compiled once per connection.
  static func fetchOne(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> Self? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// The first column of all rows of a query, which is compiled once per connection.
  static func fetchAll(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> [Self] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }
}
