import Foundation
import GRDB
import GRDBSQLite

/// The open file of a library. Opening checks, judges and migrates it.
struct LibraryHandle: Sendable {
  var path: String
  var isReadOnly: Bool
  var pool: DatabasePool
  /// Which file was opened, and which log: another one may come into their place.
  var file: FileIdentity?
  var log: FileIdentity?
  /// The rows of `meta`.
  var values: [String: String]

  /// - Parameters:
  ///   - isOpen: this process has the file open already. Then it is not looked at as a file: closing it would drop the
  ///     locks of SQLite (https://www.sqlite.org/howtocorrupt.html, 2.2).
  static func open(
    path: String, isReadOnly: Bool, isOpen: Bool = false, migrator: DatabaseMigrator
  ) throws(StoreError) -> LibraryHandle {
    do {
      let file = LibraryFile(path: path)
      let judge = LibraryJudge(path: path, migrator: migrator)
      if !isOpen {
        // SQLite gives the log and its index the permissions of the file.
        file.tighten()
        try file.check()
        // Before SQLite may write to it: opening a pool already changes the file.
        try judge.judgeUntouched(file)
      }
      let access = isReadOnly ? file.readOnlyAccess : .shared
      let address = file.address(access)
      var configuration = Self.configuration(isAlone: access == .leftLog)
      configuration.readonly = isReadOnly
      let pool = try Self.retryingWhenBusy { [configuration] in
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
      file.tighten()
      let values = try pool.read { db in
        // Also walks the list that every start shows, so that damage there is found now.
        _ = try Int.fetchOne(db, sql: "SELECT sum(unplayed) FROM podcast")
        return try Library.pairs(db, "SELECT key, value FROM meta")
      }
      guard values["deviceID"] != nil else { throw StoreError.damaged(path: path, detail: "no device id") }
      return LibraryHandle(
        path: path, isReadOnly: isReadOnly, pool: pool, file: FileIdentity(path), log: FileIdentity(path + "-wal"),
        values: values)
    } catch {
      let error = StoreError(error, path: path)
      guard case .cannotOpen(path, let detail) = error else { throw error }
      throw .cannotOpen(path: path, detail: LibraryFile(path: path).reason(detail))
    }
  }

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
      // The log holds each page that any of the migrations wrote. On a small disk that room is missed; where another process
      // reads, it is given back later.
      _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    } catch {
      // Two first starts at once: the other one has done it.
      guard try pool.read(judge.migrator.hasCompletedMigrations) else { throw error }
    }
    try endMigration(pool)
  }

  /// Nothing is under way any more. Also after a start that was killed between its last migration and this word: else the
  /// next version would take the copy of that time for its own.
  private static func endMigration(_ pool: DatabasePool) throws {
    guard try pool.read({ db in try Library.pairs(db, "SELECT key, value FROM meta")["migrating"] != nil }) else {
      return
    }
    try pool.write { db in try db.execute(sql: "DELETE FROM meta WHERE key = 'migrating'") }
  }

  /// A library that an older Earshot wrote is copied whole before it is changed. The copy before that goes; but when
  /// some of the migrations are done and the process was killed then, the copy is the one that the older Earshot can
  /// still open, and stays.
  private static func backUpBeforeMigration(_ pool: DatabasePool, path: String) throws {
    let target = path + ".before-migration"
    let isUnderWay = try pool.read { db in try Library.pairs(db, "SELECT key, value FROM meta")["migrating"] != nil }
    if isUnderWay, FileManager.default.fileExists(atPath: target) { return }
    let temporary = target + ".part"
    if FileManager.default.fileExists(atPath: temporary) { try FileManager.default.removeItem(atPath: temporary) }
    try pool.vacuum(into: temporary)
    OwnerOnly.tighten(temporary)
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
