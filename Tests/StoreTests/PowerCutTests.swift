import CRecordingVFS
import ChildProcesses
import Foundation
import GRDB
import Model
import Seeded
import Testing

@testable import Store

/// Simulates a power cut at any moment: writes that were not yet synced may be missing, in any combination.
///
/// A child process uses the library on a VFS that records each write and each sync. From the recording the test
/// builds the files that a cut at some moment would have left, and opens the library on them.
@Suite(.serialized) struct PowerCutTests {
  /// What the child is told.
  private struct Given: Codable {
    var path: String
    var log: String
    var id: Int64
  }

  /// What the child records between operations: a position that was saved, and one that was flushed.
  private enum Mark {
    case saved(Int), flushed(Int)
    var number: Int64 {
      switch self {
      case .saved(let place): Int64(place) * 2
      case .flushed(let place): Int64(place) * 2 + 1
      }
    }
    init(_ number: Int64) { self = number % 2 == 0 ? .saved(Int(number / 2)) : .flushed(Int(number / 2)) }
  }

  private static func mark(_ mark: Mark) { recording_vfs_mark(mark.number) }

  private static func record(to path: String) {
    let log = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    precondition(log >= 0 && recording_vfs_install(log) == 0)
  }

  /// A library with some episodes in one file, and the episode that the child plays.
  private func library() throws -> (box: TemporaryLibrary, id: EpisodeID) {
    let box = try TemporaryLibrary()
    let id = try box.episodes(box.subscribe(Samples.episodes(1...50)))[7]
    try box.library.savePosition(id, seconds: 0, total: nil, now: Samples.now)
    try box.library.close()
    return (box, id)
  }

  /// A copy of the library for the child process, and the path of its recording.
  private func copy(of box: TemporaryLibrary) throws -> (path: String, log: String) {
    let path = box.directory + "/cut/earshot.db"
    try FileManager.default.createDirectory(atPath: box.directory + "/cut", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: box.path, toPath: path)
    return (path, box.directory + "/log")
  }

  /// Each position is flushed before the next second, so a power cut loses at most one.
  @Test func powerCutLosesAtMostOneSecond() async throws {
    let (box, id) = try library()
    let (path, log) = try copy(of: box)
    try ExitTestValues.send(Given(path: path, log: log, id: id.rawValue))
    await #expect(processExitsWith: .success) {
      let given = try ExitTestValues.receive(Given.self)
      Self.record(to: given.log)
      let library = try Library(path: given.path)
      for second in 1...40 {
        try library.savePosition(EpisodeID(given.id), seconds: Double(second), total: nil, now: Samples.now)
        Self.mark(.saved(second))
        library.flushNow()
        Self.mark(.flushed(second))
        // Other work at the same time: a refresh, the listener's changes, and a checkpoint of the log.
        if second % 9 == 4 {
          let url = "https://\(second).example"
          try library.subscribe(feed: Samples.feed(Samples.episodes(1...30)), feedURL: url, now: Samples.now)
        }
        if second % 7 == 3 { try library.enqueue([EpisodeID(given.id)], now: Samples.now) }
        if second % 11 == 6 { try library.close() }
      }
    }
    let recording = try Recording(log)
    #expect(recording.syncs >= 40, "each second has its flush")
    var random = SplitMix64(seed: 17)
    var oldest = 0
    for moment in recording.moments(150, using: &random) {
      for loss in Recording.Loss.allCases {
        let cut = box.directory + "/after"
        try recording.leave(until: moment, losing: loss, from: box.path, at: cut, using: &random)
        let outcome = try Library.open(path: cut + "/earshot.db", now: Samples.now)
        #expect(outcome.setAside == nil, "\(loss) at \(moment): \(outcome.reason ?? "")")
        #expect(try outcome.library.integrityCheck() == [], "\(loss) at \(moment)")
        let place = Int(try #require(try outcome.library.episode(id)?.row.position))
        let (saved, flushed) = recording.promised(at: moment)
        #expect(place >= flushed && place <= saved + 1, "\(loss) at \(moment): \(place), flushed \(flushed)")
        oldest = max(oldest, saved - place)
      }
    }
    #expect(oldest <= 1, "at most one second is lost")
  }

  /// Each change is flushed automatically soon after it.
  @Test func eachChangeIsFlushedByItself() async throws {
    let (box, id) = try library()
    let log = box.directory + "/log"
    try ExitTestValues.send(Given(path: box.path, log: log, id: id.rawValue))
    await #expect(processExitsWith: .success) {
      let given = try ExitTestValues.receive(Given.self)
      Self.record(to: given.log)
      let library = try Library(path: given.path)
      for second in 1...3 {
        try library.savePosition(EpisodeID(given.id), seconds: Double(second), total: nil, now: Samples.now)
        while library.flushes < second { usleep(1000) }
      }
      // Exits without the final close, which would flush too.
      _exit(0)
    }
    let recording = try Recording(log)
    #expect(recording.syncsOfLog >= 3)
  }

  /// Without these flushes a power cut loses everything since the last checkpoint. So the simulation really drops
  /// writes that were not synced.
  @Test func unflushedWritesAreLost() async throws {
    let (box, id) = try library()
    let (path, log) = try copy(of: box)
    try ExitTestValues.send(Given(path: path, log: log, id: id.rawValue))
    await #expect(processExitsWith: .success) {
      let given = try ExitTestValues.receive(Given.self)
      Self.record(to: given.log)
      let library = try Library(path: given.path)
      for second in 1...40 {
        // Past `Library.write`, which flushes.
        try library.pool.write { db in
          try db.execute(sql: "UPDATE episode SET position = ? WHERE id = ?", arguments: [second, given.id])
        }
        Self.mark(.saved(second))
      }
      _exit(0)
    }
    let recording = try Recording(log)
    var random = SplitMix64(seed: 3)
    let cut = box.directory + "/after"
    try recording.leave(until: recording.count, losing: .all, from: box.path, at: cut, using: &random)
    #expect(try Library(path: cut + "/earshot.db").episode(id)?.row.position == 0)
    try recording.leave(until: recording.count, losing: .nothing, from: box.path, at: cut, using: &random)
    #expect(try Library(path: cut + "/earshot.db").episode(id)?.row.position == 40)
  }

  // MARK: The recording

  /// The operations that the VFS recorded.
  private struct Recording {
    enum Operation {
      case write(name: String, place: Int, bytes: Data)
      case truncate(name: String, size: Int)
      case sync(name: String)
      case delete(name: String)
      case mark(Mark)
    }

    /// Which of the unsynced writes the cut loses.
    enum Loss: CaseIterable {
      case nothing, all
      /// Some of them, and one is written only in part.
      case some
    }

    private var operations: [Operation] = []
    var count: Int { operations.count }

    init(_ path: String) throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let size = MemoryLayout<RecordHeader>.size
      var place = 0
      while place + size <= data.count {
        let header = data[place..<place + size].withUnsafeBytes { $0.loadUnaligned(as: RecordHeader.self) }
        place += size
        let path = String(decoding: data[place..<place + Int(header.name_length)], as: UTF8.self)
        // The file's suffix: "", "-wal" or "-journal".
        let name = ["-wal", "-journal"].first(where: path.hasSuffix) ?? ""
        place += Int(header.name_length)
        let bytes = data[place..<place + Int(header.length)]
        place += Int(header.length)
        switch Int(header.kind) {
        case RECORD_WRITE: operations.append(.write(name: name, place: Int(header.place), bytes: bytes))
        case RECORD_TRUNCATE: operations.append(.truncate(name: name, size: Int(header.place)))
        case RECORD_SYNC: operations.append(.sync(name: name))
        case RECORD_DELETE: operations.append(.delete(name: name))
        case RECORD_MARK: operations.append(.mark(Mark(header.place)))
        default: throw CocoaError(.fileReadCorruptFile)
        }
      }
    }

    var syncs: Int { operations.count { if case .sync = $0 { true } else { false } } }
    var syncsOfLog: Int { operations.count { if case .sync(let name) = $0 { name.hasSuffix("-wal") } else { false } } }

    /// Moments of a cut, as the number of operations done before it: all around syncs, and some others.
    func moments(_ count: Int, using random: inout SplitMix64) -> [Int] {
      let around = operations.indices.filter { if case .sync = operations[$0] { true } else { false } }
        .flatMap { [$0, $0 + 1] }
      let all = Set(around + (0..<count).map { _ in Int.random(in: 0...operations.count, using: &random) })
      return Array(all.shuffled(using: &random).prefix(count)).sorted()
    }

    /// The last positions that were saved and flushed before the moment.
    func promised(at moment: Int) -> (saved: Int, flushed: Int) {
      var (saved, flushed) = (0, 0)
      for case .mark(let mark) in operations.prefix(moment) {
        switch mark {
        case .saved(let place): saved = place
        case .flushed(let place): flushed = place
        }
      }
      return (saved, flushed)
    }

    /// Writes the files that a cut leaves.
    /// - Parameters:
    ///   - base: the database as it was when the recording began.
    /// - directory: where the files are written; existing ones are deleted.
    func leave(
      until moment: Int, losing loss: Loss, from base: String, at directory: String,
      using random: inout SplitMix64
    ) throws {
      var files = ["": CutFile(try Data(contentsOf: URL(fileURLWithPath: base)))]
      for operation in operations.prefix(moment) {
        switch operation {
        case .write(let name, _, _), .truncate(let name, _):
          files[name, default: CutFile(Data())].pending.append(operation)
        case .sync(let name): files[name, default: CutFile(Data())].sync()
        case .delete(let name): files[name] = nil
        case .mark: break
        }
      }
      try? FileManager.default.removeItem(atPath: directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for (name, file) in files {
        let content = file.content(losing: loss, using: &random)
        try content.write(to: URL(fileURLWithPath: directory + "/earshot.db" + name))
      }
    }
  }

  /// A file on a disk that is only sure to keep what was synced.
  private struct CutFile {
    private var synced: Data
    var pending: [Recording.Operation] = []

    init(_ content: Data) { synced = content }

    mutating func sync() {
      synced = Self.apply(pending, to: synced)
      pending = []
    }

    func content(losing loss: Recording.Loss, using random: inout SplitMix64) -> Data {
      switch loss {
      case .nothing: return Self.apply(pending, to: synced)
      case .all: return synced
      case .some:
        var kept = pending.filter { _ in Bool.random(using: &random) }
        if let index = kept.indices.randomElement(using: &random),
          case .write(let name, let place, let bytes) = kept[index]
        {
          // A disk writes whole sectors.
          let sectors = Int.random(in: 0...(bytes.count / 512), using: &random)
          kept[index] = .write(name: name, place: place, bytes: bytes.prefix(sectors * 512))
        }
        return Self.apply(kept, to: synced)
      }
    }

    private static func apply(_ operations: [Recording.Operation], to content: Data) -> Data {
      var content = [UInt8](content)
      for operation in operations {
        switch operation {
        case .write(_, let place, let bytes):
          if content.count < place + bytes.count {
            content += [UInt8](repeating: 0, count: place + bytes.count - content.count)
          }
          content.replaceSubrange(place..<place + bytes.count, with: bytes)
        case .truncate(_, let size): content = Array(content.prefix(size))
        case .sync, .delete, .mark: break
        }
      }
      return Data(content)
    }
  }
}
