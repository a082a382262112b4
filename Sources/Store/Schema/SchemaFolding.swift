import GRDB
import Model

/// The keys of titles are made by `TextFolding`. Titles of plain ASCII letters have the same key as before. The index
/// of the search is made again for the episodes whose texts are folded differently: they are marked, and indexing one
/// whose texts have not changed writes nothing.
enum SchemaFolding {
  static func migrate(_ db: Database) throws {
    try renew(db, "episode") { $0.trimmed.folded }
    try renew(db, "podcast", key: PodcastColumns.sortKey)
    try db.execute(sql: "INSERT OR REPLACE INTO searchPending (episodeID) SELECT episodeID FROM episodeContent")
  }

  private static func renew(_ db: Database, _ table: String, key: (String) -> String) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, title FROM \(table)
        WHERE typeof(title) = 'text' AND (title GLOB '*[^ -~]*' OR instr(title, '''') OR instr(title, '`'))
        """
    ).map(CheckedRow.init)
    let statement = try db.makeStatement(sql: "UPDATE \(table) SET titleKey = ? WHERE id = ?")
    for row in rows { try statement.execute(arguments: [key(try row[1]), try row[0] as Int64]) }
  }
}
