import Foundation
import Testing

@testable import TUIApp

/// Helpers for tests that run the program: a home, a verb, and `earshot play` with its status.
protocol ProgramTesting {
  var home: TemporaryHome { get }
}

extension ProgramTesting {
  func earshot(_ arguments: String..., input: String = "") async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(arguments, in: home, input: Data(input.utf8))
  }

  /// Starts `earshot play` and waits until it plays.
  func playing(_ arguments: String...) async throws -> ChildProcess {
    let child = try ChildProcess(
      BuiltProgram.path(), ["play"] + arguments + ["--json"], environment: home.environment, input: "/dev/null",
      output: "\(home.path)/out", errors: "\(home.path)/err")
    try await reaches(child) { $0["status"] as? String == "playing" }
    return child
  }

  /// Waits until the status of this player (`ctl status`) passes the test.
  func reaches(
    _ child: ChildProcess, sourceLocation: SourceLocation = #_sourceLocation, _ test: ([String: Any]) -> Bool
  ) async throws {
    var last: [String: Any] = [:]
    let isThere = try await Eventually.until {
      let outcome = try await earshot("ctl", "status", "--json", "--player", "\(child.id)")
      guard outcome.status == 0 else { return false }
      last = try outcome.object()
      return test(last)
    }
    #expect(isThere, "\(last)", sourceLocation: sourceLocation)
  }
}
