import Foundation
import Model
import Testing

@testable import Store

/// `kill -9` of a process that writes. The child is this test program itself, started by Swift Testing; it says what
/// it was told is safe in a file of its own, and dies at a random moment.
@Suite(.serialized) struct KillTests {
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

  /// Kills this process at a moment that neither it nor the test knows.
  private static func killSoon() {
    Thread.detachNewThread {
      usleep(UInt32.random(in: 1_000...120_000))
      kill(getpid(), SIGKILL)
    }
  }

  @Test(arguments: 0..<6)
  func aPositionThatWasSavedIsThere(round: Int) async throws {
    let box = try TemporaryLibrary()
    let id = try box.episodes(box.subscribe(Samples.episodes(1...50)))[7]
    try box.library.enqueue([id], now: Samples.now)
    try box.library.close()
    let (path, journal) = (box.path, box.directory + "/journal")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, journal = journal as String, id = id.rawValue as Int64] in
      let library = try Library(path: path)
      let said = Journal(journal)
      Self.killSoon()
      for second in 1... {
        try library.savePosition(EpisodeID(id), seconds: Double(second), total: nil, now: Samples.now)
        said.append(second)
      }
    }
    let said = try Journal.last(journal)
    let outcome = try Library.open(path: path, now: Samples.now)
    #expect(outcome.setAside == nil)
    let position = try #require(try outcome.library.episode(id)?.row.position)
    // At most the one that was being written is more than what was said.
    #expect(position == Double(said) || position == Double(said + 1))
    #expect(try outcome.library.queue() == [id])
    #expect(try outcome.library.integrityCheck() == [])
  }

  @Test(arguments: 0..<6)
  func aRefreshThatWasCutOffHappenedAsAWholeOrNotAtAll(round: Int) async throws {
    let box = try TemporaryLibrary()
    try box.library.close()
    let (path, journal) = (box.path, box.directory + "/journal")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, journal = journal as String] in
      let library = try Library(path: path)
      let said = Journal(journal)
      Self.killSoon()
      for number in 1... {
        let feed = Samples.feed(Samples.episodes(1...40))
        let id = try library.subscribe(feed: feed, feedURL: "https://\(number).example", now: Samples.now)
        said.append(number)
        try library.indexPending()
        try library.markAllPlayed(id, now: Samples.now)
      }
    }
    let said = FileManager.default.fileExists(atPath: journal) ? try Journal.last(journal) : 0
    let outcome = try Library.open(path: path, now: Samples.now)
    #expect(outcome.setAside == nil)
    let podcasts = try outcome.library.podcasts()
    #expect(podcasts.count == said || podcasts.count == said + 1)
    #expect(podcasts.allSatisfy { $0.episodes == 40 && ($0.unplayed == 0 || $0.unplayed == 40) })
    #expect(try outcome.library.integrityCheck() == [])
    #expect(try outcome.library.search("Notes", limit: 10).isEmpty == podcasts.isEmpty)
  }

  @Test(arguments: 0..<4)
  func aFirstStartThatWasCutOffBeginsAgain(round: Int) async throws {
    let box = try TemporaryLibrary()
    let directory = box.directory + "/fresh"
    await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
      Self.killSoon()
      for number in 1... {
        try Library.open(path: "\(directory)/\(number)/earshot.db", now: Samples.now).library.close()
      }
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      let outcome = try Library.open(path: "\(directory)/\(name)/earshot.db", now: Samples.now)
      #expect(outcome.setAside == nil)
      #expect(try outcome.library.playlists().map(\.title) == ["My Episodes", "My Clips"])
      #expect(try outcome.library.integrityCheck() == [])
    }
  }
}
