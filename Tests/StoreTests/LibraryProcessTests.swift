import Foundation
import Model
import Testing

@testable import Store

/// Starts, stops, and several processes with one library.
@Suite struct LibraryProcessTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  @Test func firstStartAndCleanStopAreStored() throws {
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
    try box.fill()
    try box.library.close()
    let size = try? FileManager.default.attributesOfItem(atPath: box.path + "-wal")[.size] as? Int
    #expect((size ?? 0) == 0)
    // A late call still gets an answer.
    #expect(try box.library.podcasts().count == 1)
  }

  @Test func onePlayerHoldsTheLock() throws {
    var first: FileLock?
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

  /// A child process that is just being started shares the descriptors until it executes its program.
  @Test func releasedLockIsFreeWhileAChildIsStarted() throws {
    guard case .held(let lock) = try PlayerLock.acquire(library: box.path) else {
      Issue.record("nobody else is there")
      return
    }
    let shared = dup(lock.descriptor)
    defer { close(shared) }
    _ = consume lock
    guard case .held = try PlayerLock.acquire(library: box.path) else {
      Issue.record("the lock was released, but is still taken")
      return
    }
  }

  /// Its holder's process id would replace what is in the file behind the link.
  @Test func lockFollowsNoLink() throws {
    let (file, link) = (box.path + ".text", box.path + ".link")
    try "kept".write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(throws: POSIXError.self) { try FileLock.acquire(link) }
    guard case .held = try FileLock.acquire(link, orDirectory: true) else {
      Issue.record("the directory can be locked")
      return
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
  }

  @Test func twoLibrariesOnOneFileSeeEachOthersChanges() async throws {
    let ids = try box.fill()
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
    let path = box.directory + "/new/earshot.db"
    let devices = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try Library.open(path: path, now: Samples.now).library.deviceID } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(devices.count == 1)
  }
}
