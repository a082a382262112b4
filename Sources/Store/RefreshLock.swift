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
