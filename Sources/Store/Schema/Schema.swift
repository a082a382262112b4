import Foundation
import GRDB

/// The numbered migrations. A released one is never edited: a change of the schema is a new one at the end,
/// `MigrationTests.Released` gets rows of the version before it, and `CurrentSchema.swift` is recorded again.
enum Schema {
  /// `PRAGMA application_id`: "ears". Tells our file from any other SQLite database.
  static let applicationID: Int32 = 0x6561_7273

  /// Bytes. Four times SQLite's own: show notes of some kilobytes, and the index's pieces, then lie in one page instead
  /// of in chains. Measured with 9,000 episodes, content and index: 0.60 s of processor time, with pages of 4 kB 0.85,
  /// of 8 kB 0.73, of 32 kB 0.61.
  static let pageSize = 16_384

  /// For a database that has nothing in it yet; what has been written keeps its own.
  static func setPageSize(_ db: Database) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
    try db.execute(sql: "PRAGMA page_size = \(pageSize)")
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: SchemaV1.sql + SchemaCollections.sql)
      // Random, so that it says nothing of who or where the listener is.
      try db.execute(
        sql: "INSERT INTO meta (key, value) VALUES ('deviceID', ?)", arguments: [UUID().uuidString.lowercased()])
      try db.execute(
        sql: """
          INSERT INTO meta (key, value) VALUES ('lastEpisode', '0');
          INSERT INTO playlist (title, lastUpdated, kind)
          VALUES ('My Episodes', 0, 'myEpisodes'), ('My Clips', 0, 'myClips')
          """)
    }
    migrator.registerMigration("v2") { db in
      // The address that gave etag and lastModified, after redirects: they say nothing of another one.
      try db.execute(sql: "ALTER TABLE podcast ADD COLUMN validatorsURL TEXT")
    }
    migrator.registerMigration("v3") { db in
      // A refresh writes a piece of the index for each transaction, and at the 17th SQLite would merge them all while
      // the listener waits, a fifth of the work of a first refresh. `tidySearch` merges when nothing else is to do.
      try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('crisismerge', 64)")
    }
    migrator.registerMigration("v4") { db in try db.execute(sql: SchemaChapters.sql) }
    migrator.registerMigration("v5") { db in try db.execute(sql: SchemaNew.sql) }
    migrator.registerMigration("v6") { db in
      // A change that was taken back waits to be done again.
      try db.execute(sql: "ALTER TABLE undo ADD COLUMN isUndone INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("v7") { db in try db.execute(sql: SchemaSync.sql) }
    migrator.registerMigration("v8") { db in try SchemaCredentials.migrate(db) }
    migrator.registerMigration("v9") { db in
      try db.execute(
        sql: """
          -- Time that was spared by something other than the speed (Saving). Of a podcast, which may be gone by now.
          CREATE TABLE saving (
            timestamp REAL NOT NULL,
            podcastID INTEGER NOT NULL,
            kind TEXT NOT NULL,
            seconds REAL NOT NULL
          );
          CREATE INDEX savingTime ON saving (timestamp);
          """)
    }
    migrator.registerMigration("v10") { db in try db.execute(sql: SchemaVisited.sql) }
    migrator.registerMigration("v11") { db in try db.execute(sql: SchemaNotes.sql) }
    return migrator
  }
}
