import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Libraries on a full disk or a read-only disk, and libraries that must not be written.
@Suite struct LibraryDiskTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  @Test func fullDiskLosesOnlyTheFailedChange() throws {
    let ids = try box.fill()
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

  /// /proc reports zeros, as some network file systems do.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
  func fileSystemOfUnknownSizeIsNotFull() {
    #expect(DiskState.of("/proc/earshot.db") == .writable && DiskState.freeBytes(at: "/proc/earshot.db") == nil)
  }

  @Test func readOnlyLibraryRefusesChanges() throws {
    let ids = try box.fill()
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
    try box.fill()
    try box.library.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: box.path))
    #expect(chmod(box.path, 0o400) == 0 && chmod(box.directory, 0o500) == 0)
    defer { _ = chmod(box.directory, 0o700) }
    try Self.expectReadable(box.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box.path)) == before)
  }

  /// Copies the library and its companion files to another directory, as a killed player leaves them.
  private static func leave(
    _ box: TemporaryLibrary, _ companions: [String], in directory: String? = nil
  ) throws -> String {
    let left = directory ?? box.directory + "/left"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    for companion in companions {
      try FileManager.default.copyItem(atPath: box.path + companion, toPath: left + "/earshot.db" + companion)
    }
    return left
  }

  /// The player was killed, and then the disk became read-only.
  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"), arguments: [true, false])
  func remainingLogIsRead(hasIndex: Bool) throws {
    let ids = try box.fill()
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
    let path = box.directory + "/earshot-2.db"
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: StoreError.cannotOpen(path: path, detail: "it is a directory")) { try Library(path: path) }
  }

  /// Opening for reading changes no byte, whether the last stop was clean or not.
  @Test(arguments: [true, false]) func readingChangesNothing(wasClean: Bool) throws {
    let ids = try box.fill()
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

  // MARK: Disks that the tests mount

  /// A library on this disk, and one of its episodes.
  private static func library(on place: String) throws -> (Library, EpisodeID) {
    let library = try Library(path: place + "/earshot.db")
    let podcast = try library.subscribe(
      feed: Samples.feed(Samples.episodes(1...20)), feedURL: "https://a.example", now: Samples.now)
    return (library, try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first))
  }

  /// Stores positions, and closes the library. Their log would be larger than the small disks, and smaller than the
  /// size at which SQLite reuses its space on a large one.
  private static func expectManyPositionsAreStored(of id: EpisodeID, in library: Library) throws {
    let recorder = ListeningRecorder(library)
    for second in 1...200 {
      let notice = try recorder.record(.note(id, .position(seconds: Double(second), total: nil)), now: Samples.now)
      try #require(notice == nil, "\(second)")
    }
    #expect(try library.episode(id)?.row.position == 200)
    #expect(try library.integrityCheck() == [])
    try library.close()
  }

  @Test(.enabled(if: TestDisk.mayMount, "only root may mount"))
  func diskThatBecomesFullLosesOnlyTheFailedChange() throws {
    let place = try TestDisk.mounted(beside: box, size: "3m")
    defer { TestDisk.unmount(place) }
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
    let left = try FileManager.default.contentsOfDirectory(atPath: place)
    #expect(!left.contains { $0.hasSuffix(".part") })
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

  /// The log of many changes would be larger than the disk, and smaller than the size at which its space is reused on
  /// large disks. The file grows, too.
  @Test(.enabled(if: TestDisk.mayMount, "only root may mount")) func logStaysSmallOnASmallDisk() throws {
    let place = try TestDisk.mounted(beside: box, size: "3m")
    defer { TestDisk.unmount(place) }
    let (library, id) = try Self.library(on: place)
    let pages = try library.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 }
    let recorder = ListeningRecorder(library)
    for second in stride(from: 0.0, to: 1000, by: 2) {
      let span = ListeningNote.event(.play(from: second, to: second + 1, total: 1000), speed: nil)
      for note in [span, .position(seconds: second, total: nil)] {
        let notice = try recorder.record(.note(id, note), now: Samples.later(second * 100))
        try #require(notice == nil, "\(second)")
      }
    }
    #expect(try library.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 } > pages)
    #expect(try library.episode(id)?.row.position == 998)
    #expect(try library.integrityCheck() == [])
    try library.close()
  }

  @Test(.enabled(if: TestDisk.mayMount, "only root may mount"))
  func logIsReusedOnADiskThatBecomesFull() throws {
    let place = try TestDisk.mounted(beside: box, size: "3m")
    defer { TestDisk.unmount(place) }
    let (library, id) = try Self.library(on: place)
    // As on a large disk.
    try library.write { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000") }
    try Self.expectManyPositionsAreStored(of: id, in: library)
  }

  /// A refresh has made the library larger, and then another program has filled the disk.
  @Test(.enabled(if: TestDisk.mayMount, "only root may mount"))
  func libraryThatHasGrownIsWrittenOnAFullDisk() throws {
    let place = try TestDisk.mounted(beside: box, size: "6m")
    defer { TestDisk.unmount(place) }
    let (library, id) = try Self.library(on: place)
    // As on a large disk.
    try library.write { db in try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000") }
    for number in 1...5 {
      let feed = Samples.feed(Samples.episodes(1...100))
      try library.subscribe(feed: feed, feedURL: "https://\(number).example", now: Samples.now)
    }
    library.flushNow()
    _ = try TestDisk.fill(place)
    try Self.expectManyPositionsAreStored(of: id, in: library)
  }

  /// The player was killed, and then the disk became full. A new index for the log has no space.
  @Test(.enabled(if: TestDisk.mayMount, "only root may mount")) func remainingLogIsReadOnAFullDisk() throws {
    let ids = try box.fill()
    try box.library.close()
    try box.library.savePosition(ids[0], seconds: 99, total: nil, now: Samples.now)
    let left = try TestDisk.mounted(beside: box, size: "3m")
    defer { TestDisk.unmount(left) }
    _ = try Self.leave(box, ["", "-wal"], in: left)
    let ballast = try TestDisk.fill(left)
    let outcome = try Library.open(path: left + "/earshot.db", now: Samples.now)
    #expect(outcome.library.isReadOnly && outcome.reason?.contains("disk is full") == true)
    #expect(try outcome.library.episode(ids[0])?.row.position == 99)
    // As soon as there is space, it can be written.
    try FileManager.default.removeItem(atPath: ballast)
    let recorder = ListeningRecorder(outcome.library)
    #expect(try recorder.record(.note(ids[0], .position(seconds: 100, total: nil)), now: Samples.now) == .savedAgain)
    #expect(try outcome.library.episode(ids[0])?.row.position == 100)
    try outcome.library.close()
  }

  @Test(.enabled(if: TestDisk.mayMount, "only root may mount"))
  func readOnlyDiskIsRead() throws {
    let place = try TestDisk.mounted(beside: box, size: "8m")
    defer { TestDisk.unmount(place) }
    try box.fill()
    try box.library.close()
    try FileManager.default.copyItem(atPath: box.path, toPath: place + "/earshot.db")
    #expect(TestDisk.makeReadOnly(place))
    try Self.expectReadable(place + "/earshot.db")
  }

  /// The library cannot be migrated there.
  @Test(.enabled(if: TestDisk.mayMount, "only root may mount"))
  func olderLibraryOnAReadOnlyDiskIsReported() throws {
    let place = try TestDisk.mounted(beside: box, size: "8m")
    defer { TestDisk.unmount(place) }
    let old = try DatabaseQueue(path: place + "/earshot.db")
    try Schema.migrator.migrate(old, upTo: "v1")
    try old.close()
    #expect(TestDisk.makeReadOnly(place))
    let error = #expect(throws: StoreError.self) { try Library.open(path: place + "/earshot.db", now: Samples.now) }
    #expect(error?.description.contains("an older Earshot wrote it") == true)
  }

  /// The listener has named a directory with other contents.
  @Test(arguments: ["earshot", "shared"]) func onlyOurFilesArePrivate(name: String) throws {
    let directory = box.directory + "/" + name
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for file in ["earshot.db", "notes.txt"] {
      try Data().write(to: URL(fileURLWithPath: directory + "/" + file))
      #expect(chmod(directory + "/" + file, 0o644) == 0)
    }
    #expect(chmod(directory, 0o1777) == 0)
    OwnerOnly.restrictContents(of: directory)
    let exposed = ["", "/earshot.db", "/notes.txt"].map { OwnerOnly.exposedMode(of: directory + $0) }
    #expect(exposed == (name == "earshot" ? [nil, nil, nil] : [0o1777, nil, 0o644]))
  }
}
