import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Files that are not Earshot libraries are refused before anything is changed, both when they are restored and when
/// they lie at the library's path.
@Suite struct LibraryValidatorTests {
  private let box: TemporaryLibrary
  private let id: EpisodeID
  private let before: Data

  init() throws {
    box = try TemporaryLibrary()
    id = try box.episodes(box.subscribe(Samples.episodes(1...60)))[0]
    try box.library.savePosition(id, seconds: 42, total: nil, now: Samples.now)
    try box.library.close()
    before = try Data(contentsOf: URL(fileURLWithPath: box.path))
  }

  /// A copy of the library after running `sql`.
  private func copy(_ sql: String) throws -> String {
    let path = box.directory + "/changed.db"
    try box.library.backup(to: path)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
    return path
  }

  private func file(_ bytes: Data) throws -> String {
    let path = box.directory + "/source.db"
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Expects that the restore is refused with this message and exit status, and that nothing is changed.
  private func expectRefused(
    _ source: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      try Library.restore(source, to: box.path, now: Samples.now)
    }
    let text = error?.description ?? ""
    #expect(text.contains(words) && text.contains(source), "\(text)", sourceLocation: sourceLocation)
    switch error {
    case .notALibrary, .damaged, .newer: break
    default: Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: box.path)) == before, sourceLocation: sourceLocation)
    let names = try FileManager.default.contentsOfDirectory(atPath: box.directory)
    #expect(!names.contains { $0.contains(".restoring") || $0.contains(".replaced") }, sourceLocation: sourceLocation)
    #expect(try Library(path: box.path).episode(id)?.row.position == 42, sourceLocation: sourceLocation)
  }

  // MARK: Not a regular file

  @Test func irregularFilesAreRefused() throws {
    try expectRefused("/dev/zero", "it is a device")
    try expectRefused("/dev/null", "it is a device")
    try expectRefused(box.directory, "it is a directory")
    let fifo = box.directory + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    // Opening it would block forever.
    try expectRefused(fifo, "it is a FIFO")
  }

  @Test func fifoAtTheLibraryPathDoesNotBlock() throws {
    let fifo = box.directory + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(throws: StoreError.cannotOpen(path: fifo, detail: "it is a FIFO")) {
      try Library.open(path: fifo, now: Samples.now)
    }
    #expect(throws: StoreError.cannotOpen(path: "/dev/zero", detail: "it is a device")) {
      try Library.open(path: "/dev/zero", now: Samples.now)
    }
  }

  // MARK: Not a library

  @Test func emptyFileIsRefused() throws { try expectRefused(try file(Data()), "it is empty") }

  @Test(arguments: ["x", "\0", "SQLite format 3", "SQLite format 3\0", "# a text file\nwith two lines\n"])
  func someBytesAreRefused(text: String) throws {
    let words = text == "SQLite format 3\0" ? "cut off in its header" : "not an SQLite database"
    try expectRefused(try file(Data(text.utf8)), words)
  }

  @Test func emptyDatabaseIsRefused() throws {
    let path = box.directory + "/source.db"
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE x (y); DROP TABLE x") }
    try queue.close()
    try expectRefused(path, "it is empty")
    let marked = try DatabaseQueue(path: path)
    try marked.write { db in try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
    try marked.close()
    try expectRefused(path, "it is empty")
  }

  /// The database is refused even if its tables have the same names and its application id is ours.
  @Test(arguments: [0, Schema.applicationID]) func databaseOfAnotherProgramIsRefused(id: Int32) throws {
    let path = box.directory + "/source.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE podcast (x); CREATE TABLE episode (x); PRAGMA application_id = \(id)")
    }
    try queue.close()
    try expectRefused(path, id == 0 ? "the database of another program" : "does not say which Earshot made it")
  }

  @Test func anotherApplicationsIDIsRefused() throws {
    try expectRefused(try copy("PRAGMA application_id = 7"), "the database of another program")
  }

  @Test func newerLibraryIsRefused() throws {
    try expectRefused(try copy("INSERT INTO grdb_migrations VALUES ('v999')"), "a newer Earshot")
  }

  // MARK: Damage

  @Test(arguments: [99, 4096, 20_000]) func truncatedLibraryIsRefused(length: Int) throws {
    try expectRefused(try file(before.prefix(length)), "cut off")
  }

  /// The header and the length are correct, but a page in the middle is damaged.
  @Test func corruptedLibraryIsRefused() throws {
    let path = try copy("SELECT 1")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let page = Schema.pageSize
    for place in page..<(bytes.count / page * page) where place % page < 200 { bytes[place] = 0xA5 }
    try expectRefused(try file(bytes), "is damaged")
  }

  @Test(arguments: ["podcast", "meta"]) func libraryWithoutOneOfItsTablesIsRefused(table: String) throws {
    let path = try copy("PRAGMA foreign_keys = off; DROP TABLE \(table)")
    try expectRefused(path, "the table “\(table)” is missing")
    #expect(try Library.open(path: path, now: Samples.now).setAside != nil)
  }

  // MARK: Foreign schema objects

  static let strangers = [
    ("trigger “evil”", "CREATE TRIGGER evil AFTER INSERT ON setting BEGIN DELETE FROM queue; END"),
    ("trigger “evil”", "CREATE TRIGGER evil AFTER UPDATE ON grdb_migrations BEGIN DELETE FROM queue; END"),
    ("view “evil”", "CREATE VIEW evil AS SELECT * FROM podcast"),
    // The names are ours, but the definitions differ.
    (
      "trigger “episodeRemoved”",
      """
      DROP TRIGGER episodeRemoved;
      CREATE TRIGGER episodeRemoved AFTER DELETE ON episode BEGIN DELETE FROM queue; END
      """
    ),
    // The line break after the comment is missing.
    (
      "trigger “episodeRemoved”",
      """
      DROP TRIGGER episodeRemoved;
      CREATE TRIGGER episodeRemoved AFTER DELETE ON episode BEGIN
        UPDATE podcast SET episodes = episodes - (old.status < 4), unplayed = unplayed - (old.status < 3)
          WHERE id = old.podcastID AND NOT \(SchemaLive.condition("old.guid"));
        -- The undo log may still name it. AUTOINCREMENT would see to that as well, and cost a third of a first refresh. \
      UPDATE meta SET value = old.id WHERE key = 'lastEpisode' AND old.id > CAST(value AS INTEGER);
      END;
      """
    ),
    (
      "view “setting”",
      "DROP TABLE setting; CREATE VIEW setting AS SELECT 'theme' AS key, 'x' AS value"
    ),
  ]

  @Test(arguments: strangers) func libraryWithForeignSchemaObjectsIsRefused(words: String, sql: String) throws {
    try expectRefused(try copy(sql), "the \(words) was not made by Earshot")
  }

  /// The file at the library's path is set aside unchanged, and its SQL never runs.
  @Test(arguments: strangers) func libraryWithForeignSchemaObjectsIsNotOpened(words: String, sql: String) throws {
    let path = try copy(sql)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for isReadOnly in [true, false] {
      let error = #expect(throws: StoreError.self) { try Library(path: path, isReadOnly: isReadOnly) }
      #expect(error?.description.contains("the \(words) was not made by Earshot") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
    let outcome = try Library.open(path: path, now: Samples.now)
    let aside = try #require(outcome.setAside)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
    #expect(try outcome.library.podcasts().isEmpty)
  }

  /// The file was emptied, for instance by a program that failed while writing. That must not count as a first start.
  @Test func emptyFileBesideBackupsIsALostLibrary() throws {
    let library = try Library(path: box.path)
    let backup = try library.backUp(now: Samples.now)
    try library.close()
    try Data().write(to: URL(fileURLWithPath: box.path))
    let outcome = try Library.open(path: box.path, now: Samples.now)
    #expect(outcome.backup == backup && outcome.setAside != nil)
    #expect(outcome.reason?.contains("it is empty") == true)
  }

  // MARK: Accepted libraries

  @Test func copyWithItsLogIsRestored() throws {
    let library = try Library(path: box.path)
    try library.savePosition(id, seconds: 77, total: nil, now: Samples.now)
    let copy = box.directory + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for companion in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: box.path + companion, toPath: copy + "/mine.db" + companion)
    }
    try library.savePosition(id, seconds: 5, total: nil, now: Samples.now)
    try library.close()
    #expect(try Library.restore(copy + "/mine.db", to: box.path, now: Samples.now) != nil)
    #expect(try Library(path: box.path).episode(id)?.row.position == 77)
  }

  /// SQLite itself writes the planner's statistics.
  @Test func analyzedLibraryIsAccepted() throws {
    let path = try copy("ANALYZE")
    #expect(try Library.restore(path, to: box.path, now: Samples.now) != nil)
    #expect(try Library(path: path).episode(id)?.row.position == 42)
  }

  @Test func connectionsDistrustTheFile() throws {
    let library = try Library(path: box.path)
    func expectDistrust(_ db: Database) throws {
      #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 0)
    }
    try library.pool.read(expectDistrust)
    try library.pool.writeWithoutTransaction { db in
      try expectDistrust(db)
      // Statements that defensive mode forbids, whatever the pragma says.
      try db.execute(sql: "PRAGMA writable_schema = ON")
      for sql in ["UPDATE sqlite_master SET sql = sql", "DELETE FROM search_data"] {
        #expect(throws: DatabaseError.self, "\(sql)") { try db.execute(sql: sql) }
      }
    }
    try LibraryFile(path: box.path).openToRead().read(expectDistrust)
  }

  @Test func eventKindOfANewerVersionIsRefused() throws {
    let library = try Library(path: box.path)
    try library.record(ListeningEvent(episode: id, kind: .start, timestamp: Samples.now))
    try library.write { db in try db.execute(sql: "UPDATE event SET kind = 'bookmarked'") }
    let error = #expect(throws: StoreError.self) { try library.events(limit: 9) }
    #expect(error?.description.contains("(“bookmarked”). A newer one wrote it") == true)
    try library.write { db in try db.execute(sql: "UPDATE episode SET status = 9 WHERE id = \(id.rawValue)") }
    #expect(throws: StoreError.self) { try library.episode(id) }
  }

  // MARK: Replaced libraries

  @Test func twoReplacedLibrariesAreKeptForAMonth() throws {
    let library = try Library(path: box.path)
    let backup = box.directory + "/backup.db"
    try library.backup(to: backup)
    try library.close()
    func kept() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: box.directory)
        .filter { $0.contains(".replaced-2") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count
    }
    for day in 0..<4 {
      let aside = try Library.restore(backup, to: box.path, now: Samples.later(Double(day) * 86400))
      let place = try #require(aside)
      #expect(FileManager.default.fileExists(atPath: place))
      #expect(try kept() == min(day + 1, 2))
    }
    // Files that Earshot did not name are kept.
    let own = box.path + ".replaced-by-me"
    try Data().write(to: URL(fileURLWithPath: own))
    Library.removeLeftovers(of: box.path, now: Samples.later(32 * 86400))
    #expect(try kept() == 2)
    Library.removeLeftovers(of: box.path, now: Samples.later(33 * 86400))
    #expect(try kept() == 1)
    #expect(FileManager.default.fileExists(atPath: own))
  }

  /// The old library has a write-ahead log: it is checkpointed before the new file takes its place.
  @Test func logOfTheReplacedLibraryIsKept() throws {
    let library = try Library(path: box.path)
    let backup = box.directory + "/backup.db"
    try library.backup(to: backup)
    try library.close()
    // The state after a player was killed.
    let left = box.directory + "/left"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    let again = try Library(path: box.path)
    try again.savePosition(id, seconds: 99, total: nil, now: Samples.now)
    for companion in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: box.path + companion, toPath: left + "/earshot.db" + companion)
    }
    let aside = try #require(try Library.restore(backup, to: left + "/earshot.db", now: Samples.now))
    #expect(!FileManager.default.fileExists(atPath: left + "/earshot.db-wal"))
    #expect(try Library(path: aside).episode(id)?.row.position == 99)
    #expect(try Library(path: left + "/earshot.db").episode(id)?.row.position == 42)
  }
}
