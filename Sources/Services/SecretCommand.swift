import Foundation
import Programs

/// A command in the configuration file that prints a secret, such as `pass show NAME`. `/bin/sh` runs it without input.
package enum SecretCommand {
  package enum Failure: Error {
    case notStarted
    /// The exit status, not 0, or the negative number of the signal that ended it.
    case status(Int32)
    /// The command printed nothing.
    case noOutput
  }

  /// Runs the command and waits until it ends.
  /// - Returns: the first line of its output.
  package static func run(_ command: String) throws(Failure) -> String {
    let program = ListenerProgram(["/bin/sh", "-c", command], environment: ProcessInfo.processInfo.environment)
    let ended: ListenerProgram.Outcome
    do { ended = try program.run() } catch { throw .notStarted }
    guard ended.ending == .exited(0) else { throw .status(ended.ending.status) }
    let line = String(decoding: ended.output, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw .noOutput }
    return String(line)
  }
}
