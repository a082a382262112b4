import Foundation
import Model
import Programs

/// A command in the configuration file that prints a secret, such as `pass show NAME`. `/bin/sh` runs it without input.
package enum SecretCommand {
  /// Runs the command and waits until it ends. An error is what the command did instead, such as "prints nothing".
  /// - Returns: the first line of its output.
  package static func run(_ command: String) throws(ReportedError) -> String {
    let program = ListenerProgram(["/bin/sh", "-c", command], environment: ProcessInfo.processInfo.environment)
    let ended: ListenerProgram.Outcome
    do { ended = try program.run() } catch { throw ReportedError("cannot be run") }
    // Without what it wrote to standard error, which may have secrets.
    if let reason = ended.ending.reason { throw ReportedError("failed: \(reason)") }
    let line = String(decoding: ended.output, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw ReportedError("prints nothing") }
    return String(line)
  }
}
