import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Every released schema still opens, with all its data.
///
/// Each case creates a database with that version's own migrations, up to its last, and fills it with
/// `Released.rows`, SQL as that version wrote it. When you add a migration, add a case with the rows of the version
/// before it. Never change an old case.
@Suite struct MigrationTests {
  /// A released schema: its last migration, and its rows.
  struct Released: CustomTestStringConvertible {
    var migration: String
    var rows: String
    var testDescription: String { migration }

    static let all = [
      Released(migration: "v1", rows: rowsOfV1),
      Released(migration: "v2", rows: rowsOfV2), Released(migration: "v3", rows: rowsOfV3),
      Released(migration: "v4", rows: rowsOfV2), Released(migration: "v5", rows: rowsOfV2),
      Released(migration: "v6", rows: rowsOfV2), Released(migration: "v7", rows: rowsOfV7),
      Released(migration: "v8", rows: rowsOfV7), Released(migration: "v9", rows: rowsOfV9),
      Released(migration: "v10", rows: rowsOfV10), Released(migration: "v11", rows: rowsOfV11),
      Released(migration: "v12", rows: rowsOfV12),
      Released(migration: "v13", rows: rowsOfV12),
      Released(migration: "v14", rows: rowsOfV14), Released(migration: "v15", rows: rowsOfV14),
      Released(migration: "v16", rows: rowsOfV14), Released(migration: "v17", rows: rowsOfV17),
      Released(migration: "v18", rows: rowsOfV18), Released(migration: "v19", rows: rowsOfV19),
      Released(migration: "v20", rows: rowsOfV20), Released(migration: "v21", rows: rowsOfV20),
      Released(migration: "v22", rows: rowsOfV20),
    ]

    private static let rowsOfV18 =
      rowsOfV17 + """
        INSERT INTO madeTranscript VALUES (1, '{"lines":[]}', '{"kind":"made","name":"x","date":5}', 5);
        INSERT INTO transcribing (episodeID, added, failure) VALUES (1, 5, 'It failed.');
        """

    private static let rowsOfV19 =
      rowsOfV18 + """
        INSERT INTO rule (id, position, name, filter, action) VALUES (1, 0, 'R', 'new', 'queue');
        INSERT INTO ruleAct (episodeID, action, rule, run, timestamp) VALUES (1, 'queue', 'R', 1, 5);
        """

    private static let rowsOfV20 =
      rowsOfV19 + """
        INSERT INTO clip (id, episodeID, startTime, dateCreated, userID, kind, note)
          VALUES (8, 1, 0, 0, 'd', 'note', 'Written');
        INSERT INTO clip (id, episodeID, startTime, endTime, dateCreated, userID, kind)
          VALUES (9, 1, 5, 6, 0, 'd', 'skip');
        """

    private static let rowsOfV17 =
      rowsOfV14 + """
        UPDATE syncSubscription SET serverURL = 'https://a.example/?';
        INSERT INTO syncDevice VALUES ('e', 'E', 7);
        UPDATE syncAccount SET notice = 'nothing';
        """

    /// Since v14 no trigger counts new episodes.
    private static let rowsOfV14 = rowsOfV12 + "UPDATE podcast SET episodes = 1, unplayed = 1 WHERE id = 1;"

    private static let rowsOfV12 = rowsOfV11.replacing(
      "undoEpisode VALUES (1, 2, 0, NULL, 7, NULL)", with: "undoEpisode VALUES (1, 2, 0, NULL, 7, NULL, 3, 1)")

    private static let rowsOfV9 =
      rowsOfV7 + "INSERT INTO saving (timestamp, podcastID, kind, seconds) VALUES (0, 1, 'silence', 5);"

    private static let rowsOfV11 =
      rowsOfV10 + """
        INSERT INTO notesDictionary VALUES (77, 5, x'37A430EC');
        INSERT INTO meta VALUES ('notesToPack', '1');
        INSERT INTO episode (id, podcastID, contentHash, title, titleKey, guid, pubDate)
          VALUES (3, 1, 7, 'On air', 'on air', 'earshot:live:x', 5);
        """

    private static let rowsOfV10 =
      rowsOfV9 + """
        INSERT INTO podcast (id, feedURL, feedKey, title, titleKey, source, sourceID, isSubscribed, subscriptionUpdated,
          visited) VALUES (9, 'https://v.example/', 'v.example', 'V', 'v', 'rss', 'https://v.example/', 0, 0, 5);
        """

    private static let rowsOfV7 =
      rowsOfV2 + """
        INSERT INTO syncAccount (id, kind, server, user, device, deviceName, allowsHTTP)
          VALUES (1, 'gpodder', 'https://sync.example', 'u', 'd', 'D', 0);
        INSERT INTO syncSubscription (feedKey, url, server) VALUES ('a.example', 'https://a.example/', 1);
        INSERT INTO syncEpisode (episodeID, seen, agreed) VALUES (1, 5, 6);
        """

    /// Merged chapters, as they were stored up to v3.
    private static let rowsOfV3 =
      rowsOfV2 + """
        INSERT INTO chapters VALUES (1, '[{"start":5,"title":"Old","hidden":false}]', 0);

        """

    private static let rowsOfV2 = rowsOfV1 + "UPDATE podcast SET validatorsURL = 'https://b.example/';"

    private static let rowsOfV1 = """
      INSERT INTO podcast (id, feedURL, feedKey, title, titleKey, source, sourceID, isSubscribed,
        subscriptionUpdated) VALUES (1, 'https://a.example/', 'a.example', 'A', 'a', 'rss', 'https://a.example/', 1, 0);
      INSERT INTO podcastContent (podcastID, summary, extras) VALUES (1, 'S', '{"type":"serial","unknown":1}');
      INSERT INTO episode (id, podcastID, status, position, heardAt, contentHash, title, titleKey, guid)
        VALUES (1, 1, 2, 61.5, 1700000000, 5, 'E', 'e', 'g'), (2, 1, 4, 0, NULL, 6, 'F', 'f', 'h');
      INSERT INTO episodeContent (episodeID, extras, contentHTML)
        VALUES (1, '{"subtitle":"sub","later":[]}', 'zanzibar'), (2, 'not JSON', NULL);
      INSERT INTO queue VALUES (0, 1);
      INSERT INTO clip (id, episodeID, startTime, endTime, dateCreated, userID) VALUES (1, 1, 1, 2, 0, 'd');
      INSERT INTO playlistItem SELECT id, 0, NULL, 1 FROM playlist WHERE kind = 'myClips';
      INSERT INTO event (episodeID, kind, timestamp, deviceID) VALUES (1, 'pause', 0, 'd');
      INSERT INTO undo (id, timestamp, label, step) VALUES (1, 0, 'Delete', '{"episodes":{"withQueue":true}}');
      INSERT INTO undoEpisode VALUES (1, 2, 0, NULL, 7, NULL);
      INSERT INTO searchPending (episodeID) VALUES (1), (2);

      """
  }

  @Test(arguments: Released.all)
  func releasedLibraryOpensWithAllData(released: Released) throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/old.db"
    let old = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(old, upTo: released.migration)
    try old.write { db in try db.execute(sql: released.rows) }
    try old.close()

    let outcome = try Library.open(path: path, now: Samples.now)
    #expect(outcome.setAside == nil)
    let library = outcome.library
    let podcast = try #require(try library.podcasts().first)
    #expect(podcast.title == "A" && podcast.episodes == 1 && podcast.unplayed == 1)
    #expect(try library.podcastDetail(podcast.id)?.feed.type == "serial")
    let episode = try #require(try library.episode(EpisodeID(1)))
    #expect(episode.row.status == .paused && episode.row.position == 61.5 && episode.feed.subtitle == "sub")
    #expect(try library.lastPlayed() == EpisodeID(1))
    #expect(try library.queue() == [EpisodeID(1)])
    #expect(try library.clips().count == 1)
    #expect(try library.playlists().map(\.items.count) == [0, 1])
    #expect(try library.events(limit: 9).count == 1)
    #expect(try library.search("zanzibar").map(\.row.id) == [EpisodeID(1)])
    #expect(try library.undo(now: Samples.now)?.label == "Delete")
    #expect(try library.episode(EpisodeID(2))?.row.position == 7)
    #expect(try library.integrityCheck() == [])
    if released.migration == "v3" {
      #expect(try library.chapterSources(EpisodeID(1)).file == [Chapter(start: 5, title: "Old")])
    }
  }

  @Test func migrationsAreAllTested() {
    #expect(Released.all.map(\.migration) == Schema.migrator.migrations)
  }

  /// Editing a released migration would give two different schemas with one version. So the schema after each version
  /// is pinned. Migrations may change data, too, so their SQL is pinned if it has its own file.
  private struct Pin {
    var migration: String
    var schema: Int64
    var sql: (text: String, hash: Int64)?
  }

  private static let pins = [
    Pin(migration: "v1", schema: 5_579_643_240_658_512_844, sql: (SchemaV1.sql, 483_349_881_824_571_907)),
    Pin(migration: "v2", schema: -8_919_957_182_729_682_383), Pin(migration: "v3", schema: -8_919_957_182_729_682_383),
    Pin(migration: "v4", schema: 3_665_819_427_282_218_417, sql: (SchemaChapters.sql, 7_519_922_516_960_500_826)),
    Pin(migration: "v5", schema: -8_502_703_631_364_688_459, sql: (SchemaNew.sql, 4_197_708_918_392_686_813)),
    Pin(migration: "v6", schema: -2_224_372_886_262_546_875),
    Pin(migration: "v7", schema: 2_925_357_591_042_900_225, sql: (SchemaSync.sql, -2_025_147_286_058_938_412)),
    Pin(
      migration: "v8", schema: -4_687_640_575_441_823_086,
      sql: (SchemaCredentials.sql + SchemaCredentials.cleaning, 4_913_549_859_104_023_735)),
    Pin(migration: "v9", schema: 1_409_500_454_105_312_179),
    Pin(migration: "v10", schema: 4_090_528_859_024_526_860, sql: (SchemaVisited.sql, -4_211_916_142_731_994_095)),
    Pin(migration: "v11", schema: 2_180_709_176_124_671_126, sql: (SchemaNotes.sql, -7_262_861_541_822_240_193)),
    Pin(migration: "v12", schema: 4_994_573_854_934_665_995, sql: (SchemaBacklog.sql, -3_703_230_043_273_514_981)),
    Pin(migration: "v13", schema: 4_496_448_234_423_978_638, sql: (SchemaLive.sql, 4_064_316_662_348_669_996)),
    Pin(migration: "v14", schema: -7_286_787_869_375_603_710),
    Pin(migration: "v15", schema: -6_210_110_675_851_641_813, sql: (SchemaOrder.sql, 5_347_276_706_227_482_251)),
    Pin(migration: "v16", schema: -6_210_110_675_851_641_813),
    Pin(migration: "v17", schema: -6_236_273_138_522_986_021),
    Pin(migration: "v18", schema: 1_788_979_354_677_839_533, sql: (SchemaTranscribing.sql, 8_426_399_559_751_288_802)),
    Pin(migration: "v19", schema: 7_247_599_645_133_104_261, sql: (SchemaRules.sql, -4_009_857_528_528_546_286)),
    Pin(migration: "v20", schema: -4_066_795_887_446_323_539, sql: (SchemaMarks.sql, -2_630_008_611_695_566_307)),
    Pin(migration: "v21", schema: -5_713_502_175_540_813_329),
    Pin(migration: "v22", schema: 4_978_013_634_971_149_886),
  ]

  private static func hash(_ text: String) -> Int64 {
    var hash = StableHash()
    hash.combine(text)
    return hash.value
  }

  @Test func releasedMigrationIsNotEdited() throws {
    #expect(Self.pins.map(\.migration) == Schema.migrator.migrations)
    for pin in Self.pins {
      let queue = try DatabaseQueue()
      try Schema.migrator.migrate(queue, upTo: pin.migration)
      // Without the tables of FTS5 and GRDB, whose SQL depends on their versions.
      let sql = #"""
        SELECT sql FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'search\_%' ESCAPE '\' AND name NOT LIKE 'grdb%' ORDER BY type, name
        """#
      let schema = Self.hash(try queue.read { db in try String.fetchAll(db, sql: sql) }.joined(separator: "\n"))
      #expect(schema == pin.schema, "\(pin.migration) is released: make a new migration instead")
      guard let sql = pin.sql else { continue }
      #expect(Self.hash(sql.text) == sql.hash, "\(pin.migration) is released: make a new migration instead")
    }
  }

  /// What v1 and v3 write besides their schema.
  @Test func firstMigrationsWriteTheirRows() throws {
    let queue = try DatabaseQueue()
    try Schema.migrator.migrate(queue, upTo: "v3")
    try queue.read { (db: Database) throws -> Void in
      #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == Int(Schema.applicationID))
      #expect(try String.fetchAll(db, sql: "SELECT key FROM meta ORDER BY key") == ["deviceID", "lastEpisode"])
      #expect(
        try String.fetchAll(db, sql: "SELECT title || ' ' || kind FROM playlist ORDER BY id")
          == ["My Episodes myEpisodes", "My Clips myClips"])
      #expect(try Int.fetchOne(db, sql: "SELECT v FROM search_config WHERE k = 'crisismerge'") == 64)
    }
  }
}
