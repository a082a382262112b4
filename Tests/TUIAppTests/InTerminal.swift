import Foundation
import Testing
import Turns

/// For suites that run the built program in a terminal. They are skipped without tmux. Only a few tests run at a time:
/// thirty players on two processors would all be slow.
struct InTerminal: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  private static let turns = Turns(max(3, ProcessInfo.processInfo.activeProcessorCount))

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await Self.turns.run(overdue: { Issue.record("\(test.name) takes too long") }, body)
  }
}

extension Trait where Self == ConditionTrait {
  static var withTmux: Self {
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed; the program is not tried in a terminal")
  }
}
