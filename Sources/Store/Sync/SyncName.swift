import Foundation
import GRDB
import Model
import Sync

/// Names of playlists and clips that are the same on every device. They are derived from properties that two devices
/// share if they created or imported the same playlist or clip before they synced.
enum SyncName {
  static func name(_ db: Database, _ kind: String, _ id: Int64) throws -> String {
    if let name = try known(db, kind, id) { return name }
    let proposed = kind == "clip" ? try clip(db, id) : try playlist(db, id)
    let name = try proposed.flatMap { try isFree(db, kind, $0) ? $0 : nil } ?? UUID().uuidString.lowercased()
    try set(db, kind, id, name)
    return name
  }

  /// "title:" and the title, so that playlists with the same title on two devices are merged. Nil if it is too long.
  private static func playlist(_ db: Database, _ id: Int64) throws -> String? {
    guard let title = try String.fetchOne(db, "SELECT title FROM playlist WHERE id = ?", [id]) else {
      return nil
    }
    let name = "title:" + title.precomposedStringWithCanonicalMapping.percentEncoded
    return name.utf8.count <= 400 ? name : nil
  }

  /// Creator and time, so that a copied library has the same clip names.
  private static func clip(_ db: Database, _ id: Int64) throws -> String? {
    guard
      let row = try db.row("SELECT userID, dateCreated, startTime FROM clip WHERE id = ?", [id])
    else { return nil }
    let (user, created, start) = (try row[0] as String, try row[1] as Double, try row[2] as Double)
    guard let created = Int64(exactly: (created * 1000).rounded()), let start = Int64(exactly: (start * 1000).rounded())
    else { return nil }
    let name = "\(user.percentEncoded):\(created):\(start)"
    return name.utf8.count <= 400 ? name : nil
  }

  /// Whether no existing thing has the name. A removed one may have had it, but a playlist would get its items.
  private static func isFree(_ db: Database, _ kind: String, _ name: String) throws -> Bool {
    let items = "item/\(name)/"
    return try id(db, kind, name) == nil
      && !db.hasRow(
        "SELECT 1 FROM syncRegister WHERE (key = ? OR key >= ? AND key < ?) AND value IS NOT NULL",
        [kind + "/" + name, items, CollectionKind.end(of: items)])
  }

  /// The display name of a device, or its id if unknown.
  static func device(_ db: Database, _ id: String) throws -> String {
    try String.fetchOne(db, "SELECT name FROM syncDevice WHERE device = ?", [id]) ?? id
  }

  static func known(_ db: Database, _ kind: String, _ id: Int64) throws -> String? {
    try String.fetchOne(db, "SELECT name FROM syncName WHERE kind = ? AND id = ?", [kind, id])
  }

  /// The name of any playlist. Nil: it has none yet.
  static func known(_ db: Database, playlist id: Int64) throws -> String? {
    let kind = try String.fetchOne(db, "SELECT kind FROM playlist WHERE id = ?", [id])
    return try kind ?? known(db, "playlist", id)
  }

  /// Nil: there is none, or it was removed.
  static func id(_ db: Database, _ kind: String, _ name: String) throws -> Int64? {
    let table = kind == "clip" ? "clip" : "playlist"
    return try Int64.fetchOne(
      db, "SELECT t.id FROM syncName n JOIN \(table) t ON t.id = n.id WHERE n.kind = ? AND n.name = ?", [kind, name])
  }

  /// - Parameter list: the beginning of the keys of its items: "item/NAME/". The names "myEpisodes" and "myClips" are
  ///   the same everywhere.
  static func playlist(_ db: Database, list: String) throws -> Int64? {
    let name = String(list.dropFirst(5).dropLast())
    if let id = try Int64.fetchOne(db, "SELECT id FROM playlist WHERE kind = ?", [name]) { return id }
    return try id(db, "playlist", name)
  }

  /// Deletes the name of a clip that was removed.
  /// - Returns: false if there was no such clip.
  static func forget(_ db: Database, clip name: String) throws -> Bool {
    try db.run("DELETE FROM syncName WHERE kind = 'clip' AND name = ?", [name])
    return db.changesCount > 0
  }

  static func set(_ db: Database, _ kind: String, _ id: Int64, _ name: String) throws {
    try db.run("INSERT OR REPLACE INTO syncName (kind, id, name) VALUES (?, ?, ?)", [kind, id, name])
  }

  /// A playlist that was never synced. It has a name if it has registers.
  typealias Unshared = (id: Int64, name: String?)

  /// By title. Of several with the same title, the oldest.
  static func unsharedPlaylists(_ db: Database) throws -> [String: Unshared] {
    let rows = try db.rows(
      """
      SELECT p.title, p.id, n.name FROM playlist p LEFT JOIN syncName n ON n.kind = 'playlist' AND n.id = p.id
      WHERE p.kind IS NULL AND NOT EXISTS (
        SELECT 1 FROM syncRegister r
        WHERE r.key = 'playlist/' || n.name AND (r.seen IS NOT NULL OR r.agreed IS NOT NULL))
      ORDER BY p.id DESC
      """)
    var result: [String: Unshared] = [:]
    for row in rows { result[try row[0]] = (id: try row[1], name: try row[2] as String?) }
    return result
  }

  /// Deletes the registers of a playlist that was never synced.
  static func deleteUnsent(_ db: Database, playlist name: String) throws {
    let items = "item/\(name)/"
    try db.run(
      "DELETE FROM syncRegister WHERE seen IS NULL AND (key = ? OR key >= ? AND key < ?)",
      ["playlist/" + name, items, CollectionKind.end(of: items)])
  }
}
