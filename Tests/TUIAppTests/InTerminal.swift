import Foundation
import Testing

/// For suites that drive the built program in a terminal: left out without tmux, a few at a time, none for ever.
///
/// Swift Testing starts all tests at once. Thirty players on two processors would all be late, so each test waits for
/// its turn here; its time counts from there on, which is why this is not `.timeLimit`.
struct InTerminal: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  /// From its turn to its end.
  static let limit = Duration.seconds(120)

  private static let turns = Turns(max(3, ProcessInfo.processInfo.activeProcessorCount))

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    await Self.turns.take()
    // Unsafe as it must not outlive its task: the timer that holds it has ended before this function does.
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

/// Lets so many in, the others in the order in which they came.
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
