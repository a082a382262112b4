import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Backups and restores. Nothing is ever overwritten.
@Suite struct BackupTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  /// Five episodes: 5 begun, 4 queued, 3 clipped, 2 deleted, 1 untouched.
  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...5))
    ids = try box.episodes(podcast)
    try box.library.savePosition(ids[0], seconds: 42, total: nil, now: Samples.now)
    try box.library.enqueue([ids[1]], now: Samples.now)
    _ = try box.library.addClip(of: ids[2], startTime: 1, endTime: 2, title: "Mine", now: Samples.now)
    try box.library.setStatus([ids[3]], .deleted, now: Samples.now)
    try box.library.setTags(["news"], of: podcast, now: Samples.now)
    try box.library.setSetting("volume", "80")
  }

  private func expectAllIsThere(_ library: Library, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try library.episode(ids[0])?.row.position == 42, sourceLocation: sourceLocation)
    #expect(try library.queue() == [ids[1]], sourceLocation: sourceLocation)
    #expect(try library.clips().map(\.title) == ["Mine"], sourceLocation: sourceLocation)
    #expect(try library.episode(ids[3])?.row.status == .deleted, sourceLocation: sourceLocation)
    #expect(try library.podcastDetail(podcast)?.row.tags == ["news"], sourceLocation: sourceLocation)
    #expect(try library.podcasts().map(\.episodes) == [4], sourceLocation: sourceLocation)
    #expect(try library.podcasts().map(\.unplayed) == [4], sourceLocation: sourceLocation)
    #expect(try library.setting("volume") == "80", sourceLocation: sourceLocation)
    #expect(try library.undoPlan(.back)?.label == "Tag “A Podcast”", sourceLocation: sourceLocation)
    #expect(library.deviceID == box.library.deviceID, sourceLocation: sourceLocation)
    #expect(try library.integrityCheck() == [], sourceLocation: sourceLocation)
  }

  @Test func backupIsCompletedByARefresh() throws {
    let backup = try library.backUp(now: Samples.now)
    #expect(backup.date == Samples.now && backup.path.hasSuffix("/backups/earshot-20231114-221320.db"))
    let copy = try Library(path: backup.path)
    try expectAllIsThere(copy)
    // The notes of episodes with user data are in the backup. The others are fetched and indexed again.
    #expect(Set(try copy.search("notes").map(\.row.id)) == Set(ids[0...2]))
    #expect(try copy.podcastsToRefresh(now: Samples.now).map(\.validators) == [FeedValidators()])
    let result = try copy.apply(feed: Samples.feed(Samples.episodes(1...5)), to: podcast, now: Samples.now)
    #expect(result.new.isEmpty && result.updated == 5)
    #expect(try copy.search("notes").count == 4)
    try expectAllIsThere(copy)
    #expect(try copy.search("notes").map(\.match.snippet).allSatisfy { $0.contains("Notes of") })
  }

  /// Two devices with one id would write to one directory of a sync folder.
  @Test func backupOfAnotherDeviceDoesNotBringItsID() throws {
    let backup = try library.backUp(now: Samples.now)
    let other = try TemporaryLibrary()
    let id = other.library.deviceID
    try other.library.close()
    try Library.restore(backup.path, to: other.path, now: Samples.now)
    #expect(try Library(path: other.path).deviceID == id)
    // Where there was no library, it is a new device.
    let empty = (other.path as NSString).deletingLastPathComponent + "/new.db"
    try Library.restore(backup.path, to: empty, now: Samples.now)
    let new = try Library(path: empty)
    #expect(![id, library.deviceID].contains(new.deviceID))
    #expect(try new.episode(ids[0])?.row.position == 42)
    // A backup from beside a library that was lost is of this device.
    let lost = try new.backUp(now: Samples.later(1))
    let kept = new.deviceID
    try new.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: empty + suffix) }
    try Library.restore(lost.path, to: empty, now: Samples.later(2))
    #expect(try Library(path: empty).deviceID == kept)
  }

  @Test func restoreKeepsTheNotesOfFailedFeeds() throws {
    let backup = try library.backUp(now: Samples.now)
    try library.setStatus([ids[4]], .played, now: Samples.later(60))
    try library.close()
    #expect(try Library.restore(backup.path, to: box.path, now: Samples.later(120)) != nil)
    let restored = try Library(path: box.path)
    try expectAllIsThere(restored)
    for id in ids { #expect(try restored.episode(id)?.feed.summary != nil, "\(id)") }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: URL(fileURLWithPath: box.path).deletingLastPathComponent().path)
    #expect(!left.contains { $0.contains(".restoring") })
  }

  /// The replaced library is of an older version, which has fewer columns.
  @Test func restoreTakesTheNotesOfAnOlderLibrary() throws {
    let backup = try library.backUp(now: Samples.now)
    try library.close()
    let old = try DatabaseQueue(path: box.path)
    try old.inDatabase { db in try db.execute(sql: "ALTER TABLE episodeContent DROP COLUMN imageURL") }
    try old.close()
    try Library.restore(backup.path, to: box.path, now: Samples.later(120))
    let restored = try Library(path: box.path)
    for id in ids { #expect(try restored.episode(id)?.feed.summary != nil, "\(id)") }
  }

  @Test func backupKeepsTheNotesOfAFailedFeed() throws {
    let failed = FeedHealth.failed(connectivity: true, message: "404")
    _ = library.store([.failed(podcast, failed, RefreshInfo())], now: Samples.now)
    let copy = try Library(path: try library.backUp(now: Samples.now).path)
    for id in ids { #expect(try copy.episode(id)?.feed.summary != nil, "\(id)") }
  }

  @Test func backupsOfTheNewestDayAreKept() throws {
    for seconds in [0, 60, 120] { _ = try library.backUp(now: Samples.later(Double(seconds))) }
    #expect(Library.backups(of: box.path).count == 3)
  }

  @Test func backupIsMadeOnceADay() throws {
    #expect(try library.backUpIfDue(now: Samples.now) != nil)
    #expect(try library.backUpIfDue(now: Samples.later(3600)) == nil)
    #expect(try library.backUpIfDue(now: Samples.later(86400)) != nil)
    // A backup with a wrong, later date must not suppress backups for years.
    #expect(try library.backUp(now: Samples.later(86400 * 900)).bytes > 0)
    #expect(try library.backUpIfDue(now: Samples.later(86400 * 2)) != nil)
    #expect(Library.backups(of: box.path).count == 4)
  }

  @Test func sevenDaysAndFourWeeksAreKept() throws {
    let directory = BackupDirectory(library: box.path)
    for day in 0..<60 {
      for hour in [0, 5] {
        let path = try directory.newPath(now: Samples.later(Double(day) * 86400 + Double(hour) * 600))
        try "x".write(toFile: path, atomically: true, encoding: .utf8)
      }
    }
    try "theirs".write(toFile: directory.path + "/earshot-notes.db", atomically: true, encoding: .utf8)
    // None is kept only because it was just made.
    directory.rotate(keeping: "")
    let days = directory.list().map { Int($0.date.timeIntervalSince(Samples.now) / 86400) }
    // All backups of the newest day, and the newest of each other day.
    #expect(days.count == 12 && Array(days.prefix(8)) == [59] + Array((53...59).reversed()))
    #expect((24...38).contains(days.min() ?? 0))
    #expect(FileManager.default.fileExists(atPath: directory.path + "/earshot-notes.db"))
  }

  @Test func damagedLibraryIsSetAsideAndABackupOffered() throws {
    let good = try library.backUp(now: Samples.now)
    let bad = try library.backUp(now: Samples.later(86400))
    try library.close()
    for path in [bad.path, box.path] {
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 9000)
      try handle.close()
    }
    let outcome = try Library.open(path: box.path, now: Samples.now)
    #expect(outcome.backup == good && outcome.setAside != nil)
    // The listener used the program before restoring: that state is kept too.
    try outcome.library.setSetting("theme", "dark")
    try outcome.library.close()
    let aside = try #require(try Library.restore(good.path, to: box.path, now: Samples.now))
    try expectAllIsThere(try Library(path: box.path))
    #expect(try Library(path: aside).setting("theme") == "dark")
    #expect(Library.backups(of: box.path).count == 2)
  }

  @Test func invalidBackupChangesNothing() throws {
    try library.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: box.path))
    let text = box.directory + "/text.db"
    try String(repeating: "no library ", count: 1000).write(toFile: text, atomically: true, encoding: .utf8)
    for path in [text, box.directory + "/none.db", box.directory] {
      #expect(throws: StoreError.self) { try Library.restore(path, to: box.path, now: Samples.now) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: box.path)) == before)
    #expect(try Library.open(path: box.path, now: Samples.now).setAside == nil)
  }

  @Test func interruptedRestoreLeavesTheOldLibrary() throws {
    let backup = try library.backUp(now: Samples.now)
    try library.close()
    try FileManager.default.copyItem(atPath: backup.path, toPath: box.path + ".restoring")
    #expect(try Library.open(path: box.path, now: Samples.now).setAside == nil)
    try Library.restore(backup.path, to: box.path, now: Samples.now)
    #expect(!FileManager.default.fileExists(atPath: box.path + ".restoring"))
  }

  /// A command that runs while the library is replaced writes on to the old file.
  @Test func changesOfAReplacedLibraryAreReported() throws {
    let backup = try library.backUp(now: Samples.now)
    let (reader, writer) = (try Library(path: box.path), try Library(path: box.path))
    try writer.setSetting("theme", "dark")
    try writer.checkChangesAreKept()
    try Library.restore(backup.path, to: box.path, now: Samples.now)
    try reader.checkChangesAreKept()
    let error = #expect(throws: StoreError.self) { try writer.checkChangesAreKept() }
    #expect(error?.description.contains("What this command has changed is not in it") == true)
  }

  @Test func changesOfAMissingLibraryAreReported() throws {
    let (reader, writer) = (try Library(path: box.path), try Library(path: box.path))
    try writer.setSetting("theme", "dark")
    try FileManager.default.moveItem(atPath: box.path, toPath: box.path + ".old")
    try reader.checkChangesAreKept()
    let error = #expect(throws: StoreError.self) { try writer.checkChangesAreKept() }
    #expect(error?.description.contains("only in the old one") == true)
  }

  @Test func backupIsMadeWhileOthersWrite() async throws {
    let (library, id) = (library, ids[0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for second in 1...200 {
          try library.savePosition(id, seconds: Double(second), total: nil, now: Samples.now)
        }
      }
      group.addTask { for second in 0..<5 { try library.backUp(now: Samples.later(Double(second))) } }
      try await group.waitForAll()
    }
    #expect(try library.episode(id)?.row.position == 200)
    for backup in Library.backups(of: box.path) {
      #expect(try Library(path: backup.path).integrityCheck() == [])
    }
  }

  /// Two commands in the same second once shared the part of the file: one deleted it while the other wrote.
  @Test func simultaneousBackupsDoNotDisturbEachOther() async throws {
    let (library, file) = (library, box.directory + "/copy.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { try library.backUp(now: Samples.now) }
        group.addTask { try library.backup(to: file) }
      }
      try await group.waitForAll()
    }
    for path in [file] + Library.backups(of: box.path).map(\.path) {
      #expect(try Library(path: path).integrityCheck() == [])
    }
    #expect(try parts() == [])
  }

  @Test func failedBackupNamesItsOwnFileAndLeavesNothing() throws {
    let error = #expect(throws: StoreError.self) { try library.backup(to: box.directory + "/none/copy.db") }
    #expect(error?.description.contains("/none cannot be written: No such file or directory") == true)
    #expect(error?.description.hasPrefix("The backup \(box.directory)/none/copy.db cannot be written: ") == true)
    let directory = box.directory + "/copy.db"
    try FileManager.default.createDirectory(atPath: directory + "/x", withIntermediateDirectories: true)
    #expect(throws: StoreError.cannotCopy(path: directory, detail: "Is a directory")) {
      try library.backup(to: directory)
    }
    #expect(try parts() == [])
  }

  @Test func partsOfKilledBackupsAreDeleted() throws {
    let old = try library.backUp(now: Samples.now).path + ".0123abcd.part"
    let fresh = box.directory + "/backups/earshot-20231114-221321.db.4567abcd.part"
    let other = box.directory + "/copy.db.0123abcd.part"
    for path in [old, old + "-journal", fresh, other] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
    for path in [old, old + "-journal", other] {
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: path)
    }
    _ = try library.backUp(now: Samples.later(60))
    #expect(try parts() == [fresh, other].sorted())
    try library.backup(to: box.directory + "/copy.db")
    #expect(try parts() == [fresh])
  }

  /// SQLite would write to the path of the URI, and nobody would delete its part.
  @Test func nameLikeAURIIsTheNameOfAFile() throws {
    let uri = "file://" + box.directory + "/copy.db"
    #expect(throws: StoreError.self) { try library.backup(to: uri) }
    #expect(try parts() == [])
    try library.backup(to: box.directory + "/copy.db")
    #expect(throws: StoreError.self) { try Library.restore(uri, to: box.path, now: Samples.now) }
  }

  private func parts() throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: box.directory)).compactMap { $0 as? String }
    return names.filter { $0.contains(".part") }.map { box.directory + "/" + $0 }.sorted()
  }

  /// A clock that was wrong for a moment must not decide what is restored or deleted.
  @Test func backupsOfAWrongClockAreNotPreferred() throws {
    let future = try library.backUp(now: Samples.later(86400 * 900))
    let real = try library.backUp(now: Samples.later(86400))
    #expect(Library.newestGoodBackup(of: box.path, now: Samples.later(86400)) == real)
    try FileManager.default.removeItem(atPath: real.path)
    #expect(Library.newestGoodBackup(of: box.path, now: Samples.later(86400)) == future)
    // With a clock in the past, the backup that was just made is the oldest.
    for day in 0..<60 { _ = try? library.backUp(now: Samples.later(Double(day) * 86400)) }
    let past = try library.backUp(now: Samples.later(-86400 * 3000))
    #expect(Library.newestGoodBackup(of: box.path, now: Samples.later(-86400 * 3000)) == past)
  }

  /// A new library replaced a lost one, and was backed up before the listener restored the old one.
  @Test func backupsWithoutPodcastsAreNotPreferred() throws {
    let full = try library.backUp(now: Samples.now)
    try library.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: box.path + suffix) }
    let new = try Library(path: box.path)
    _ = try new.subscribe(feed: Feed(), feedURL: "earshot:welcome", now: Samples.now)
    _ = try new.subscribe(feed: Feed(), feedURL: "https://feeds.example/visited", isVisit: true, now: Samples.now)
    for day in 1...60 { _ = try new.backUp(now: Samples.later(Double(day) * 86400)) }
    let now = Samples.later(60 * 86400)
    #expect(Library.newestGoodBackup(of: box.path, now: now) == full, "it is kept beside the others")
    try FileManager.default.removeItem(atPath: full.path)
    #expect(Library.newestGoodBackup(of: box.path, now: now)?.date == now)
    try new.close()
  }

  @Test func migrationKeepsTheOldFile() throws {
    try library.close()
    // The next migration fails, and nothing is lost.
    var migrator = Schema.migrator
    migrator.registerMigration("fails") { db in
      try db.execute(sql: "DELETE FROM podcastTag; UPDATE episode SET position = 0; CREATE TABLE undo (x)")
    }
    #expect(throws: StoreError.self) { try Library(path: box.path, migrator: migrator) }
    let before = try DatabaseQueue(path: box.path + ".before-migration").read { db in
      try Double.fetchOne(db, sql: "SELECT position FROM episode WHERE id = \(ids[0])")
    }
    #expect(before == 42)
    let after = try DatabaseQueue(path: box.path).read { db in
      try Double.fetchOne(db, sql: "SELECT position FROM episode WHERE id = \(ids[0])")
    }
    #expect(after == 42)
  }

  @Test func backupIsALibrary() throws {
    let target = box.directory + "/copy.db"
    try "what was there".write(toFile: target, atomically: true, encoding: .utf8)
    try library.backup(to: target)
    try expectAllIsThere(Library(path: target))
    #expect(throws: StoreError.self) { try library.backup(to: box.directory + "/none/copy.db") }
  }
}
