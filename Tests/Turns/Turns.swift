import Foundation

/// Gives a turn to a limited number of tests, in the order of their requests.
///
/// Swift Testing starts all tests at once, on one thread for each processor. Without turns every test gets a small part
/// of each thread, so all of them are slow, and on a busy machine their time limits pass. The time limit of a test
/// begins with its turn, so `.timeLimit` cannot be used.
public actor Turns {
  /// For tests with real components that take little time each, such as a server or the built program.
  public static let ofShortTests = Turns(max(6, 2 * ProcessInfo.processInfo.activeProcessorCount))

  /// The time limit of a test. Only a test that never ends reaches it, also on a busy machine.
  private static let limit = Duration.seconds(20 * 60)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init(_ count: Int) { free = count }

  /// Runs the test when it has its turn.
  /// - Parameter overdue: called after the time limit. Then the test is cancelled.
  public nonisolated func run(
    overdue: @escaping @Sendable () -> Void, _ test: @Sendable () async throws -> Void
  ) async throws {
    await take()
    // `unsafe`, because the reference must not outlive its task. The timer with the reference ends before this
    // function.
    nonisolated(unsafe) let current = withUnsafeCurrentTask { $0 }
    let timer = Task {
      // The time in which the machine sleeps does not count.
      try await Task.sleep(for: Self.limit, clock: .suspending)
      overdue()
      current?.cancel()
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await test()) } catch { outcome = .failure(error) }
    timer.cancel()
    _ = await timer.result
    await giveBack()
    try outcome.get()
  }

  private func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
