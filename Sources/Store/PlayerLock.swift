import Foundation

/// Who holds the player: a `flock` on a file beside the library. The kernel drops it with the process, however that
/// ends, so it is never stale.
public final class PlayerLock: Sendable {
  private let descriptor: Int32

  /// What asking for the lock came to.
  public enum Outcome: Sendable {
    /// Held until the value is released.
    case held(PlayerLock)
    /// Another player runs; its process id, when it could be read.
    case taken(by: Int32?)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Asks for the lock of the library at `path`, without waiting.
  public static func acquire(library path: String) throws(StoreError) -> Outcome { try acquire(file: path + ".lock") }

  static func acquire(file: String) throws(StoreError) -> Outcome {
    var descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // On a disk that is full, or cannot be written: what is there can be locked as well (flock(2)).
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
    // A failure here costs only the name of the holder.
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
