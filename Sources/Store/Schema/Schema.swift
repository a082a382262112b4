import Foundation
import GRDB

/// The numbered migrations. A released migration is never edited: a change of the schema is a new migration at the
/// end. `MigrationTests.Released` then gets rows of the previous version.
enum Schema {
  /// `PRAGMA application_id`: "ears". Identifies Earshot's libraries among SQLite databases.
  static let applicationID: Int32 = 0x6561_7273

  /// Bytes. Four times SQLite's default, so that show notes of a few kilobytes and segments of the search index fit
  /// in one page. Processor time measured for 9,000 episodes with content and index: 0.60 s; with pages of 4 kB 0.85
  /// s, of 8 kB 0.73 s, of 32 kB 0.61 s.
  static let pageSize = 16_384

  /// For an empty database. Others keep their page size.
  static func setPageSize(_ db: Database) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 else { return }
    try db.execute(sql: "PRAGMA page_size = \(pageSize)")
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: SchemaV1.sql + SchemaCollections.sql)
      // A random id, which tells nothing about the listener.
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
      // The address that sent etag and lastModified, after redirects. They are not valid for other addresses.
      try db.execute(sql: "ALTER TABLE podcast ADD COLUMN validatorsURL TEXT")
    }
    migrator.registerMigration("v3") { db in
      // Each transaction of a refresh writes a segment of the index. With SQLite's default of 16 segments, it would
      // merge them all during the refresh, which takes a fifth of a first refresh. `mergeSearchIndex` merges them when
      // the program is idle.
      try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('crisismerge', 64)")
    }
    migrator.registerMigration("v4") { db in try db.execute(sql: SchemaChapters.sql) }
    migrator.registerMigration("v5") { db in try db.execute(sql: SchemaNew.sql) }
    migrator.registerMigration("v6") { db in
      // An undone change waits for its redo.
      try db.execute(sql: "ALTER TABLE undo ADD COLUMN isUndone INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("v7") { db in try db.execute(sql: SchemaSync.sql) }
    migrator.registerMigration("v8") { db in try SchemaCredentials.migrate(db) }
    migrator.registerMigration("v9") { db in
      // `SavedTime`. The podcast may have been deleted since.
      try db.execute(
        sql: """
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
    migrator.registerMigration("v12") { db in try db.execute(sql: SchemaBacklog.sql) }
    migrator.registerMigration("v13") { db in try db.execute(sql: SchemaLive.sql) }
    migrator.registerMigration("v14") { db in
      // `FeedWriter` counts the episodes once for each feed. This trigger counted each new one, which took two thirds
      // of the time of inserting them.
      try db.execute(sql: "DROP TRIGGER episodeAdded")
    }
    migrator.registerMigration("v15") { db in try db.execute(sql: SchemaOrder.sql) }
    migrator.registerMigration("v16") { db in try SchemaFolding.migrate(db) }
    migrator.registerMigration("v17") { db in
      // What the server calls a feed, if that is not `url`; the time of a device's newest change; what the last check
      // of the server found.
      try db.execute(
        sql: """
          ALTER TABLE syncSubscription ADD COLUMN serverURL TEXT;
          ALTER TABLE syncDevice ADD COLUMN seen REAL;
          ALTER TABLE syncAccount ADD COLUMN notice TEXT;
          """)
    }
    migrator.registerMigration("v18") { db in try db.execute(sql: SchemaTranscribing.sql) }
    migrator.registerMigration("v19") { db in try db.execute(sql: SchemaRules.sql) }
    migrator.registerMigration("v20") { db in try db.execute(sql: SchemaMarks.sql) }
    migrator.registerMigration("v21") { db in try db.execute(sql: SchemaSync.triggers(of: "rule")) }
    migrator.registerMigration("v22") { db in
      try SchemaFolding.migrateInvisible(db)
      // What the tables have in place of a register that is not applied; whether an episode was played when a rule
      // acted.
      try db.execute(
        sql: """
          ALTER TABLE syncRegister ADD COLUMN local TEXT;
          ALTER TABLE ruleAct ADD COLUMN wasPlayed INTEGER NOT NULL DEFAULT 0;
          """)
    }
    return migrator
  }

  /// The triggers of all versions, in lines.
  static let triggers: Set<[Substring]> = {
    let sql = SchemaV1.sql + SchemaSync.sql + SchemaLive.sql + SchemaMarks.sql + SchemaSync.triggers(of: "rule")
    var triggers: Set<[Substring]> = []
    var trigger: [Substring]?
    for line in lines(sql) {
      if line.hasPrefix("CREATE TRIGGER") { trigger = [] }
      // `sqlite_master` has no semicolon after the statement.
      trigger?.append(line == "END;" ? "END" : line)
      guard line == "END;", let complete = trigger else { continue }
      triggers.insert(complete)
      trigger = nil
    }
    return triggers
  }()

  /// The lines of a statement, without indent.
  static func lines(_ sql: String) -> [Substring] {
    sql.utf8.split(separator: 0x0A).map { Substring($0.drop { $0 == 0x20 }) }
  }
}
