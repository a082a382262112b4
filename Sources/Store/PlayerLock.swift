import Foundation

/// The lock of the running player: a `flock` on a file beside the library. The kernel releases it when the process
/// ends in any way, so it is never stale.
public final class PlayerLock: Sendable {
  let descriptor: Int32

  /// The result of requesting the lock.
  public enum Outcome: Sendable {
    /// Held until the value is released.
    case held(PlayerLock)
    /// Another player runs. Its process id, if it could be read.
    case taken(by: Int32?)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Unlocked explicitly, not by closing: a child process that is just being started shares the descriptor and its
    // lock until it executes its program (flock(2)).
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Requests the lock of the library at `path`, without waiting.
  public static func acquire(library path: String) throws(StoreError) -> Outcome { try acquire(file: path + ".lock") }

  static func acquire(file: String) throws(StoreError) -> Outcome {
    var descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // On a full or read-only disk, an existing file or the directory can be locked too (flock(2)).
    if descriptor < 0 { descriptor = open(file, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0 { descriptor = open(LibraryFile(path: file).directory, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(file) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      defer { close(descriptor) }
      if isTaken { return .taken(by: holder(descriptor)) }
      throw failure(file)
    }
    let text = Array("\(getpid())\n".utf8)
    // If this fails, only the holder's process id is missing.
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
    return .held(PlayerLock(descriptor: descriptor))
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(count), as: UTF8.self).trimmed)
  }

  private static func failure(_ file: String) -> StoreError {
    .system(errno, path: file, "it cannot be opened")
  }
}

/// The lock for refreshing all feeds, so that the player and a scheduled `earshot refresh` never do it at the same
/// time. A `flock` on a file beside the library, like `PlayerLock`.
public enum RefreshLock {
  /// Requests the lock of the library at `path`, without waiting. Nil if another refresh holds it, or the lock cannot
  /// be created; then the library cannot be written either.
  public static func acquire(library path: String) -> PlayerLock? {
    guard case .held(let lock)? = try? PlayerLock.acquire(file: path + ".refresh.lock") else { return nil }
    return lock
  }
}
