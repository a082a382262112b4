import Foundation
import GRDB
import GRDBSQLite
import Model

/// The listener's library: the whole API of the store. One file a table extends it.
///
/// All methods are synchronous and may be called from any thread. Reads never wait for a writer (WAL); writes wait
/// for each other. A change is one transaction: it happens as a whole or not at all, and is safe from `kill -9` of
/// the process when the method returns. After a power cut the newest changes may be missing (`synchronous=NORMAL`
/// flushes at checkpoints, not at every commit), but the file is whole.
public final class Library: Sendable {
  /// The database file.
  public let path: String
  /// Random, made with the library; names this device in events and clips.
  public let deviceID: String
  /// Whether the last player ended with `markCleanStop`. When not, `integrityCheck` is worth its time.
  public let wasCleanStop: Bool
  /// True until `finishFirstStart`: the welcome podcast has not been added yet.
  public let isFirstStart: Bool
  /// Every change throws `StoreError.readOnly`.
  public let isReadOnly: Bool

  let pool: DatabasePool
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
    self.path = path
    self.isReadOnly = isReadOnly
    self.plainText = plainText
    do {
      let file = LibraryFile(path: path)
      try file.check()
      let judge = LibraryJudge(path: path, migrator: migrator)
      // Before SQLite may write to it: opening a pool already changes the file.
      try judge.judgeUntouched(file)
      let access = isReadOnly ? file.readOnlyAccess : .shared
      let address = file.address(access)
      var configuration = Self.configuration(isAlone: access == .leftLog)
      configuration.readonly = isReadOnly
      pool = try Self.retryingWhenBusy { [configuration] in
        try DatabasePool(path: address, configuration: configuration)
      }
      if isReadOnly {
        guard try pool.read(judge.judge) == .library(isCurrent: true) else { throw StoreError.older(path: path) }
      } else {
        // SQLite opens what it may not write as read-only, and says so at the first write.
        let mayWrite = pool.writeWithoutTransaction { db in sqlite3_db_readonly(db.sqliteConnection, nil) != 1 }
        guard mayWrite else { throw StoreError.readOnly(path: path) }
        try Self.migrate(pool, judge, path: path)
      }
      let values = try pool.read { db in
        // Also walks the list that every start shows, so that damage there is found now.
        _ = try Int.fetchOne(db, sql: "SELECT sum(unplayed) FROM podcast")
        return try Self.pairs(db, "SELECT key, value FROM meta")
      }
      guard let device = values["deviceID"] else { throw StoreError.damaged(path: path, detail: "no device id") }
      deviceID = device
      wasCleanStop = values["cleanStop"] != "0"
      isFirstStart = values["firstStartDone"] == nil
    } catch {
      let error = StoreError(error, path: path)
      guard case .cannotOpen(path, let detail) = error else { throw error }
      throw .cannotOpen(path: path, detail: LibraryFile(path: path).reason(detail))
    }
  }

  /// Copies the write-ahead log into the file, so that the next start need not read it; the last thing to be done with
  /// a library. A call that another thread makes at the same time is answered: the file is closed with the last
  /// reference. (GRDB's own `close` pulls the connection from under a read that is about to begin, which is a SIGSEGV.)
  public func close() throws(StoreError) {
    guard !isReadOnly else { return }
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
    if isReadOnly { throw .readOnly(path: path) }
    do { return try pool.write(body) } catch { throw StoreError(error, path: path) }
  }
}

extension Library {
  /// - Parameter isAlone: in exclusive locking mode, which must be said before anything is read.
  private static func configuration(isAlone: Bool) -> Configuration {
    var configuration = Configuration.distrusting
    configuration.label = "earshot.library"
    configuration.foreignKeysEnabled = true
    // Another process (a verb) writes for moments only.
    configuration.busyMode = .timeout(5)
    // The first snapshot on main, the effect runner's lists, and its search.
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      if isAlone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      // 2 MB for a connection that reads. Every transaction of a first refresh touches all of the small b-trees (dates,
      // numbers of documents), and a writer that has no room for them reads and writes their pages over and over: with
      // 6 MB it takes a quarter less. No mmap: it would count as our memory, and a file that shrinks would be a SIGBUS.
      // The temporary b-trees of sorts stay in memory.
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(db.configuration.readonly ? 2000 : 6000);
          PRAGMA mmap_size = 0;
          PRAGMA temp_store = MEMORY;
          """)
      try Schema.setPageSize(db)
      // Checkpoint at 16 MB instead of 4: a big refresh flushes less often, and recovery after kill -9 still takes
      // only milliseconds. SQLite counts pages, and a library may have been made with smaller ones.
      let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? Schema.pageSize
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(16_384_000 / max(512, pageSize))")
    }
    return configuration
  }

  private static func migrate(_ pool: DatabasePool, _ judge: LibraryJudge, path: String) throws {
    let verdict = try pool.read(judge.judge)
    if verdict == .library(isCurrent: true) { return try endMigration(pool) }
    if verdict != .empty { try backUpBeforeMigration(pool, path: path) }
    do {
      try judge.migrator.migrate(pool)
    } catch {
      // Two first starts at once: the other one has done it.
      guard try pool.read(judge.migrator.hasCompletedMigrations) else { throw error }
    }
    try endMigration(pool)
  }

  /// Nothing is under way any more. Also after a start that was killed between its last migration and this word: else the
  /// next version would take the copy of that time for its own.
  private static func endMigration(_ pool: DatabasePool) throws {
    guard try pool.read({ db in try pairs(db, "SELECT key, value FROM meta")["migrating"] != nil }) else { return }
    try pool.write { db in try db.execute(sql: "DELETE FROM meta WHERE key = 'migrating'") }
  }

  /// A library that an older Earshot wrote is copied whole before it is changed. The copy before that goes; but when
  /// some of the migrations are done and the process was killed then, the copy is the one that the older Earshot can
  /// still open, and stays.
  private static func backUpBeforeMigration(_ pool: DatabasePool, path: String) throws {
    let target = path + ".before-migration"
    let isUnderWay = try pool.read { db in try pairs(db, "SELECT key, value FROM meta")["migrating"] != nil }
    if isUnderWay, FileManager.default.fileExists(atPath: target) { return }
    let temporary = target + ".part"
    if FileManager.default.fileExists(atPath: temporary) { try FileManager.default.removeItem(atPath: temporary) }
    try pool.vacuum(into: temporary)
    guard rename(temporary, target) == 0 else {
      throw StoreError.cannotOpen(path: target, detail: String(cString: strerror(errno)))
    }
    try pool.write { db in try db.execute(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('migrating', '1')") }
  }

  /// Turning on WAL needs the file alone for a moment, and SQLite does not always wait for that by itself.
  private static func retryingWhenBusy<T>(_ open: () throws -> T) throws -> T {
    for _ in 0..<20 {
      do {
        return try open()
      } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    return try open()
  }
}
