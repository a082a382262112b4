import Foundation
import Model
import Streams

/// The file that a download is written to: the final name with `.part` appended. It is locked, so that no two
/// processes write it.
///
/// `@unchecked`: the HTTP client's thread writes it between start and completion, the downloader's queue before and
/// after.
final class PartFile: @unchecked Sendable {
  let path: String
  private var descriptor: Int32
  private(set) var size: Int64

  /// Opens or creates the file and its directories. Never follows a symbolic link.
  init(path: String) throws(DownloadError) {
    self.path = path
    (descriptor, size) = try Self.openLocked(path)
    var attempts = 1
    // Another process may delete the file between the opening and the lock.
    while !isAtItsPath {
      end()
      guard attempts < 10 else { throw .busy }
      attempts += 1
      (descriptor, size) = try Self.openLocked(path)
    }
  }

  private static func openLocked(_ path: String) throws(DownloadError) -> (descriptor: Int32, size: Int64) {
    try makeDirectory(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .cannotWrite(path, reason: "not a file")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      close(descriptor)
      // File systems without locks (some network ones) return other errors. They are reported as errors.
      guard isTaken else { throw failure(path) }
      throw .busy
    }
    // Read under the lock: the process before may just have written the last bytes.
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw failure(path)
    }
    return (descriptor, Int64(status.st_size))
  }

  /// Deletes the partial file, unless a process is writing it.
  /// - Parameter onlyEmpty: keep a file that has bytes.
  static func delete(_ path: String, onlyEmpty: Bool = false) throws(DownloadError) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT || onlyEmpty { return }
    } else {
      // The lock is held until the file is gone.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        close(descriptor)
        throw .busy
      }
    }
    defer {
      if descriptor >= 0 {
        flock(descriptor, LOCK_UN)
        close(descriptor)
      }
    }
    if onlyEmpty {
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else { return }
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .cannotDelete(path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { end() }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
    let written = DescriptorWrite.all(bytes, to: descriptor, at: size)
    size += Int64(written)
    guard written == bytes.count else { throw Self.failure(path) }
  }

  func truncate() throws(DownloadError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path) }
    size = 0
  }

  /// The first bytes, at most `count`.
  func start(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(0, read)))
  }

  /// Gives the file its final name, after its bytes are flushed to the disk. It keeps this one, too, and its lock,
  /// until `remove`. Throws if a file with that name exists; that file stays unchanged. Also throws if another
  /// process has replaced the partial file: its file may be incomplete.
  func finish(as target: String) throws(DownloadError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
    guard isAtItsPath else { throw .cannotWrite(path, reason: "another file is at its path") }
    // A newly chosen name may be in another directory.
    try Self.makeDirectory(of: target)
    // `link` fails if the target exists; `rename` would replace it. Some file systems (FAT) have no links.
    if link(path, target) != 0 {
      if errno == EEXIST { throw .cannotWrite(target, reason: String(cString: strerror(EEXIST))) }
      guard access(target, F_OK) != 0, rename(path, target) == 0 else { throw Self.failure(target) }
    }
    let directory = open((target as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    // Without this, a power cut may lose the name, and the library would report the file as missing.
    fsync(directory)
    close(directory)
  }

  private var isAtItsPath: Bool { isSame(as: path) }

  /// Whether the file has this name.
  func isSame(as path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  /// Deletes the name of the partial file, and ends.
  func remove() {
    if isAtItsPath { unlink(path) }
    end()
  }

  func end() {
    guard descriptor >= 0 else { return }
    // Unlocked explicitly, not by closing: a child process that is just being started shares the descriptor and its
    // lock until it executes its program (flock(2)).
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  private static func makeDirectory(of path: String) throws(DownloadError) {
    let directory = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .cannotWrite(directory, reason: FileFailure.text(error))
    }
  }

  private static func failure(_ path: String) -> DownloadError {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    default: .cannotWrite(path, reason: String(cString: strerror(errno)))
    }
  }
}
