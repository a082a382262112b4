import Foundation
import Logging
import Programs
import TerminalKit

/// Runs the program of a hook. What it prints goes to the log.
package struct HookProgram: Sendable {
  /// The environment of the player. Passwords and keys (`EARSHOT_…`) are not passed on.
  package var environment: [String: String]
  package var log: Logger
  /// Seconds until it is ended, and then until it is killed.
  package var timeLimit = 30.0
  package var grace = 3.0

  /// How much of the output of one run is logged, in lines and characters of a line. A hook may print endlessly.
  private static let lines = 50
  private static let lineLength = 500

  package init(environment: [String: String], log: Logger) {
    self.environment = ListenerProgram.environment(from: environment)
    self.log = log
  }

  /// - Returns: why it failed; nil if it did not.
  package func run(_ job: HookRunner.Job) -> String? {
    guard let path = ListenerProgram.locate(job.program, path: environment["PATH"]) else {
      return "there is no such program"
    }
    var program = ListenerProgram([path] + job.arguments, environment: environment.merging(job.environment) { $1 })
    program.input = Data(job.input)
    program.timeLimit = timeLimit
    program.grace = grace
    program.outputLimit = 0
    let name = job.environment["EARSHOT_EVENT"] ?? ""
    var count = 0
    do throws(ListenerProgram.Failure) {
      let outcome = try program.run { _, line in
        count += 1
        guard count <= Self.lines else { return }
        log.info("hook \(name): \(Sanitize.line(String(line.prefix(Self.lineLength))))")
      }
      if count > Self.lines { log.info("hook \(name): \(count - Self.lines) more lines are left out") }
      return outcome.reason
    } catch {
      return error.description
    }
  }
}
