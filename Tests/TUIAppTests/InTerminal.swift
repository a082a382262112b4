import Foundation
import Testing

/// For suites that run the built program in a terminal. They are skipped without tmux. Only a few tests run at a time,
/// each with a time limit.
///
/// Swift Testing starts all tests at once. Thirty players on two processors would all be slow, so each test waits for
/// its turn here. Its time limit begins with its turn, so `.timeLimit` cannot be used.
struct InTerminal: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  /// The time limit of a test, from its turn.
  static let limit = Duration.seconds(120)

  private static let turns = Turns(max(3, ProcessInfo.processInfo.activeProcessorCount))

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await Self.turns.take()
    // `unsafe`, because the reference must not outlive its task. The timer with the reference ends before this
    // function.
    nonisolated(unsafe) let current = withUnsafeCurrentTask { $0 }
    let timer = Task {
      try await Task.sleep(for: Self.limit)
      Issue.record("\(test.name) took longer than \(Self.limit)")
      current?.cancel()
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    timer.cancel()
    _ = await timer.result
    await Self.turns.releaseFreeMemory()
    try outcome.get()
  }
}

extension Trait where Self == ConditionTrait {
  static var withTmux: Self {
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed; the program is not tried in a terminal")
  }
}

/// Gives a turn to a limited number of tests, in the order of their requests.
private actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func releaseFreeMemory() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
