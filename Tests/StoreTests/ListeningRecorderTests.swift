import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Recorded notes are kept, even when the library cannot be written for a while or is moved away.
@Suite struct ListeningRecorderTests {
  private let box: TemporaryLibrary
  private let ids: [EpisodeID]

  init() throws {
    box = try TemporaryLibrary()
    ids = try box.episodes(box.subscribe(Samples.episodes(1...20)))
    try box.library.enqueue([ids[0]], now: Samples.now)
    try box.library.savePosition(ids[0], seconds: 1, total: nil, now: Samples.now)
  }

  private func position(_ second: Double) -> ListeningRecorder.Entry {
    .note(ids[0], .position(seconds: second, total: nil))
  }

  @Test func listeningIsWrittenAtOnce() throws {
    let recorder = ListeningRecorder(box.library)
    #expect(try recorder.record(position(42), now: Samples.now) == nil)
    #expect(try box.library.episode(ids[0])?.row.position == 42)
    #expect(recorder.position(of: ids[0]) == nil && recorder.failure == nil && recorder.retry(now: Samples.now) == nil)
  }

  /// A write that fails for another reason than the disk throws, and nothing is held.
  @Test func deletedEpisodeIsAnError() throws {
    let recorder = ListeningRecorder(box.library)
    #expect(throws: StoreError.unknown("episode 999")) {
      try recorder.record(.note(EpisodeID(999), .position(seconds: 1, total: nil)), now: Samples.now)
    }
    #expect(recorder.failure == nil)
  }

  /// A note that can never be written must not block the later ones.
  @Test func oneBadNoteDoesNotBlockTheOthers() throws {
    try box.library.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER refused BEFORE UPDATE ON episode WHEN new.id = \(ids[1])
          BEGIN SELECT raise(ABORT, 'refused'); END
          """)
    }
    let recorder = ListeningRecorder(box.library)
    let bad = ListeningRecorder.Entry.note(ids[1], .position(seconds: 7, total: nil))
    guard case .held(.failed) = try recorder.record(bad, now: Samples.now) else {
      Issue.record("the note was not held")
      return
    }
    #expect(try recorder.record(position(42), now: Samples.now) == nil)
    #expect(recorder.retry(now: Samples.now) == nil)
    #expect(try box.library.episode(ids[0])?.row.position == 42)
    // The position is not lost, and is stored when that is possible.
    for _ in 1...10 { #expect(recorder.retry(now: Samples.now) == nil) }
    #expect(recorder.position(of: ids[1]) == 7)
    try box.library.write { db in try db.execute(sql: "DROP TRIGGER refused") }
    #expect(recorder.retry(now: Samples.now) == .savedAgain)
    #expect(try box.library.episode(ids[1])?.row.position == 7)
    #expect(recorder.failure == nil)
  }

  @Test func listeningIsWrittenLaterAfterAnError() throws {
    try box.library.close()
    let library = try Library(path: box.path, isReadOnly: true)
    let recorder = ListeningRecorder(library)
    let refusal = StoreError.readOnly(path: box.path)
    #expect(try recorder.record(position(42), now: Samples.now) == .held(refusal))
    // Reported once.
    let span = ListeningNote.event(.play(from: 1, to: 43, total: 99), speed: nil)
    let notes: [ListeningRecorder.Entry] = [
      position(43), .setting("volume", "70"), .note(ids[0], span), .setting("volume", "80"), position(44),
      .note(EpisodeID(999), .position(seconds: 1, total: nil)), .note(ids[1], .status(.played)), .note(ids[0], .ended),
    ]
    for (second, note) in notes.enumerated() {
      #expect(try recorder.record(note, now: Samples.later(Double(second + 1))) == nil)
    }
    #expect(
      recorder.position(of: ids[0]) == 44 && recorder.position(of: ids[1]) == 0 && recorder.position(of: ids[2]) == nil)
    #expect(recorder.status(of: ids[0]) == nil && recorder.status(of: ids[1]) == .played)
    #expect(recorder.failure == refusal)
    #expect(try box.library.episode(ids[0])?.row.position == 1)

    #expect(recorder.retry(now: Samples.later(60)) == .savedAgain)
    #expect(!library.isReadOnly && recorder.failure == nil && recorder.position(of: ids[0]) == nil)
    #expect(try box.library.episode(ids[0])?.row.position == 44)
    #expect(try box.library.episode(ids[1])?.row.status == .played)
    #expect(try box.library.setting("volume") == "80")
    #expect(try box.library.queue() == [])
    let events = try box.library.events(limit: 9, of: ids[0])
    #expect(events.map(\.event.kind) == [.play(from: 1, to: 43, total: 99)])
    // Written with the time of the note.
    #expect(events.map(\.event.timestamp) == [Samples.later(3)])
    #expect(
      try box.value(Double.self, "SELECT positionUpdated FROM episode WHERE id = \(ids[0])") == Samples.later(5).seconds
    )
    #expect(try recorder.record(position(45), now: Samples.later(61)) == nil)
    #expect(try box.library.episode(ids[0])?.row.position == 45)
    try library.close()
  }

  /// The step of undo restores the position before the jump, although a later one was kept in memory, too.
  @Test func positionBeforeAJumpIsKept() throws {
    let library = try Library(path: box.path, isReadOnly: true)
    let recorder = ListeningRecorder(library)
    for note in [position(100), position(101), .note(ids[0], .jump(from: nil, to: 500)), position(500), position(501)] {
      _ = try recorder.record(note, now: Samples.now)
    }
    #expect(recorder.position(of: ids[0]) == 501)
    #expect(recorder.retry(now: Samples.later(60)) == .savedAgain)
    #expect(try library.episode(ids[0])?.row.position == 501)
    _ = try library.undo(now: Samples.later(61))
    #expect(try library.episode(ids[0])?.row.position == 101)
    try library.close()
  }

  // MARK: The library is moved away

  private func expectWhole(_ path: String, position: Double) throws {
    let library = try Library(path: path)
    #expect(try library.podcasts().map(\.episodes) == [20])
    #expect(try library.episode(ids[0])?.row.position == position)
    #expect(try library.queue() == [ids[0]] && library.deviceID == box.library.deviceID)
    #expect(try library.integrityCheck() == [])
  }

  @Test func deletedDirectoryIsWrittenAgain() throws {
    let recorder = ListeningRecorder(box.library)
    try FileManager.default.removeItem(atPath: box.directory)
    let news = try recorder.record(position(42), now: Samples.now)
    #expect(news == .rescued(path: box.path, isBack: true))
    #expect(recorder.retry(now: Samples.now) == nil && recorder.failure == nil)
    try expectWhole(box.path, position: 42)
    // Later writes succeed.
    #expect(try recorder.record(position(43), now: Samples.now) == nil)
    #expect(recorder.retry(now: Samples.now) == nil)
    try expectWhole(box.path, position: 43)
    let mode = try FileManager.default.attributesOfItem(atPath: box.directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    // The new directory has its own lock.
    guard case .taken = try PlayerLock.acquire(library: box.path) else {
      Issue.record("another player could begin")
      return
    }
  }

  @Test func movedDirectoryIsWrittenAgain() throws {
    let recorder = ListeningRecorder(box.library)
    let moved = box.directory + "-moved"
    try FileManager.default.moveItem(atPath: box.directory, toPath: moved)
    defer { try? FileManager.default.removeItem(atPath: moved) }
    #expect(recorder.retry(now: Samples.now) == .rescued(path: box.path, isBack: true))
    #expect(try recorder.record(position(42), now: Samples.now) == nil)
    try expectWhole(box.path, position: 42)
    // The moved files stay unchanged.
    try expectWhole(moved + "/earshot.db", position: 1)
  }

  @Test func replacedLibraryFileIsNotTouched() throws {
    let other = box.directory + "/other.db"
    try Library(path: other).close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    let recorder = ListeningRecorder(box.library)
    #expect(rename(other, box.path) == 0)
    let rescued = box.path + ".rescued-20231114-221320"
    #expect(recorder.retry(now: Samples.now) == .rescued(path: rescued, isBack: false))
    #expect(try recorder.record(position(42), now: Samples.now) == nil)
    #expect(box.library.path == rescued)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box.path)) == bytes)
    try expectWhole(rescued, position: 42)
  }

  @Test func deletedLogIsNotWritten() throws {
    let recorder = ListeningRecorder(box.library)
    #expect(unlink(box.path + "-wal") == 0)
    #expect(recorder.retry(now: Samples.now) == .rescued(path: box.path, isBack: true))
    #expect(try recorder.record(position(42), now: Samples.now) == nil)
    // The files as another process would read them.
    let copy = box.directory + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for companion in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: box.path + companion, toPath: copy + "/earshot.db" + companion)
    }
    try expectWhole(copy + "/earshot.db", position: 42)
  }

  /// The library cannot be rewritten either: the position stays in memory until it can.
  @Test func positionIsKeptInMemoryIfTheLibraryCannotBeWrittenAgain() throws {
    let recorder = ListeningRecorder(box.library)
    try FileManager.default.removeItem(atPath: box.directory)
    try "in the way".write(toFile: box.directory, atomically: true, encoding: .utf8)
    guard case .held(.moved(let path, _)) = try recorder.record(position(42), now: Samples.now) else {
      Issue.record("it must be said that the library is gone")
      return
    }
    #expect(path == box.path && recorder.position(of: ids[0]) == 42)
    #expect(recorder.retry(now: Samples.now) == nil, "said once")
    try FileManager.default.removeItem(atPath: box.directory)
    #expect(recorder.retry(now: Samples.now) == .rescued(path: box.path, isBack: true))
    #expect(recorder.failure == nil)
    try expectWhole(box.path, position: 42)
  }

  @Test func closingDoesNotWriteToADeletedFile() throws {
    try FileManager.default.removeItem(atPath: box.directory)
    try box.library.close()
    #expect(!FileManager.default.fileExists(atPath: box.directory))
  }

  // MARK: A disk that is full

  #if os(Linux)
    @Test(.enabled(if: TestDisk.mayMount, "only root may mount")) func positionIsKeptInMemoryOnAFullDisk() throws {
      let place = try TestDisk.mounted(beside: box, size: "3m")
      defer { TestDisk.unmount(place) }
      // The migrations leave free pages, which the positions would use without growing the file.
      try box.library.pool.vacuum()
      try box.library.close()
      let path = place + "/earshot.db"
      try FileManager.default.copyItem(atPath: box.path, toPath: path)
      let library = try Library(path: path)
      let recorder = ListeningRecorder(library)
      let ballast = try TestDisk.fill(place)
      #expect(DiskState.of(path) == .full)
      var news: [ListeningRecorder.Notice] = []
      for second in 1...60 {
        if let new = try recorder.record(position(Double(second)), now: Samples.later(Double(second))) {
          news.append(new)
        }
      }
      #expect(news == [.held(.diskFull(path: path))])
      #expect(recorder.position(of: ids[0]) == 60)
      try FileManager.default.removeItem(atPath: ballast)
      #expect(recorder.retry(now: Samples.later(60)) == .savedAgain)
      #expect(try library.episode(ids[0])?.row.position == 60)
      try library.close()
    }
  #endif
}
