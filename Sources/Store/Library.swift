import Foundation
import GRDB
import Model
import Synchronization

/// The listener's library: the whole API of the store. One file a table extends it.
///
/// All methods are synchronous and may be called from any thread. Reads never wait for a writer (WAL); writes wait
/// for each other. A change is one transaction: it happens as a whole or not at all, and is safe from `kill -9` of
/// the process when the method returns. Within a second it is safe from a power cut too (`LogFlusher`), and the file is
/// whole at any moment.
public final class Library: Sendable {
  /// The database file.
  public var path: String { handle.withLock { $0.path } }
  /// Random, made with the library; names this device in events and clips.
  public let deviceID: String
  /// Whether the last player ended with `markCleanStop`. When not, `integrityCheck` is worth its time.
  public let wasCleanStop: Bool
  /// True until `finishFirstStart`: the welcome podcast has not been added yet.
  public let isFirstStart: Bool
  /// Every change throws `StoreError.readOnly`.
  public var isReadOnly: Bool { handle.withLock { $0.isReadOnly } }

  var pool: DatabasePool { handle.withLock { $0.pool } }
  /// Another one takes its place when the file can be written again, or was moved away.
  let handle: Mutex<LibraryHandle>
  /// Pools that were in use before. Closing one would drop the locks that another one has on the same file
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
  let retired = Mutex<[DatabasePool]>([])
  let migrator: DatabaseMigrator
  /// Why `open` could only read it.
  let obstacle = Mutex<StoreError?>(nil)
  /// Of a library that goes with the process.
  let temporaryDirectory = Mutex<String?>(nil)
  private let flusher = LogFlusher()
  /// Another clock, for tests of what depends on when collections were changed.
  let collectionClock = Mutex<(@Sendable () -> Date)?>(nil)
  /// How notes are packed.
  let notes = NotesKeeping()
  /// The readable text of show notes, for the search index.
  let plainText: @Sendable (String) -> String

  /// Opens the library at `path`, made and migrated when needed. Throws `StoreError` and leaves the file alone when
  /// it is damaged or not ours; `open` sets such a file aside.
  /// - Parameters:
  ///   - isReadOnly: for a disk that cannot be written, and for one who must only look. The file must be there, of this
  ///     version.
  ///   - plainText: makes readable text of show notes in HTML. Called from any thread.
  public convenience init(
    path: String, isReadOnly: Bool = false, plainText: @escaping @Sendable (String) -> String = { $0 }
  ) throws(StoreError) {
    try self.init(path: path, isReadOnly: isReadOnly, migrator: Schema.migrator, plainText: plainText)
  }

  /// - Parameter migrator: another one than `Schema`'s in tests of what a migration does to a library.
  init(
    path: String, isReadOnly: Bool = false, migrator: DatabaseMigrator,
    plainText: @escaping @Sendable (String) -> String = { $0 }
  ) throws(StoreError) {
    let handle = try LibraryHandle.open(path: path, isReadOnly: isReadOnly, migrator: migrator)
    self.plainText = plainText
    self.migrator = migrator
    deviceID = handle.values["deviceID"] ?? ""
    wasCleanStop = handle.values["cleanStop"] != "0"
    isFirstStart = handle.values["firstStartDone"] == nil
    self.handle = Mutex(handle)
  }

  deinit {
    // A flush that is under way keeps the file open, and its log would stay behind when the process ends.
    flusher.settle()
  }

  /// Copies the write-ahead log into the file, so that the next start need not read it; the last thing to be done with
  /// a library. A call that another thread makes at the same time is answered: the file is closed with the last
  /// reference. (GRDB's own `close` pulls the connection from under a read that is about to begin, which is a SIGSEGV.)
  public func close() throws(StoreError) {
    guard !isReadOnly else { return }
    if let directory = temporaryDirectory.withLock({ $0 }) {
      // What cannot be removed is removed by the system, which cleans up there.
      try? FileManager.default.removeItem(atPath: directory)
      return
    }
    // Into a file that nobody can find nothing is copied.
    guard place == .same else { return }
    do {
      _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
      // Busy: another process has it open and will do this. Full: the log stays beside the file, and nothing is missing
      // from the two together.
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The rows of two columns of text.
  static func pairs(_ db: Database, _ sql: String) throws -> [String: String] {
    let rows = try Row.fetchAll(db, sql: sql).map(CheckedRow.init)
    return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { $1 })
  }

  func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
  }

  func write<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
    if isReadOnly {
      // A full disk is called a full disk.
      if case .diskFull = obstacle.withLock({ $0 }) { throw .diskFull(path: path) }
      throw .readOnly(path: path)
    }
    do {
      let pool = self.pool
      let result = try pool.write { db in
        let result = try body(db)
        try noteCollections(db)
        return result
      }
      flusher.schedule(pool, path: path)
      return result
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// What was changed in lists, tags and settings is noted for the other devices in the same transaction, whichever way it
  /// was changed; a trigger says that something was. Without a folder to sync with, nothing ever is.
  private func noteCollections(_ db: Database) throws {
    guard try Bool.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM syncTouched")) != nil,
      try Bool.fetchOne(db, sql: "SELECT 1 FROM syncRegister LIMIT 1") != nil
    else { return }
    try SyncCollections(library: self, db: db).capture(now: (collectionClock.withLock { $0 }?() ?? Date()).seconds)
  }

  /// Waits until all that was changed is on the disk.
  func flushNow() { flusher.flushNow(pool, path: path) }

  /// How often changes were flushed to the disk.
  var flushes: Int { flusher.flushes }

  /// Why the disk did not take what was written, once for each time; nil when it did.
  public func takeFlushFailure() -> StoreError? { flusher.takeFailure() }
}
