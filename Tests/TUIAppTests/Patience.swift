import Testing

/// Waiting for a condition, never for a time: the deadline is generous, and only a failing test reaches it.
///
/// Swift's threads are as few as the processors, and all tests share them: whatever waits must let go of its thread.
enum Patience {
  /// Asks every few milliseconds until it holds; false when the time ran out. Throws when the test is cancelled.
  static func until(
    seconds: Double = 60, every milliseconds: Int = 20, _ condition: () async throws -> Bool
  ) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    while clock.now < deadline {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(milliseconds))
    }
    return try await condition()
  }
}
