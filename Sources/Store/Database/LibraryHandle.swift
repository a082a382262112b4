import Foundation
import GRDB
import GRDBSQLite
import Model

/// An open library file. Opening checks, validates and migrates it.
struct LibraryHandle: Sendable {
  var path: String
  var isReadOnly: Bool
  var pool: DatabasePool
  /// The identities of the opened file and its write-ahead log, to notice when others replace them.
  var file: FileNumber?
  var log: FileNumber?
  /// The rows of the table `meta`.
  var values: [String: String]

  /// - Parameters:
  ///   - isOpen: this process already has the file open. Then it is not opened as a plain file, because closing that
  ///     would release SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
  static func open(
    path: String, isReadOnly: Bool, isOpen: Bool = false, migrator: DatabaseMigrator
  ) throws(StoreError) -> LibraryHandle {
    do {
      let file = LibraryFile(path: path)
      let validator = LibraryValidator(path: path, migrator: migrator)
      if !isOpen {
        // SQLite gives the log and its index the permissions of the file.
        file.restrict()
        try file.check()
        // Validated before SQLite may write to it: opening a pool already changes the file.
        try validator.validateBeforeOpening(file)
      }
      let access = isReadOnly ? file.readOnlyAccess : .shared
      let address = file.address(access)
      var configuration = Self.configuration(isAlone: access == .leftLog, logLimit: Self.logLimit(at: path))
      configuration.readonly = isReadOnly
      let pool = try Self.retryingWhenBusy { [configuration] in
        try DatabasePool(path: address, configuration: configuration)
      }
      if isReadOnly {
        guard try pool.read(validator.validate) == .library(isCurrent: true) else { throw StoreError.older(path: path) }
      } else {
        // If SQLite cannot write to a file, it opens it read-only, and fails only at the first write.
        let mayWrite = pool.writeWithoutTransaction { db in sqlite3_db_readonly(db.sqliteConnection, nil) != 1 }
        guard mayWrite else { throw StoreError.readOnly(path: path) }
        try Self.migrate(pool, validator, path: path)
      }
      file.restrict()
      let values = try pool.read { db in
        // Also reads the podcast list, which every start shows, so that damage there is found now.
        _ = try Int.fetchOne(db, "SELECT sum(unplayed) FROM podcast")
        return try Library.pairs(db, "SELECT key, value FROM meta")
      }
      guard values["deviceID"] != nil else { throw StoreError.damaged(path: path, detail: "no device id") }
      return LibraryHandle(
        path: path, isReadOnly: isReadOnly, pool: pool, file: FileNumber(path), log: FileNumber(path + "-wal"),
        values: values)
    } catch {
      let error = StoreError(error, path: path)
      guard case .cannotOpen(path, let detail) = error else { throw error }
      throw .cannotOpen(path: path, detail: LibraryFile(path: path).reason(detail))
    }
  }

  /// The size of the write-ahead log, in bytes, at which it is copied into the file and its space is reused. A large
  /// log flushes less often in a large refresh, and recovery after kill -9 still takes only milliseconds. On a small
  /// disk the log must not take the space that the file needs to grow. There may be more space later, so the log has a
  /// minimum.
  private static func logLimit(at path: String) -> Int {
    Int(min(16_384_000, max(262_144, (DiskState.freeBytes(at: path) ?? .max) / 8)))
  }

  /// - Parameters:
  ///   - isAlone: uses exclusive locking mode, which must be set before anything is read.
  ///   - logLimit: the size of the write-ahead log at which it is copied into the file, in bytes.
  private static func configuration(isAlone: Bool, logLimit: Int) -> Configuration {
    var configuration = Configuration.hardened
    configuration.label = "earshot.library"
    configuration.foreignKeysEnabled = true
    // Other processes (verbs of the command line) write only briefly. SQLite's own wait grows to 0.1 s between two
    // attempts, so it misses the pauses of a sync (`SyncSlice`). This one waits for 5 s, too.
    configuration.busyMode = .callback { attempts in
      if attempts == 200 { Library.onWait.withLock { $0 }?() }
      usleep(5000)
      return attempts < 1000
    }
    // The first snapshot on the main thread, the lists of the effect runner, and its search.
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      if isAlone { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      // 2 MB for each connection that reads. In a first refresh, every transaction touches all of the small b-trees
      // (dates, document numbers). A writer with a smaller cache would read and write their pages again and again:
      // with 6 MB it is a quarter faster. No mmap: it counts as our memory, and a file that shrinks would cause a
      // SIGBUS. Temporary b-trees for sorting stay in memory.
      try db.execute(
        sql: """
          PRAGMA cache_size = -\(db.configuration.readonly ? 2000 : 6000);
          PRAGMA mmap_size = 0;
          PRAGMA temp_store = MEMORY;
          """)
      try Schema.setPageSize(db)
      // SQLite counts pages, and an older library may have smaller ones.
      let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? Schema.pageSize
      try db.execute(sql: "PRAGMA wal_autocheckpoint = \(logLimit / max(512, pageSize))")
    }
    return configuration
  }

  private static func migrate(_ pool: DatabasePool, _ validator: LibraryValidator, path: String) throws {
    let verdict = try pool.read(validator.validate)
    if verdict == .library(isCurrent: true) { return try endMigration(pool) }
    if verdict != .empty { try backUpBeforeMigration(pool, path: path) }
    try migrateBesideOthers(pool, validator.migrator)
    // The log contains every page that a migration wrote, which may be much space on a small disk. If another process
    // reads, the space is freed later.
    _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    try endMigration(pool)
  }

  /// Other processes may have been started at the same time. Each migration is a transaction of its own, so one of them
  /// may do the next one first, and then it fails here. What is left is tried again as long as there is progress.
  private static func migrateBesideOthers(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
    while true {
      let before = try pool.read(migrator.appliedMigrations).count
      do { return try migrator.migrate(pool) } catch {
        guard try pool.read(migrator.appliedMigrations).count > before else { throw error }
      }
    }
  }

  /// Clears the mark of a running migration. Also after a start that was killed between its last migration and this
  /// step; otherwise the next version would mistake the old copy for its own.
  private static func endMigration(_ pool: DatabasePool) throws {
    guard try pool.read({ db in try db.meta("migrating") }) != nil else { return }
    try pool.write { db in try db.setMeta("migrating", nil) }
  }

  /// Copies a library of an older version before it is migrated, and replaces the copy of the previous migration. If
  /// an earlier run was killed during the migrations, its copy is the last version that the older Earshot can open,
  /// so it is kept.
  private static func backUpBeforeMigration(_ pool: DatabasePool, path: String) throws {
    let target = path + ".before-migration"
    let isUnderWay = try pool.read { db in try db.meta("migrating") != nil }
    if isUnderWay, FileManager.default.fileExists(atPath: target) { return }
    let temporary = target + ".part"
    if FileManager.default.fileExists(atPath: temporary) { try FileManager.default.removeItem(atPath: temporary) }
    try pool.vacuum(into: temporary)
    OwnerOnly.restrict(temporary)
    guard rename(temporary, target) == 0 else {
      throw StoreError.cannotOpen(path: target, detail: String(cString: strerror(errno)))
    }
    try pool.write { db in try db.setMeta("migrating", "1") }
  }

  /// Turning on WAL mode needs exclusive access for a moment, and SQLite does not always wait for it.
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
