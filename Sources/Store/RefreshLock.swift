/// Who asks all feeds just now: the player or a timer's `earshot refresh`, never both at once. A `flock` beside the library,
/// as that of the player.
public enum RefreshLock {
  /// Asks for the lock of the library at `path`, without waiting. nil: another refresh has it, or the lock cannot be made,
  /// and then nothing can be written either.
  public static func acquire(library path: String) -> PlayerLock? {
    guard case .held(let lock)? = try? PlayerLock.acquire(file: path + ".refresh.lock") else { return nil }
    return lock
  }
}
