import Foundation
import GRDB
import Model
import Seeded
import Testing

@testable import Store

/// Files that are no library, or a damaged one. They are set aside unchanged.
@Suite struct DamagedLibraryTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  @Test(arguments: ["not a database at all", "SQLite format 3", String(repeating: "SQLite format 3\0", count: 40)])
  func otherFileIsSetAside(content: String) throws {
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
    try box.fill()
    try box.library.close()
    let handle = try #require(FileHandle(forWritingAtPath: box.path))
    try handle.truncate(atOffset: UInt64(length))
    try handle.close()
    let outcome = try Library.open(path: box.path, now: Samples.now)
    let aside = try #require(outcome.setAside)
    #expect(try FileManager.default.attributesOfItem(atPath: aside)[.size] as? Int == length)
  }

  @Test func twoFilesSetAsideInOneSecondGetTwoNames() throws {
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
    try box.fill()
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

  @Test func valuesOfAWrongTypeAreErrors() throws {
    let episode = try box.fill()[0]
    let podcast = try #require(try box.library.episodeRows([episode]).first).podcast
    let download = Download(episode: episode, fileName: "a.mp3", downloadComplete: false)
    try box.library.saveDownload(download, now: Samples.now)
    try box.library.write { db in
      try db.run("UPDATE download SET updated = 'x'")
      try db.run("UPDATE episode SET guid = x'FF' WHERE id = ?", [episode.rawValue])
    }
    #expect(throws: StoreError.self) { try box.library.saveDownload(download, now: Samples.now) }
    #expect(throws: StoreError.self) { try box.library.matches([], podcast) }
  }

  @Test func libraryOfANewerVersionIsUnchanged() throws {
    try box.library.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
    try box.library.close()
    #expect(throws: StoreError.newer(path: box.path)) { try Library.open(path: box.path, now: Samples.now) }
    #expect(FileManager.default.fileExists(atPath: box.path))
  }
}
