import Foundation
import GRDB
import Model

/// Handles changes to the library's file while it is open.
extension Library {
  /// What is at the path where the library was opened.
  enum FileState: Equatable {
    /// The open file and its write-ahead log.
    case same
    /// No file: it or its directory was deleted or renamed.
    case missing
    /// The file without its write-ahead log.
    case withoutLog
    /// Another file.
    case replaced
  }

  /// Compares file identities only. If that is not possible, it returns `.same`.
  var fileState: FileState {
    let handle = self.handle.withLock { $0 }
    guard let file = FileNumber(handle.path) else { return errno == ENOENT || errno == ENOTDIR ? .missing : .same }
    guard file == handle.file else { return .replaced }
    guard !handle.isReadOnly, let log = handle.log else { return .same }
    return FileNumber(handle.path + "-wal") == log ? .same : .withoutLog
  }

  /// Throws if the library's file is gone, or another one, such as a restored backup, is at its path, and this process
  /// has changed it.
  public func checkChangesAreKept() throws(StoreError) {
    let detail =
      switch fileState {
      case .same, .withoutLog: ""
      case .missing:
        "No file is at its path now. What this command has changed is only in the old one, if that still exists."
      case .replaced:
        "Another file is at its path now, as after “earshot restore”. What this command has changed is not in it."
      }
    guard !detail.isEmpty, pool.writeWithoutTransaction({ $0.totalChangesCount }) > 0 else { return }
    throw .moved(path: path, detail: detail)
  }

  /// Reopens a read-only library for writing if that is possible now. Does nothing if it is writable.
  func makeWritable() throws(StoreError) {
    guard isReadOnly else { return }
    guard fileState == .same else { throw .cannotOpen(path: path, detail: "another file is at its path") }
    let opened = try LibraryHandle.open(path: path, isReadOnly: false, isOpen: true, migrator: migrator)
    use(opened)
  }

  /// Writes the open library to a file again if its own was moved away or replaced, and continues with that file.
  ///
  /// If the file is missing, it is written under its own name. Another file at its path is not touched; the copy is
  /// then `earshot.db.rescued-20250131-235959` beside it.
  /// - Returns: what had happened, and the path of the copy. Nil if nothing had.
  func rescue(now: Date) throws(StoreError) -> (state: FileState, path: String)? {
    let (state, path) = (fileState, self.path)
    guard state != .same else { return nil }
    let target = state == .replaced ? StampedName.free(path + ".rescued", now: now) : path
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
    try LibraryFile(path: target).take(temporary, replaces: state == .withoutLog)
    use(try LibraryHandle.open(path: target, isReadOnly: false, migrator: migrator))
    return (state, target)
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
  /// Renames a complete copy to this file's name.
  /// - Parameter replaces: overwrite the file of that name, from which the copy was made. Otherwise no such file may
  ///   exist.
  func take(_ copy: String, replaces: Bool) throws(StoreError) {
    guard Self.sync(copy) else { throw .system(errno, path: path, "the copy cannot be written") }
    for companion in ["-wal", "-shm"] where replaces || !FileManager.default.fileExists(atPath: path) {
      // A remaining log belongs to the old file and must not be used with the new one.
      guard unlink(path + companion) == 0 || errno == ENOENT else {
        throw .system(errno, path: path + companion, "it cannot be removed")
      }
    }
    if !replaces {
      // Never overwrites a file that has appeared meanwhile.
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
