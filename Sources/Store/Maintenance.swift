import Foundation
import GRDB
import Model

/// Starting, stopping, checking and copying the library.
extension Library {
  /// Records that a player runs. Until `markCleanStop`, the next start finds `wasCleanStop` false.
  public func markStarted() throws(StoreError) { try write { try $0.setMeta("cleanStop", "0") } }

  /// Records that the player ended normally. Call it before `close`.
  public func markCleanStop() throws(StoreError) { try write { try $0.setMeta("cleanStop", "1") } }

  /// Records that the welcome podcast was added. `isFirstStart` is false from the next opening on.
  public func finishFirstStart() throws(StoreError) { try write { try $0.setMeta("firstStartDone", "1") } }

  /// A number that changes when another process has written to the library.
  /// Source: https://www.sqlite.org/pragma.html#pragma_data_version
  public func externalVersion() throws(StoreError) -> Int {
    do {
      return try pool.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    } catch { throw StoreError(error, path: path) }
  }

  /// Describes problems of the library. Empty if there are none. Reads the whole file, which takes seconds for a
  /// large library.
  public func integrityCheck() throws(StoreError) -> [String] {
    do {
      return try pool.read { db in
        var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        for row in try CheckedRow.fetchAll(db, sql: "PRAGMA foreign_key_check") {
          let (child, parent) = (try row[0] as String, try row[2] as String)
          problems.append("a row of \(child) names a row of \(parent) that is not there")
        }
        problems += try String.fetchAll(
          db,
          """
          SELECT 'the counters of podcast ' || id || ' are wrong' FROM podcast
          WHERE episodes <> \(EpisodeCount.listed) OR unplayed <> \(EpisodeCount.unplayed)
          """)
        let unreadable = try Int.fetchOne(
          db,
          """
          SELECT count(*) FROM episodeContent WHERE contentHTML IS NOT NULL AND plain(contentHTML) IS NULL
          OR summary IS NOT NULL AND plain(summary) IS NULL
          """)
        if let unreadable, unreadable > 0 { problems.append("the notes of \(unreadable) episodes cannot be read") }
        return problems
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return [error.message ?? "damaged"]
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Writes a complete, compact copy of the library to `target`. The file gets its name when it is complete; an
  /// existing file is replaced. A link stays, and the file that it leads to is replaced.
  public func backup(to target: String) throws(StoreError) {
    let own = [path, path + "-wal", path + "-shm"].compactMap { FileNumber($0) }
    if let identity = FileNumber(target), own.contains(identity) {
      throw .invalid("\(target) is the library itself")
    }
    var info = stat()
    // A pipe or a device would be replaced by a file. A directory cannot be, and gets its own error.
    guard stat(target, &info) != 0 || [S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT) else {
      throw .invalid("\(target) is not a file")
    }
    try LibraryCopy(source: path, target: SymbolicLink.target(of: target)).make { part in try pool.vacuum(into: part) }
  }
}

extension Library {
  /// SQLite's version, for `earshot doctor`.
  public static func sqliteVersion() -> String {
    let version = try? DatabaseQueue().read { try String.fetchOne($0, "SELECT sqlite_version()") }
    return version ?? "unknown"
  }
}
