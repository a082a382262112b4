import Foundation
import HTTP
import Model
import Synchronization

/// The copies of streamed files, in a directory that may be deleted at any time.
public final class StreamCache: Sendable {
  private let directory: String
  /// Bytes of all copies together.
  private let limit: Int64
  /// The copies in use, so that readers and writers of this process share one object. Each keeps its file open while
  /// it is referenced.
  private let copies = Mutex<[String: Shared]>([:])

  private struct Shared { weak var copy: StreamCopy? }

  /// - Parameter limit: bytes of all copies together. The least recently used go first.
  public init(directory: String, limit: Int64) {
    self.directory = directory
    self.limit = limit
  }

  /// The copy for this address, which may be empty.
  public func copy(of url: WebAddress) -> StreamCopy {
    copies.withLock { copies in
      if let copy = copies[url.text]?.copy { return copy }
      let copy = StreamCopy(url: url.text, directory: directory, limit: limit)
      copies = copies.filter { $0.value.copy != nil }
      copies[url.text] = Shared(copy: copy)
      return copy
    }
  }

  /// Saves the state of all copies, and waits for the disk. Called when the program ends.
  public func save() {
    for copy in copies.withLock({ $0.values.compactMap(\.copy) }) { copy.save() }
  }

  /// Deletes the copy because the file is stored elsewhere now, as a download.
  public func remove(_ url: WebAddress) { copy(of: url).forget() }

  /// Deletes the least recently used copies beyond the limit, and files without a copy. It reads the directory, so it
  /// must not run on the main thread.
  /// - Parameter url: the file that is about to be played.
  public func prune(keeping url: WebAddress) {
    let keptKey = AddressKey.fileName(url.text)
    let entries = entries()
    var room = limit - entries.filter { $0.key == keptKey }.reduce(0) { $0 + $1.bytes }
    for entry in entries where entry.key != keptKey {
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

  /// Most recently used first.
  private func entries() -> [Entry] {
    var entries: [String: Entry] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      let key = String(name.prefix { $0 != "-" && $0 != "." })
      let path = "\(directory)/\(name)"
      var status = stat()
      guard key.count == 32, lstat(path, &status) == 0 else { continue }
      var entry = entries[key] ?? Entry(key: key)
      entry.paths.append(path)
      // The disk space that a sparse file uses. The unit is always 512 bytes (stat(2)).
      entry.bytes += Int64(status.st_blocks) * 512
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      entry.used = max(entry.used, attributes?[.modificationDate] as? Date ?? .distantPast)
      if name.hasSuffix(".json"), let data = FileManager.default.contents(atPath: path) {
        entry.url = (try? JSONDecoder().decode(StreamMetadata.self, from: data))?.url
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
