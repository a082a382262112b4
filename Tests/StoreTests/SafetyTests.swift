import ChildProcesses
import Foundation
import GRDB
import Model
import Seeded
import Testing

@testable import Store

/// Situations in which the listener must lose nothing: damage, full and read-only disks, `kill -9`, two processes.
@Suite struct SafetyTests {
  private static func fill(_ box: TemporaryLibrary) throws -> [EpisodeID] {
    let podcast = try box.subscribe(Samples.episodes(1...200))
    let ids = try box.episodes(podcast)
    try box.library.savePosition(ids[0], seconds: 42, total: nil, now: Samples.now)
    return ids
  }

  // MARK: Damage

  @Test(arguments: ["not a database at all", "SQLite format 3", String(repeating: "SQLite format 3\0", count: 40)])
  func otherFileIsSetAside(content: String) throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/other.db"
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: StoreError.self) { try Library(path: path) }
    let outcome = try Library.open(path: path, now: Samples.now)
    let aside = try #require(outcome.setAside)
    #expect(aside == path + ".damaged-20231114-221320")
    #expect(try String(contentsOfFile: aside, encoding: .utf8) == content)
    #expect(outcome.reason != nil)
    #expect(try outcome.library.podcasts().isEmpty)
    try outcome.library.close()
    #expect(try Library.open(path: path, now: Samples.now).setAside == nil)
  }

  @Test func databaseOfAnotherProgramIsSetAside() throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/other.db"
    let other = try DatabaseQueue(path: path)
    try other.write { db in try db.execute(sql: "CREATE TABLE theirs (x); INSERT INTO theirs VALUES ('kept')") }
    try other.close()
    let outcome = try Library.open(path: path, now: Samples.now)
    let aside = try #require(outcome.setAside)
    let kept = try DatabaseQueue(path: aside).read { db in try String.fetchOne(db, sql: "SELECT x FROM theirs") }
    #expect(kept == "kept")
  }

  @Test(arguments: [50, 99, 4096, 40_000])
  func truncatedLibraryIsSetAsideUnchanged(length: Int) throws {
    let box = try TemporaryLibrary()
    _ = try Self.fill(box)
    try box.library.close()
    let handle = try #require(FileHandle(forWritingAtPath: box.path))
    try handle.truncate(atOffset: UInt64(length))
    try handle.close()
    let outcome = try Library.open(path: box.path, now: Samples.now)
    let aside = try #require(outcome.setAside)
    #expect(try FileManager.default.attributesOfItem(atPath: aside)[.size] as? Int == length)
  }

  @Test func twoFilesSetAsideInOneSecondGetTwoNames() throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/other.db"
    var names: Set<String> = []
    for text in ["one is no library", "nor is two"] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let outcome = try Library.open(path: path, now: Samples.now)
      try outcome.library.close()
      names.insert(try #require(outcome.setAside))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(names.count == 2)
  }

  /// A flipped bit is either detected or harmless. It never crashes the program and never destroys the file.
  @Test func libraryWithFlippedBitsIsReadOrRefused() throws {
    let box = try TemporaryLibrary()
    _ = try Self.fill(box)
    try box.library.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: box.path))
    var random = SplitMix64(seed: 2)
    var refused = 0
    for _ in 0..<25 {
      var damaged = whole
      for _ in 0..<40 {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        damaged[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      }
      let path = box.directory + "/flipped-\(UUID().uuidString).db"
      try damaged.write(to: URL(fileURLWithPath: path))
      do {
        let library = try Library(path: path)
        let problems = try library.integrityCheck()
        for podcast in try library.podcasts() {
          let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast.id)))
          _ = try library.episodeRows(ids)
        }
        _ = try library.search("Notes")
        if !problems.isEmpty { refused += 1 }
        try library.close()
      } catch let error {
        #expect(!error.description.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test func libraryOfANewerVersionIsUnchanged() throws {
    let box = try TemporaryLibrary()
    try box.library.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
    try box.library.close()
    #expect(throws: StoreError.newer(path: box.path)) { try Library.open(path: box.path, now: Samples.now) }
    #expect(FileManager.default.fileExists(atPath: box.path))
  }

  // MARK: Disks

  @Test func fullDiskLosesOnlyTheFailedChange() throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    let limit = try box.library.write { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages + 1)") ?? 0
    }
    #expect(limit > 0)
    #expect(throws: StoreError.diskFull(path: box.path)) {
      try box.subscribe(Samples.episodes(1...2000), url: "https://large.example")
    }
    #expect(try box.library.podcasts().count == 1)
    // A position can still be saved: its row only changes.
    try box.library.savePosition(ids[0], seconds: 43, total: nil, now: Samples.now)
    #expect(try box.library.episode(ids[0])?.row.position == 43)
    #expect(try box.library.integrityCheck() == [])
  }

  @Test func directoryThatCannotBeWrittenIsReported() throws {
    // Not even root can create a file there.
    for path in ["/proc/earshot-test/earshot.db", "/proc/earshot.db"]
    where FileManager.default.fileExists(atPath: "/proc/self") {
      #expect(throws: StoreError.self) { try Library.open(path: path, now: Samples.now) }
    }
  }

  @Test func readOnlyLibraryRefusesChanges() throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    let reader = try Library(path: box.path, isReadOnly: true)
    #expect(try reader.search("notes", limit: 5).count == 5)
    #expect(throws: StoreError.readOnly(path: box.path)) {
      try reader.savePosition(ids[0], seconds: 1, total: nil, now: Samples.now)
    }
    // The reader sees the other process's changes.
    try box.library.savePosition(ids[0], seconds: 77, total: nil, now: Samples.now)
    #expect(try reader.episode(ids[0])?.row.position == 77)
    try reader.close()
    #expect(throws: StoreError.self) { try Library(path: box.directory + "/none.db", isReadOnly: true) }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnlyLibraryIsReadAndReported() throws {
    let box = try TemporaryLibrary()
    _ = try Self.fill(box)
    try box.library.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: box.path))
    #expect(chmod(box.path, 0o400) == 0 && chmod(box.directory, 0o500) == 0)
    defer { _ = chmod(box.directory, 0o700) }
    try Self.expectReadable(box.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box.path)) == before)
  }

  /// Copies the library and its companion files to a directory of their own, as a killed player leaves them.
  private static func leave(_ box: TemporaryLibrary, _ companions: [String]) throws -> String {
    let left = box.directory + "/left"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    for companion in companions {
      try FileManager.default.copyItem(atPath: box.path + companion, toPath: left + "/earshot.db" + companion)
    }
    return left
  }

  /// The player was killed, and then the disk became read-only.
  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"), arguments: [true, false])
  func remainingLogIsRead(hasIndex: Bool) throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    try box.library.close()
    try box.library.savePosition(ids[0], seconds: 99, total: nil, now: Samples.now)
    let companions = hasIndex ? ["", "-wal", "-shm"] : ["", "-wal"]
    let left = try Self.leave(box, companions)
    for companion in companions { #expect(chmod(left + "/earshot.db" + companion, 0o400) == 0) }
    #expect(chmod(left, 0o500) == 0)
    defer { _ = chmod(left, 0o700) }
    try Self.expectReadable(left + "/earshot.db")
    let outcome = try Library.open(path: left + "/earshot.db", now: Samples.now)
    #expect(try outcome.library.episode(ids[0])?.row.position == 99)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func openErrorsNamePathAndReason() throws {
    let box = try TemporaryLibrary()
    try box.library.close()
    #expect(chmod(box.path, 0) == 0)
    let unreadable = StoreError.cannotOpen(path: box.path, detail: "it cannot be read: Permission denied")
    #expect(throws: unreadable) { try Library.open(path: box.path, now: Samples.now) }
    let closed = box.directory + "/closed"
    #expect(mkdir(closed, 0o500) == 0)
    let path = closed + "/earshot.db"
    let reason = "its directory \(closed) cannot be written: Permission denied"
    #expect(throws: StoreError.cannotOpen(path: path, detail: reason)) {
      try Library.open(path: path, now: Samples.now)
    }
  }

  @Test func directoryIsNotALibrary() throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/earshot-2.db"
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: StoreError.cannotOpen(path: path, detail: "it is a directory")) { try Library(path: path) }
  }

  /// Opening for reading changes no byte, whether the last stop was clean or not.
  @Test(arguments: [true, false]) func readingChangesNothing(wasClean: Bool) throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    try box.library.close()
    try box.library.savePosition(ids[0], seconds: 99, total: nil, now: Samples.now)
    if wasClean { try box.library.close() }
    let left = try Self.leave(box, ["", "-wal"])
    func content() throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: left + "/earshot.db" + $0)) }
    }
    let before = try content()
    let reader = try Library(path: left + "/earshot.db", isReadOnly: true)
    #expect(try reader.integrityCheck() == [])
    #expect(try reader.episode(ids[0])?.row.position == 99)
    try reader.close()
    #expect(try content() == before)
  }

  @Test func olderReadOnlyLibraryIsUnchanged() throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/old.db"
    let old = try DatabaseQueue(path: path)
    try old.write { db in try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
    try old.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreError.older(path: path)) { try Library(path: path, isReadOnly: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  private static func expectReadable(_ path: String) throws {
    let outcome = try Library.open(path: path, now: Samples.now)
    #expect(outcome.library.isReadOnly && outcome.setAside == nil && outcome.reason != nil)
    #expect(try outcome.library.podcasts().count == 1)
    #expect(try outcome.library.search("notes").count == 50)
    #expect(throws: StoreError.readOnly(path: path)) { try outcome.library.markStarted() }
    try outcome.library.close()
  }

  // MARK: Small file systems, for tests that may mount one

  static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return (try? process.runToEnd()) == 0
  }

  static let mayMount: Bool = {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)").path
    guard geteuid() == 0, mkdir(place, 0o700) == 0 else { return false }
    defer { rmdir(place) }
    return run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", place]) && run("/bin/umount", [place])
  }()

  @Test(.enabled(if: SafetyTests.mayMount, "only root may mount"))
  func diskThatFillsUpLosesOnlyTheFailedChange() throws {
    let box = try TemporaryLibrary()
    let place = box.directory + "/small"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", place]))
    defer { _ = Self.run("/bin/umount", ["-l", place]) }
    let path = place + "/earshot.db"
    let library = try Library(path: path)
    let podcast = try library.subscribe(
      feed: Samples.feed(Samples.episodes(1...100)), feedURL: "https://a.example", now: Samples.now)
    let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast)))
    try library.savePosition(ids[0], seconds: 42, total: nil, now: Samples.now)
    #expect(throws: StoreError.diskFull(path: path)) {
      for number in 1...1000 {
        let feed = Samples.feed(Samples.episodes(1...300))
        try library.subscribe(feed: feed, feedURL: "https://\(number).example", now: Samples.now)
      }
    }
    let stored = try library.podcasts().count
    let error = #expect(throws: StoreError.self) {
      for day in 0..<99 { try library.backUp(now: Samples.later(Double(day))) }
    }
    #expect(error?.description.hasPrefix("The backup \(place)/backups/") == true)
    #expect(error?.description.hasSuffix("cannot be written: the disk is full.") == true)
    #expect(throws: StoreError.cannotCopy(path: place + "/copy.db", detail: "the disk is full")) {
      try library.backup(to: place + "/copy.db")
    }
    #expect(!FileManager.default.fileExists(atPath: place + "/copy.db.part"))
    #expect(try library.integrityCheck() == [])
    #expect(try library.episode(ids[0])?.row.position == 42)
    // Closing needs room for the log's pages. Without it they stay in the log.
    try? library.close()
    let again = try Library.open(path: path, now: Samples.now)
    #expect(again.setAside == nil)
    #expect(try again.library.episode(ids[0])?.row.position == 42)
    #expect(try again.library.podcasts().count == stored)
    try? again.library.close()
  }

  @Test(.enabled(if: SafetyTests.mayMount, "only root may mount"))
  func readOnlyDiskIsRead() throws {
    let box = try TemporaryLibrary()
    let place = box.directory + "/fixed"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", place]))
    defer { _ = Self.run("/bin/umount", ["-l", place]) }
    _ = try Self.fill(box)
    try box.library.close()
    try FileManager.default.copyItem(atPath: box.path, toPath: place + "/earshot.db")
    #expect(Self.run("/bin/mount", ["-o", "remount,ro", place]))
    try Self.expectReadable(place + "/earshot.db")
  }

  /// The library cannot be migrated there.
  @Test(.enabled(if: SafetyTests.mayMount, "only root may mount"))
  func olderLibraryOnAReadOnlyDiskIsReported() throws {
    let box = try TemporaryLibrary()
    let place = box.directory + "/fixed"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", place]))
    defer { _ = Self.run("/bin/umount", ["-l", place]) }
    let old = try DatabaseQueue(path: place + "/earshot.db")
    try Schema.migrator.migrate(old, upTo: "v1")
    try old.close()
    #expect(Self.run("/bin/mount", ["-o", "remount,ro", place]))
    let error = #expect(throws: StoreError.self) { try Library.open(path: place + "/earshot.db", now: Samples.now) }
    #expect(error?.description.contains("an older Earshot wrote it") == true)
  }

  @Test func backupIsALibrary() throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    let target = box.directory + "/copy.db"
    try "what was there".write(toFile: target, atomically: true, encoding: .utf8)
    try box.library.backup(to: target)
    let copy = try Library(path: target)
    #expect(try copy.episode(ids[0])?.row.position == 42)
    #expect(copy.deviceID == box.library.deviceID)
    #expect(try copy.integrityCheck() == [])
    #expect(throws: StoreError.self) { try box.library.backup(to: box.directory + "/none/copy.db") }
  }

  // MARK: Starts and stops

  @Test func firstStartAndCleanStopAreStored() throws {
    let box = try TemporaryLibrary()
    #expect(box.library.isFirstStart && box.library.wasCleanStop)
    let device = box.library.deviceID
    try box.library.markStarted()
    try box.reopen()
    #expect(box.library.isFirstStart && !box.library.wasCleanStop)
    try box.library.finishFirstStart()
    try box.library.markCleanStop()
    try box.reopen()
    #expect(!box.library.isFirstStart && box.library.wasCleanStop)
    #expect(box.library.deviceID == device && UUID(uuidString: device) != nil)
  }

  @Test func closingLeavesNoLogBehind() throws {
    let box = try TemporaryLibrary()
    _ = try Self.fill(box)
    try box.library.close()
    let size = try? FileManager.default.attributesOfItem(atPath: box.path + "-wal")[.size] as? Int
    #expect((size ?? 0) == 0)
    // A late call still gets an answer.
    #expect(try box.library.podcasts().count == 1)
  }

  // MARK: Others

  @Test func onePlayerHoldsTheLock() throws {
    let box = try TemporaryLibrary()
    var first: PlayerLock?
    guard case .held(let lock) = try PlayerLock.acquire(library: box.path) else {
      Issue.record("nobody else is there")
      return
    }
    first = lock
    withExtendedLifetime(first) {}
    guard case .taken(let pid) = try PlayerLock.acquire(library: box.path) else {
      Issue.record("the lock was given twice")
      return
    }
    #expect(pid == getpid())
    _ = consume lock
    first = nil
  }

  @Test func twoLibrariesOnOneFileSeeEachOthersWork() async throws {
    let box = try TemporaryLibrary()
    let ids = try Self.fill(box)
    let other = try Library(path: box.path)
    let path = box.path
    let library = box.library
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, writer) in [library, other].enumerated() {
        group.addTask {
          for step in 1...50 {
            try writer.savePosition(ids[index], seconds: Double(step), total: nil, now: Samples.now)
          }
        }
        group.addTask {
          for number in 1...10 {
            let url = "https://\(index).example/\(number)"
            try writer.subscribe(feed: Samples.feed(Samples.episodes(1...20)), feedURL: url, now: Samples.now)
          }
        }
        group.addTask { while try writer.podcasts().count < 21 { await Task.yield() } }
      }
      // Opens the library while others write.
      group.addTask { for _ in 0..<5 { try Library(path: path).close() } }
      try await group.waitForAll()
    }
    #expect(try library.episodeRows([ids[0], ids[1]]).map(\.position) == [50, 50])
    #expect(try other.podcasts() == library.podcasts())
    #expect(try library.integrityCheck() == [])
  }

  @Test func manyFirstStartsAtOnceMakeOneLibrary() async throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/new/earshot.db"
    let devices = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try Library.open(path: path, now: Samples.now).library.deviceID } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(devices.count == 1)
  }
}
