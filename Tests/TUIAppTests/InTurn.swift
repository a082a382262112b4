import Testing
import Turns

/// For suites with real components. Only some of their tests run at a time (`Turns`). The time limit of a test begins
/// with its turn.
///
/// Five test targets have this file, four of them as a link to that of TUIAppTests. On macOS only test targets can
/// import Testing, and SwiftPM lets no file belong to two targets.
struct InTurn: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await Turns.ofShortTests.run(
      overdue: { Issue.record("\(test.name) takes too long") }, body)
  }
}
