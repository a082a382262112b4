import Testing

/// Waits for a condition, not for a fixed time. The deadline is long, and only a failing test reaches it.
///
/// Swift's thread pool has only one thread for each processor, and all tests share it. So a waiting test must not block
/// its thread.
enum Eventually {
  /// Checks the condition every few milliseconds until it is true. Returns false after the deadline. The time in which
  /// the machine sleeps does not count. Throws if the test is cancelled.
  static func until(
    seconds: Double = 300, every milliseconds: Int = 20, _ condition: () async throws -> Bool
  ) async throws -> Bool {
    let clock = SuspendingClock()
    let deadline = clock.now + .seconds(seconds)
    while clock.now < deadline {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(milliseconds))
    }
    return try await condition()
  }
}
