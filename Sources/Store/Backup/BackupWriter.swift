import Foundation
import GRDB
import Model

/// Writes a backup that is small enough for every day: a library with all of the listener's data, and the identifying
/// columns of the episodes. Data that can be fetched again (show notes, transcripts, the search index) is left out,
/// except for episodes that the listener touched, that have left their feeds, or whose feeds cannot be read at the
/// moment.
///
/// The result is a normal library: `Library` opens it, and the next refresh fills in what is missing.
struct BackupWriter {
  /// The path of the library. It is read in one transaction, while others may write.
  var source: String

  private static let leftOut = [
    "search", "chapterSource", "transcript", "episodeContent", "grdb_migrations", "sqlite_",
  ]

  func write(to target: String) throws {
    var configuration = Configuration.hardened
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { try Schema.setPageSize($0) }
    // Created before SQLite opens it, with permissions for the owner only. SQLite treats an empty file as a new
    // database.
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, OwnerOnly.fileMode)
    if descriptor >= 0 { close(descriptor) }
    let copy = try DatabaseQueue(path: target, configuration: configuration)
    try Schema.migrator.migrate(copy)
    try copy.inDatabase { db in try db.execute(sql: "ATTACH ? AS source", arguments: [source]) }
    try copy.write { db in
      try fill(db)
      try forgetWhatIsLeftOut(db)
    }
    let problems = try copy.inDatabase { db in
      try db.execute(sql: "DETACH source")
      // The first column of the second is the table with a row that names one that is not there.
      return try ["integrity_check", "foreign_key_check"].flatMap { try String.fetchAll(db, sql: "PRAGMA \($0)") }
    }
    // Problems found here are damage in the library itself that reading did not detect.
    guard problems == ["ok"] else { throw StoreError.damaged(path: source, detail: problems.joined(separator: "; ")) }
    try copy.close()
  }

  private func fill(_ db: Database) throws {
    let tables = try String.fetchAll(db, "SELECT name FROM source.sqlite_master WHERE type = 'table' ORDER BY name")
      .filter { name in !Self.leftOut.contains(where: name.hasPrefix) }
    for table in tables {
      try db.execute(sql: "DELETE FROM main.\(table)")
      try db.execute(sql: "INSERT INTO main.\(table) SELECT * FROM source.\(table)")
    }
    try db.execute(
      sql: """
        INSERT INTO main.episodeContent SELECT c.* FROM source.episodeContent c JOIN main.episode e ON e.id = c.episodeID
        JOIN main.podcast p ON p.id = e.podcastID
        WHERE e.isGone OR p.health <> 'good' OR p.feedURL LIKE 'earshot:%'
          OR \(EpisodeTouched.condition("e"));
        INSERT OR REPLACE INTO main.sqlite_sequence SELECT * FROM source.sqlite_sequence WHERE name NOT LIKE 'search%';
        """)
  }

  private func forgetWhatIsLeftOut(_ db: Database) throws {
    try db.execute(
      sql: """
        -- The triggers have counted once more.
        UPDATE podcast SET (episodes, unplayed) = (SELECT episodes, unplayed FROM source.podcast s WHERE s.id = podcast.id);
        -- The next refresh must read every feed, and write every episode.
        UPDATE podcast SET etag = NULL, lastModified = NULL, digest = NULL, validatorsURL = NULL, notBefore = NULL;
        UPDATE episode SET contentHash = 0;
        UPDATE episodeContent SET document = NULL, textHash = NULL;
        INSERT INTO searchPending (episodeID) SELECT id FROM episode;
        INSERT OR REPLACE INTO meta (key, value) VALUES ('cleanStop', '1');
        """)
  }
}

/// The condition for episodes that the listener has touched: started, played, deleted, queued, in a playlist,
/// clipped, tagged, downloaded, transcribed, or in the history.
enum EpisodeTouched {
  /// The columns of `episode` for what the listener did, with their values before that. `FeedMove` merges them.
  static let columns = [
    (name: "status", untouched: "\(EpisodeStatus.new.code)"), (name: "statusUpdated", untouched: "NULL"),
    (name: "position", untouched: "0"), (name: "positionUpdated", untouched: "NULL"),
    (name: "heardAt", untouched: "NULL"),
  ]

  /// The tables of what the listener did with an episode.
  static let tables = [
    "queue", "playlistItem", "clip", "episodeTag", "download", "event", "madeTranscript", "transcribing",
  ]

  /// SQL for the table or alias `name`.
  static func condition(_ name: String) -> String {
    let values = columns.map { "\(name).\($0.name) IS NOT \($0.untouched)" }
    let rows = tables.map { "EXISTS (SELECT 1 FROM \($0) WHERE episodeID = \(name).id)" }
    return "(\((values + rows).joined(separator: " OR ")))"
  }
}
