import ChildProcesses
import Foundation
import GRDB
import Model
import Seeded
import Testing

@testable import Store

/// `kill -9` of a writing process. The child is this test program, started by Swift Testing. It records in a file of
/// its own which changes are guaranteed to be saved, and dies at a random moment.
@Suite(.serialized) struct KillTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  /// What the child is told.
  private struct Given: Codable {
    var round: Int
    var path = ""
    var journal = ""
    var directory = ""
    var old = ""
    var backup = ""
    var target = ""
    var id: Int64 = 0
  }

  /// Appends a number to a file with one write, which the kernel keeps however the process ends.
  private struct Journal {
    var descriptor: Int32
    init(_ path: String) { descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    func append(_ number: Int) {
      let line = Array("\(number)\n".utf8)
      _ = Foundation.write(descriptor, line, line.count)
    }
    static func last(_ path: String) throws -> Int {
      Int(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").last ?? "0") ?? 0
    }
  }

  /// Kills this process after a delay that is fixed for the round. What it is doing at that moment differs.
  private static func killSoon(_ round: Int) {
    var random = SplitMix64(seed: UInt64(round))
    let microseconds = UInt32.random(in: 1_000...120_000, using: &random)
    Thread.detachNewThread {
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
  }

  /// Opens the library that the killed process left. Nothing of it is damaged.
  private func whole(_ path: String) throws -> Library {
    let outcome = try Library.open(path: path, now: Samples.now)
    #expect(outcome.setAside == nil)
    #expect(try outcome.library.integrityCheck() == [])
    return outcome.library
  }

  @Test(arguments: 0..<6)
  func savedPositionSurvivesAKill(round: Int) async throws {
    let id = try box.episodes(box.subscribe(Samples.episodes(1...50)))[7]
    try box.library.enqueue([id], now: Samples.now)
    try box.library.close()
    let (path, journal) = (box.path, box.directory + "/journal")
    try ExitTestValues.send(Given(round: round, path: path, journal: journal, id: id.rawValue))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      let library = try Library(path: given.path)
      let said = Journal(given.journal)
      Self.killSoon(given.round)
      for second in 1... {
        try library.savePosition(EpisodeID(given.id), seconds: Double(second), total: nil, now: Samples.now)
        said.append(second)
      }
    }
    let said = try Journal.last(journal)
    let library = try whole(path)
    let position = try #require(try library.episode(id)?.row.position)
    // The position may be one ahead of the last recorded one: the write that was in progress.
    #expect(position == Double(said) || position == Double(said + 1))
    #expect(try library.queue() == [id])
  }

  @Test(arguments: 0..<6)
  func killedRefreshIsAtomic(round: Int) async throws {
    try box.library.close()
    let (path, journal) = (box.path, box.directory + "/journal")
    try ExitTestValues.send(Given(round: round, path: path, journal: journal))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      let library = try Library(path: given.path)
      let said = Journal(given.journal)
      Self.killSoon(given.round)
      for number in 1... {
        let feed = Samples.feed(Samples.episodes(1...40))
        let id = try library.subscribe(feed: feed, feedURL: "https://\(number).example", now: Samples.now)
        said.append(number)
        try library.indexPending()
        try library.markAllPlayed(id, now: Samples.now)
      }
    }
    let said = FileManager.default.fileExists(atPath: journal) ? try Journal.last(journal) : 0
    let library = try whole(path)
    let podcasts = try library.podcasts()
    #expect(podcasts.count == said || podcasts.count == said + 1)
    #expect(podcasts.allSatisfy { $0.episodes == 40 && ($0.unplayed == 0 || $0.unplayed == 40) })
    #expect(try library.search("Notes", limit: 10).isEmpty == podcasts.isEmpty)
  }

  @Test(arguments: 0..<4)
  func killedFirstStartIsRepeated(round: Int) async throws {
    let directory = box.directory + "/fresh"
    try ExitTestValues.send(Given(round: round, directory: directory))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      Self.killSoon(given.round)
      for number in 1... {
        try Library.open(path: "\(given.directory)/\(number)/earshot.db", now: Samples.now).library.close()
      }
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      let library = try whole("\(directory)/\(name)/earshot.db")
      #expect(try library.playlists().map(\.title) == ["My Episodes", "My Clips"])
    }
  }

  /// The current library has a write-ahead log each time, as after a killed player.
  @Test(arguments: 0..<6)
  func killedRestoreLeavesTheOldOrTheNewLibrary(round: Int) async throws {
    let id = try box.episodes(box.subscribe(Samples.episodes(1...50)))[7]
    let (path, backup, old) = (box.path, box.directory + "/backup.db", box.directory + "/old")
    try box.library.savePosition(id, seconds: 1, total: nil, now: Samples.now)
    try box.library.backup(to: backup)
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    try box.library.close()
    try box.library.savePosition(id, seconds: 2, total: nil, now: Samples.now)
    for companion in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + companion, toPath: old + "/earshot.db" + companion)
    }
    let target = box.directory + "/place"
    try ExitTestValues.send(Given(round: round, old: old, backup: backup, target: target))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      Self.killSoon(given.round)
      for number in 1... {
        try FileManager.default.copyItem(atPath: given.old, toPath: "\(given.target)\(number).part")
        guard rename("\(given.target)\(number).part", "\(given.target)\(number)") == 0 else { return }
        try Library.restore(given.backup, to: "\(given.target)\(number)/earshot.db", now: Samples.now)
      }
    }
    for number in 1... {
      let place = "\(target)\(number)/earshot.db"
      guard FileManager.default.fileExists(atPath: place) else { break }
      let library = try whole(place)
      let position = try #require(try library.episode(id)?.row.position)
      #expect(position == 1 || position == 2, "number \(number)")
      Library.removeLeftovers(of: place, now: Samples.now)
      #expect(!FileManager.default.fileExists(atPath: place + ".restoring"))
    }
  }

  /// Two migrations after the released ones. Each counts the episodes that it processed, so that a repeated or
  /// partial migration is detected.
  private static var laterMigrator: DatabaseMigrator {
    var migrator = Schema.migrator
    for (name, step) in [("later-1", 1), ("later-2", 10)] {
      migrator.registerMigration(name) { db in
        try db.execute(sql: "CREATE TABLE made\(step) (x); INSERT INTO made\(step) SELECT title FROM episode")
        try db.execute(sql: "UPDATE episode SET season = coalesce(season, 0) + \(step)")
      }
    }
    return migrator
  }

  @Test func killAfterTheMigrationsDoesNotRepeatThem() throws {
    try box.library.write { db in try db.execute(sql: "INSERT INTO meta (key, value) VALUES ('migrating', '1')") }
    try box.library.close()
    let library = try Library(path: box.path)
    #expect(try library.read { db in try Library.pairs(db, "SELECT key, value FROM meta")["migrating"] } == nil)
    try library.close()
  }

  @Test(arguments: 0..<6)
  func killedMigrationIsDoneByTheNextStart(round: Int) async throws {
    let id = try box.episodes(box.subscribe(Samples.episodes(1...1500)))[7]
    try box.library.savePosition(id, seconds: 42, total: nil, now: Samples.now)
    try box.library.close()
    let (path, directory) = (box.path, box.directory + "/old")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try ExitTestValues.send(Given(round: round, path: path, directory: directory))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      Self.killSoon(given.round)
      for number in 1... {
        let copy = "\(given.directory)/\(number).db"
        try FileManager.default.copyItem(atPath: given.path, toPath: copy + ".part")
        guard rename(copy + ".part", copy) == 0 else { return }
        try Library(path: copy, migrator: Self.laterMigrator).close()
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    for name in names where name.hasSuffix(".db") {
      let library = try Library(path: "\(directory)/\(name)", migrator: Self.laterMigrator)
      let seasons = try library.read { db in try Int.fetchSet(db, sql: "SELECT DISTINCT season FROM episode") }
      #expect(seasons == [11], "each migration once, whole")
      #expect(try library.read { db in try Library.pairs(db, "SELECT key, value FROM meta")["migrating"] } == nil)
      #expect(try library.episode(id)?.row.position == 42)
      #expect(try library.integrityCheck() == [])
      try library.close()
    }
    // The copy from before the migration, if there is one, is a complete library of the old version.
    for name in names where name.hasSuffix(".before-migration") {
      let library = try Library(path: "\(directory)/\(name)")
      #expect(try library.episode(id)?.row.position == 42 && library.podcasts().first?.episodes == 1500)
      #expect(try library.integrityCheck() == [])
    }
  }

  /// Another program's library; the same number gives the same library.
  private static func foreign(_ number: Int) -> ForeignLibrary {
    let podcasts = (1...3).map { podcast in
      ForeignPodcast(
        feedURL: "https://\(number)-\(podcast).example", title: "Podcast \(podcast)", tags: ["taken"],
        episodes: (1...30).map { index in
          ForeignEpisode.sample(
            index, index <= 10 ? .played : index <= 20 ? .paused : .new,
            position: index > 10 && index <= 20 ? 9.5 : 0, place: index == 25 ? podcast : nil)
        })
    }
    return ForeignLibrary(program: "elsewhere", podcasts: podcasts)
  }

  @Test(arguments: 0..<6)
  func killedImportIsCompletedByTheNextOne(round: Int) async throws {
    try box.library.close()
    let (path, journal) = (box.path, box.directory + "/journal")
    try ExitTestValues.send(Given(round: round, path: path, journal: journal))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let given = try ExitTestValues.receive(Given.self)
      let library = try Library(path: given.path)
      let said = Journal(given.journal)
      Self.killSoon(given.round)
      for number in 1... {
        _ = try library.importLibrary(Self.foreign(number), now: Samples.now)
        said.append(number)
      }
    }
    let said = FileManager.default.fileExists(atPath: journal) ? try Journal.last(journal) : 0
    let library = try whole(path)
    for number in 1...(said + 1) {
      let again = try library.importLibrary(Self.foreign(number), now: Samples.later(1))
      if number <= said { #expect(again.known == 3 && again.played + again.begun + again.queued == 0) }
    }
    let podcasts = try library.podcasts()
    #expect(podcasts.count == 3 * (said + 1))
    #expect(podcasts.allSatisfy { $0.episodes == 30 && $0.unplayed == 20 })
    #expect(try library.queue().count == podcasts.count)
    #expect(
      try box.value(Int.self, "SELECT count(*) FROM episode WHERE status = 2 AND position = 9.5") == 10 * podcasts.count
    )
    #expect(try library.integrityCheck() == [])
    // Undo reverts the whole last import in one step, even if it took two runs.
    let step = try library.undo(now: Samples.later(2))
    #expect(step?.label == "Import from elsewhere")
    #expect(try library.queue().count == 3 * said)
  }
}
