import Foundation
import GRDB
import Model

/// Backups that the library makes of itself, in `backups` beside it, and the way back from them.
extension Library {
  /// Makes a backup when the newest is a day old, and removes those that are too old. Runs beside other readers and
  /// writers; a second or so for a large library, so call it off the main thread.
  /// - Returns: nil when none was due.
  @discardableResult
  public func backUpWhenDue(now: Date) throws(StoreError) -> Backup? {
    let newest = Self.backups(of: path).first
    // One from the future is of a clock that was wrong.
    if let newest, newest.date <= now, now.timeIntervalSince(newest.date) < 86400 { return nil }
    return try backUp(now: now)
  }

  /// Makes a backup now. It appears under its name when it is complete.
  @discardableResult
  public func backUp(now: Date) throws(StoreError) -> Backup {
    let directory = BackupDirectory(library: path)
    let target = try directory.newPath(now: now)
    let temporary = target + ".part"
    do {
      for name in [temporary, temporary + "-journal"] where FileManager.default.fileExists(atPath: name) {
        try FileManager.default.removeItem(atPath: name)
      }
      try BackupWriter(source: path).write(to: temporary)
      guard rename(temporary, target) == 0 else {
        throw StoreError.cannotOpen(path: target, detail: String(cString: strerror(errno)))
      }
    } catch {
      // Half a copy is worth nothing; should it stay, the next one replaces it.
      try? FileManager.default.removeItem(atPath: temporary)
      throw StoreError(error, path: target)
    }
    directory.rotate()
    guard let backup = directory.list().first(where: { $0.path == target }) else {
      throw .cannotOpen(path: target, detail: "it is not there")
    }
    return backup
  }

  /// The backups of the library at `path`, the newest first.
  public static func backups(of path: String) -> [Backup] { BackupDirectory(library: path).list() }

  /// The newest backup that can be read, and has no damage.
  public static func newestGoodBackup(of path: String) -> Backup? { backups(of: path).first { isGood($0.path) } }

  /// Puts a backup, or any other copy of a library, in the place of the library at `path`. What was there is set
  /// aside, never overwritten. No library may be open there, in this process or another: hold the `PlayerLock`.
  /// - Returns: where the old library has been put; nil when there was none.
  @discardableResult
  public static func restore(_ backup: String, to path: String, now: Date) throws(StoreError) -> String? {
    let temporary = path + restoring
    removeLeftovers(of: path, now: now)
    // Also of a copy that was refused.
    defer { removeLeftovers(of: path, now: now) }
    do {
      let source = LibraryFile(path: backup)
      try source.checkSource()
      let queue = try source.openToRead()
      try queue.read { db in try judge(db, of: backup) }
      // Through SQLite, not as bytes: a copy that was made by hand may have a log beside it.
      try queue.vacuum(into: temporary)
    } catch {
      throw StoreError(error, path: backup)
    }
    try check(temporary, of: backup)
    fill(temporary, from: path)
    return try LibraryFile(path: path).replace(with: temporary, now: now)
  }

  /// What is put in place has this name until it is whole.
  static let restoring = ".restoring"

  /// Refuses what is no library, or a damaged one, as it is: nothing has been migrated or mended yet.
  private static func judge(_ db: Database, of path: String) throws {
    let judge = LibraryJudge(path: path, migrator: Schema.migrator)
    if try judge.judge(db) == .empty { throw StoreError.notALibrary(path: path, detail: "nothing is in it") }
    let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    guard problems.isEmpty else {
      throw StoreError.damaged(path: path, detail: problems.prefix(3).joined(separator: "; "))
    }
  }

  /// Opens it as the player will, which brings it up to date.
  private static func check(_ copy: String, of backup: String) throws(StoreError) {
    let library = try Library(path: copy)
    let problems = try library.integrityCheck()
    try library.close()
    guard problems.isEmpty else { throw .damaged(path: backup, detail: problems.joined(separator: "; ")) }
  }

  /// Takes the show notes that a backup leaves out from the library that it replaces: their feeds may be gone. Without
  /// them it is as good as before, so that a library too damaged to be read is no reason to fail.
  private static func fill(_ copy: String, from old: String) {
    guard FileManager.default.fileExists(atPath: old) else { return }
    try? DatabaseQueue(path: copy, configuration: .distrusting).inDatabase { db in
      try db.execute(sql: "ATTACH ? AS old", arguments: [old])
      // Packed notes come as they are, with what they were packed with. An older library has none.
      if try Bool.fetchOne(db, sql: "SELECT 1 FROM old.sqlite_master WHERE name = 'notesDictionary'") != nil {
        try db.execute(sql: "INSERT OR IGNORE INTO main.notesDictionary SELECT * FROM old.notesDictionary")
      }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO main.episodeContent (episodeID, link, imageURL, people, extras, summary, contentHTML)
          SELECT e.id, c.link, c.imageURL, c.people, c.extras, c.summary, c.contentHTML
          FROM main.episode e
          JOIN old.episode o ON o.id = e.id AND o.guid IS e.guid AND o.mediaURL IS e.mediaURL
          JOIN old.episodeContent c ON c.episodeID = o.id;
          DETACH old;
          """)
    }
  }

  private static func isGood(_ path: String) -> Bool {
    let file = LibraryFile(path: path)
    do {
      try file.checkSource()
      try file.openToRead().read { db in try judge(db, of: path) }
      return true
    } catch {
      // The next one may be good.
      return false
    }
  }
}
