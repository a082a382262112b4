import Foundation
import Testing
import Turns

/// For suites that run the built program in a terminal. They are skipped without tmux. Only a few tests run at a time:
/// thirty players on two processors would all be slow.
struct InTerminal: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  /// The time limit of a test, from its turn. As in `InTurn`, only a test that never ends reaches it.
  static let limit = Duration.seconds(20 * 60)

  private static let turns = Turns(max(3, ProcessInfo.processInfo.activeProcessorCount))

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let overdue: @Sendable () -> Void = { Issue.record("\(test.name) took longer than \(Self.limit)") }
    try await Self.turns.run(limit: Self.limit, overdue: overdue, body)
  }
}

extension Trait where Self == ConditionTrait {
  static var withTmux: Self {
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed; the program is not tried in a terminal")
  }
}
