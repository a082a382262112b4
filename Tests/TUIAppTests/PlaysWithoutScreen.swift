import Foundation
import Testing

@testable import TUIApp

/// What tests of `earshot play` share: a home, the program in it, and a look at what it does.
protocol PlaysWithoutScreen {
  var home: TemporaryHome { get }
}

extension PlaysWithoutScreen {
  func earshot(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(arguments, in: home)
  }

  /// Starts `earshot play` and waits until it sounds.
  func playing(_ arguments: String...) async throws -> ChildProcess {
    let child = try ChildProcess(
      BuiltProgram.path(), ["play"] + arguments + ["--json"], environment: home.environment, input: "/dev/null",
      output: "\(home.path)/out", errors: "\(home.path)/err")
    try await reaches(child) { $0["status"] as? String == "playing" }
    return child
  }

  /// Until `ctl status` of this player passes.
  func reaches(
    _ child: ChildProcess, sourceLocation: SourceLocation = #_sourceLocation, _ test: ([String: Any]) -> Bool
  ) async throws {
    var last: [String: Any] = [:]
    let isThere = try await Patience.until {
      let outcome = try await earshot("ctl", "status", "--json", "--player", "\(child.id)")
      guard outcome.status == 0 else { return false }
      last = try outcome.object()
      return test(last)
    }
    #expect(isThere, "\(last)", sourceLocation: sourceLocation)
  }
}
