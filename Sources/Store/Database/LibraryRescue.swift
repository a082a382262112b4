import Foundation
import GRDB

/// What can happen to the file of a library while it is open.
extension Library {
  /// What lies where the library was opened.
  enum Place: Equatable {
    /// The file that is open, with its log.
    case same
    /// Nothing: it was deleted, or renamed, or its directory was.
    case missing
    /// The file, but not its log.
    case withoutLog
    /// Another file.
    case replaced
  }

  /// Looks at names only. What cannot be looked at counts as the same.
  var place: Place {
    let handle = self.handle.withLock { $0 }
    guard let file = FileIdentity(handle.path) else { return errno == ENOENT || errno == ENOTDIR ? .missing : .same }
    guard file == handle.file else { return .replaced }
    guard !handle.isReadOnly, let log = handle.log else { return .same }
    return FileIdentity(handle.path + "-wal") == log ? .same : .withoutLog
  }

  /// Makes a library that could only be read writable, when that is possible now. Does nothing for one that is.
  func makeWritable() throws(StoreError) {
    guard isReadOnly else { return }
    guard place == .same else { throw .cannotOpen(path: path, detail: "another file has come into its place") }
    let opened = try LibraryHandle.open(path: path, isReadOnly: false, isOpen: true, migrator: migrator)
    use(opened)
  }

  /// Writes the library that is open to a file again, when its own has been moved away or replaced, and goes on there.
  ///
  /// Where nothing is left it comes back under its own name. Another file in its place is not touched: the copy is
  /// `earshot.db.rescued-20250131-235959` beside it.
  /// - Returns: what had happened, and the path of the copy; nil when nothing had.
  func rescue(now: Date) throws(StoreError) -> (place: Place, path: String)? {
    let (place, path) = (self.place, self.path)
    guard place != .same else { return nil }
    let target = place == .replaced ? StampedName.free(path + ".rescued", now: now) : path
    let temporary = target + Self.restoring
    do {
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if FileManager.default.fileExists(atPath: temporary) { try FileManager.default.removeItem(atPath: temporary) }
      try pool.vacuum(into: temporary)
    } catch {
      throw StoreError(error, path: target)
    }
    try LibraryFile(path: target).take(temporary, replaces: place == .withoutLog)
    use(try LibraryHandle.open(path: target, isReadOnly: false, migrator: migrator))
    return (place, target)
  }

  private func use(_ opened: LibraryHandle) {
    let old = handle.withLock { handle in
      defer { handle = opened }
      return handle.pool
    }
    retired.withLock { $0.append(old) }
  }
}

extension LibraryFile {
  /// Gives a copy that is whole the name of this file.
  /// - Parameter replaces: the file of that name, which is what the copy was made of, goes. Else none may be there.
  func take(_ copy: String, replaces: Bool) throws(StoreError) {
    guard Self.sync(copy) else { throw .system(errno, path: path, "the copy cannot be written") }
    for companion in ["-wal", "-shm"] where replaces || !FileManager.default.fileExists(atPath: path) {
      // One that stayed behind belongs to the old file and must not meet the new one.
      guard unlink(path + companion) == 0 || errno == ENOENT else {
        throw .system(errno, path: path + companion, "it cannot be removed")
      }
    }
    if !replaces {
      // Never over a file that has appeared meanwhile.
      guard link(copy, path) == 0 else {
        throw .system(errno, path: path, "it cannot be made")
      }
      unlink(copy)
    } else if rename(copy, path) != 0 {
      throw .system(errno, path: path, "it cannot be replaced")
    }
    _ = Self.sync(directory)
  }
}
