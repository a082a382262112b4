import Foundation

/// A `flock` on a file, which one holder at a time has, across processes. The kernel releases it when the process ends
/// in any way, so it is never stale.
public final class FileLock: Sendable {
  let descriptor: Int32

  /// The result of requesting a lock.
  public enum Outcome: Sendable {
    /// Held until the value is released.
    case held(FileLock)
    /// Another holder has it. Its process id, if it could be read.
    case taken(by: Int32?)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Unlocked explicitly, not by closing: a child process that is just being started shares the descriptor and its
    // lock until it executes its program (flock(2)).
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Requests the lock without waiting.
  /// - Parameter orDirectory: if the file does not exist and cannot be created, as on a full or read-only disk, locks
  ///   its directory.
  public static func acquire(_ file: String, orDirectory: Bool = false) throws(POSIXError) -> Outcome {
    // A link could lead to a file with data, which would be emptied.
    var descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let code = errno
    // A file that cannot be written can be locked, and a directory, too (flock(2)).
    if descriptor < 0 { descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    if descriptor < 0, orDirectory { descriptor = open(LibraryFile(path: file).directory, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(code) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else { throw failure(code) }
      return .taken(by: holder(descriptor))
    }
    let text = Array("\(getpid())\n".utf8)
    // If this fails, only the holder's process id is missing.
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
    return .held(FileLock(descriptor: descriptor))
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(count), as: UTF8.self).trimmed)
  }

  private static func failure(_ code: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
}

/// The lock of the running player, on a file beside the library.
public enum PlayerLock {
  /// Requests the lock of the library at `path`, without waiting.
  public static func acquire(library path: String) throws(StoreError) -> FileLock.Outcome {
    let file = path + ".lock"
    do throws(POSIXError) {
      return try FileLock.acquire(file, orDirectory: true)
    } catch {
      throw .system(error.code.rawValue, path: file, "it cannot be opened")
    }
  }
}

/// The lock for refreshing all feeds, so that the player and a scheduled `earshot refresh` never do it at the same
/// time.
public enum RefreshLock {
  /// Requests the lock of the library at `path`, without waiting. Nil if another refresh holds it, or the lock cannot
  /// be created; then the library cannot be written either.
  public static func acquire(library path: String) -> FileLock? {
    guard case .held(let lock)? = try? FileLock.acquire(path + ".refresh.lock", orDirectory: true) else { return nil }
    return lock
  }
}
