import Foundation

/// The database file as a file: what can be said of it before SQLite opens it, and how it is set aside.
struct LibraryFile {
  var path: String

  /// Throws when the file is no SQLite database or shorter than its own header says.
  /// File format: https://www.sqlite.org/fileformat.html#the_database_header
  func check() throws(StoreError) {
    guard let handle = FileHandle(forReadingAtPath: path) else { return }
    defer { handle.closeFile() }
    let header = [UInt8](handle.readData(ofLength: 100))
    guard !header.isEmpty else { return }
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notALibrary(path: path, detail: "no SQLite database")
    }
    guard header.count == 100 else { throw .damaged(path: path, detail: "cut off in its header") }
    // With a write-ahead log the newest pages are there, and a short file is right.
    guard size(of: path + "-wal") == 0 else { return }
    let stored = bigEndian(header[16..<18])
    let pageSize = stored == 1 ? 65536 : stored
    let expected = pageSize * bigEndian(header[28..<32])
    let actual = size(of: path)
    if actual < expected {
      throw .damaged(path: path, detail: "cut off: \(actual) of \(expected) bytes")
    }
  }

  /// What SQLite is given to read the file without writing. Where not even the companions of the log can be made, the
  /// file is taken as one that nobody changes (https://www.sqlite.org/uri.html#uriimmutable): true of a read-only
  /// disk, where there is no other way, and of a full one as long as nobody has the file open: who has, has made them.
  var readOnlyAddress: String {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let isUnused = size(of: path + "-wal") == 0 && !FileManager.default.fileExists(atPath: path + "-shm")
    guard access(directory, W_OK) != 0 || isUnused else { return path }
    let unescaped = CharacterSet(charactersIn: "?#%").inverted
    return "file:" + (path.addingPercentEncoding(withAllowedCharacters: unescaped) ?? path) + "?immutable=1"
  }

  /// Renames the file and its companions; `earshot.db` becomes `earshot.db.damaged-20250131-235959`.
  /// - Returns: the new path.
  func setAside(now: Date) throws(StoreError) -> String {
    let target = StampedName.free(path + ".damaged", now: now)
    do {
      // The log first: should we be killed in between, the database without it is set aside by the next start.
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        try FileManager.default.moveItem(atPath: path + companion, toPath: target + companion)
      }
      try FileManager.default.moveItem(atPath: path, toPath: target)
    } catch {
      throw .cannotOpen(path: path, detail: "it is damaged and cannot be set aside: \(error.localizedDescription)")
    }
    return target
  }

  /// Puts `other` in the place of the file, which is renamed to `earshot.db.replaced-20250131-235959`. The place is
  /// never empty, whenever the process ends: an empty one would be filled with a new library.
  /// - Returns: the new name of what was there; nil when nothing was.
  func replace(with other: String, now: Date) throws(StoreError) -> String? {
    var target: String?
    if FileManager.default.fileExists(atPath: path) {
      let name = StampedName.free(path + ".replaced", now: now)
      // A log belongs to the old file and must not meet the new one. A second name for the file, then one step.
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        guard rename(path + companion, name + companion) == 0 else { throw failure("it cannot be set aside") }
      }
      // Where the file system has no second names the place is empty for a moment.
      guard link(path, name) == 0 || rename(path, name) == 0 else { throw failure("it cannot be set aside") }
      target = name
    }
    guard rename(other, path) == 0 else { throw failure("it cannot be replaced") }
    return target
  }

  private func failure(_ what: String) -> StoreError {
    .cannotOpen(path: path, detail: "\(what): \(String(cString: strerror(errno)))")
  }

  private func size(of path: String) -> Int {
    // A file that is not there is as good as an empty one.
    guard let handle = FileHandle(forReadingAtPath: path) else { return 0 }
    defer { handle.closeFile() }
    return Int(clamping: handle.seekToEndOfFile())
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
