import Foundation
import GRDB
import Model

/// Automatic backups in the directory `backups` beside the library, and restoring them.
extension Library {
  /// Makes a backup if the newest one is a day old, and deletes old ones. Other threads can read and write meanwhile.
  /// Takes about a second for a large library, so it must not run on the main thread.
  /// - Returns: nil if no backup was due.
  @discardableResult
  public func backUpIfDue(now: Date) throws(StoreError) -> Backup? {
    let newest = Self.backups(of: path).first
    // A date in the future comes from a wrong clock.
    if let newest, newest.date <= now, now.timeIntervalSince(newest.date) < 86400 { return nil }
    return try backUp(now: now)
  }

  /// Makes a backup now. The file gets its name when it is complete.
  @discardableResult
  public func backUp(now: Date) throws(StoreError) -> Backup {
    let directory = BackupDirectory(library: path)
    let target = try directory.newPath(now: now)
    try LibraryCopy(source: path, target: target).make { part in try BackupWriter(source: path).write(to: part) }
    directory.rotate(keeping: target)
    guard let backup = directory.list().first(where: { $0.path == target }) else {
      throw .cannotOpen(path: target, detail: "it is not there")
    }
    return backup
  }

  /// The backups of the library at `path`, newest first.
  public static func backups(of path: String) -> [Backup] { BackupDirectory(library: path).list() }

  /// The newest backup that can be read and is not damaged. Backups of the future come last: their clock was wrong.
  /// One without podcasts was probably made after the library was lost. It is returned only if no backup has podcasts.
  public static func newestGoodBackup(of path: String, now: Date) -> Backup? {
    let all = backups(of: path)
    let latest = now.addingTimeInterval(86400)
    let good = (all.filter { $0.date <= latest } + all.filter { $0.date > latest }).lazy.filter { isGood($0.path) }
    return good.first(where: \.hasPodcasts) ?? good.first
  }

  /// Replaces the library at `path` with a backup or another copy of a library. The old library is renamed, never
  /// overwritten. No process may have the library open: hold the `PlayerLock`.
  /// - Returns: the new path of the old library. Nil if there was none.
  @discardableResult
  public static func restore(_ backup: String, to path: String, now: Date) throws(StoreError) -> String? {
    let temporary = path + restoring
    removeLeftovers(of: path, now: now)
    // Also when the copy is refused.
    defer { removeLeftovers(of: path, now: now) }
    do {
      let source = LibraryFile(path: backup)
      try source.checkSource()
      let queue = try source.openToRead()
      try queue.read { db in try validate(db, of: backup) }
      // Copied with SQLite instead of as a file, because a copy made by hand may have a write-ahead log.
      do { try queue.vacuum(into: temporary) } catch let error as DatabaseError where !error.concernsTheSource {
        throw StoreError(error, path: path)
      }
    } catch {
      throw StoreError(error, path: backup)
    }
    do throws(StoreError) { try check(temporary, of: backup) } catch .diskFull { throw .diskFull(path: path) }
    fill(temporary, from: path)
    try name(temporary, after: path, from: backup)
    return try LibraryFile(path: path).replace(with: temporary, now: now)
  }

  /// The suffix of a file that is being restored, until it is complete.
  static let restoring = ".restoring"

  /// Throws if the file is not a library, or is damaged. Nothing has been migrated or repaired yet.
  private static func validate(_ db: Database, of path: String) throws {
    let validator = LibraryValidator(path: path, migrator: Schema.migrator)
    if try validator.validate(db) == .empty { throw StoreError.notALibrary(path: path, detail: "it is empty") }
    let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    guard problems.isEmpty else {
      throw StoreError.damaged(path: path, detail: problems.prefix(3).joined(separator: "; "))
    }
  }

  /// Opens the copy like the player does, which migrates it.
  private static func check(_ copy: String, of backup: String) throws(StoreError) {
    let library = try Library(path: copy)
    let problems = try library.integrityCheck()
    try library.close()
    guard problems.isEmpty else { throw .damaged(path: backup, detail: problems.joined(separator: "; ")) }
  }

  /// Takes the show notes that the backup lacks from the replaced library, because their feeds may be gone. Errors
  /// are ignored: the replaced library may be damaged, and the backup is complete without the notes.
  private static func fill(_ copy: String, from old: String) {
    guard FileManager.default.fileExists(atPath: old) else { return }
    try? DatabaseQueue(path: copy, configuration: .hardened).inDatabase { db in
      try db.execute(sql: "ATTACH ? AS old", arguments: [old])
      // Compressed notes are copied with their dictionaries. An older library has no dictionaries.
      if try Bool.fetchOne(db, "SELECT 1 FROM old.sqlite_master WHERE name = 'notesDictionary'") != nil {
        try db.execute(sql: "INSERT OR IGNORE INTO main.notesDictionary SELECT * FROM old.notesDictionary")
      }
      // An older library lacks newer columns.
      let known = try String.fetchSet(db, sql: "SELECT name FROM pragma_table_info('episodeContent', 'old')")
      let columns = (["people", "extras", "summary", "contentHTML"] + EpisodeColumns.inContent.map(\.name))
        .filter(known.contains)
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.episodeContent (episodeID, \(columns.joined(separator: ", ")))
          SELECT e.id, \(columns.map { "c.\($0)" }.joined(separator: ", "))
          FROM main.episode e
          JOIN old.episode o ON o.id = e.id AND o.guid IS e.guid AND o.mediaURL IS e.mediaURL
          JOIN old.episodeContent c ON c.episodeID = o.id;
          DETACH old;
          """)
    }
  }

  /// Gives the copy the id of this device. With the id of another one, whose backup it is, both would write to one
  /// directory of a sync folder, and each would miss what the other one wrote.
  private static func name(_ copy: String, after old: String, from backup: String) throws(StoreError) {
    // A backup from beside the library is of this device. A new library may have replaced the lost one.
    guard !backups(of: old).contains(where: { $0.path == backup }) else { return }
    var id = UUID().uuidString.lowercased()
    if FileManager.default.fileExists(atPath: old) {
      let known = try? DatabaseQueue(path: old, configuration: .hardened).read { try $0.meta("deviceID") }
      if let known { id = known }
    }
    do {
      try DatabaseQueue(path: copy, configuration: .hardened).write { try $0.setMeta("deviceID", id) }
    } catch {
      throw StoreError(error, path: copy)
    }
  }

  private static func isGood(_ path: String) -> Bool {
    let file = LibraryFile(path: path)
    do {
      try file.checkSource()
      try file.openToRead().read { db in try validate(db, of: path) }
      return true
    } catch {
      // An older backup may be good.
      return false
    }
  }
}
