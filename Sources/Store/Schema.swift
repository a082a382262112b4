import Foundation
import GRDB

/// The numbered migrations. A released one is never edited: a change of the schema is a new one at the end, and
/// `Tests/StoreTests/Released` gets a database of the version that was released before it.
enum Schema {
  /// `PRAGMA application_id`: "ears". Tells our file from any other SQLite database.
  static let applicationID: Int32 = 0x6561_7273

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
    return migrator
  }
}
