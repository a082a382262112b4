import Foundation

/// A command in the configuration file that prints a secret, such as `pass show NAME`. `/bin/sh` runs it without input.
package enum SecretCommand {
  package enum Failure: Error {
    case notStarted
    /// The exit status, not 0.
    case status(Int32)
    /// The command printed nothing.
    case noOutput
  }

  /// Runs the command and waits until it ends.
  /// - Returns: the first line of its output.
  package static func run(_ command: String) throws(Failure) -> String {
    let ended: ProgramRun
    do { ended = try ProgramRun("/bin/sh", ["-c", command]) } catch { throw .notStarted }
    guard ended.status == 0 else { throw .status(ended.status) }
    let line = String(decoding: ended.output, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw .noOutput }
    return String(line)
  }
}
