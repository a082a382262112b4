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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    // `waitUntilExit` runs a run loop. On a thread of Swift's thread pool it may wait forever.
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    do { try process.run() } catch { throw .notStarted }
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    hasEnded.wait()
    guard process.terminationStatus == 0 else { throw .status(process.terminationStatus) }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw .noOutput }
    return String(line)
  }
}
