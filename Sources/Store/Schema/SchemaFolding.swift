import GRDB
import Model

/// The keys of titles are made by `TextFolding`. Titles of plain ASCII letters have the same key as before. The index
/// of the search is made again for the episodes whose texts are folded differently: they are marked, and indexing one
/// whose texts have not changed writes nothing.
enum SchemaFolding {
  static func migrate(_ db: Database) throws {
    let isFolded = "title GLOB '*[^ -~]*' OR instr(title, '''') OR instr(title, '`')"
    try renew(db, where: isFolded)
    try db.execute(sql: "INSERT OR REPLACE INTO searchPending (episodeID) SELECT episodeID FROM episodeContent")
  }

  /// The same for titles with characters that are invisible inside a word.
  static func migrateInvisible(_ db: Database) throws {
    let isFolded = "title GLOB '*[\u{AD}\u{200B}\u{2060}\u{FEFF}]*'"
    try renew(db, where: isFolded)
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO searchPending (episodeID)
        SELECT c.episodeID FROM episodeContent c JOIN episode e ON e.id = c.episodeID
        WHERE typeof(e.title) = 'text' AND e.\(isFolded)
        """)
  }

  private static func renew(_ db: Database, where isFolded: String) throws {
    try renew(db, "episode", where: isFolded) { $0.trimmed.folded }
    try renew(db, "podcast", where: isFolded, key: PodcastColumns.sortKey)
  }

  private static func renew(
    _ db: Database, _ table: String, where isFolded: String, key: (String) -> String
  ) throws {
    let rows = try CheckedRow.fetchAll(
      db, sql: "SELECT id, title FROM \(table) WHERE typeof(title) = 'text' AND (\(isFolded))")
    let statement = try db.makeStatement(sql: "UPDATE \(table) SET titleKey = ? WHERE id = ?")
    for row in rows { try statement.execute(arguments: [key(try row[1]), try row[0] as Int64]) }
  }
}
