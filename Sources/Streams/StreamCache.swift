import Foundation
import HTTP
import Model
import Synchronization

/// The copies of what was streamed, in a directory that may be emptied at any time.
public final class StreamCache: Sendable {
  private let directory: String
  /// Bytes of all copies together.
  private let limit: Int64
  /// Of this process: who reads and who writes share one. Each holds a file open for as long as somebody uses it.
  private let copies = Mutex<[String: Shared]>([:])

  private struct Shared { weak var copy: StreamCopy? }

  /// - Parameter limit: bytes of all copies together; the oldest go first.
  public init(directory: String, limit: Int64) {
    self.directory = directory
    self.limit = limit
  }

  /// What is held of this address: nothing, at first.
  public func copy(of url: WebAddress) -> StreamCopy {
    copies.withLock { copies in
      if let copy = copies[url.text]?.copy { return copy }
      let copy = StreamCopy(url: url.text, directory: directory, limit: limit)
      copies = copies.filter { $0.value.copy != nil }
      copies[url.text] = Shared(copy: copy)
      return copy
    }
  }

  /// Writes down what is held; waits for the disk. At the end of the program.
  public func save() {
    for copy in copies.withLock({ $0.values.compactMap(\.copy) }) { copy.save() }
  }

  /// It is kept elsewhere now.
  public func remove(_ url: WebAddress) { copy(of: url).forget() }

  /// Makes room: the copies that were used longest ago go, and files that belong to none. Reads the directory: not for
  /// the main thread.
  public func prune(sparing url: WebAddress? = nil) {
    let spared = url.map { AddressKey.fileName($0.text) }
    let entries = entries()
    var room = limit - entries.filter { $0.key == spared }.reduce(0) { $0 + $1.bytes }
    for entry in entries where entry.key != spared {
      if entry.bytes <= room { room -= entry.bytes } else { discard(entry) }
    }
  }

  /// The files of one address.
  private struct Entry {
    var key: String
    var url: String?
    var paths: [String] = []
    var bytes: Int64 = 0
    var used = Date.distantPast
  }

  /// Those used last come first.
  private func entries() -> [Entry] {
    var entries: [String: Entry] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      let key = String(name.prefix { $0 != "-" && $0 != "." })
      let path = "\(directory)/\(name)"
      var status = stat()
      guard key.count == 32, lstat(path, &status) == 0 else { continue }
      var entry = entries[key] ?? Entry(key: key)
      entry.paths.append(path)
      // What a file with holes takes up; the unit is 512 bytes whatever the disk's is (stat(2)).
      entry.bytes += Int64(status.st_blocks) * 512
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      entry.used = max(entry.used, attributes?[.modificationDate] as? Date ?? .distantPast)
      if name.hasSuffix(".json"), let data = FileManager.default.contents(atPath: path) {
        entry.url = (try? JSONDecoder().decode(StreamFacts.self, from: data))?.url
      }
      entries[key] = entry
    }
    return entries.values.sorted { $0.used > $1.used }
  }

  private func discard(_ entry: Entry) {
    if let url = entry.url { copies.withLock { $0[url]?.copy }?.forget() }
    for path in entry.paths { unlink(path) }
  }
}
