import Foundation

/// A program that has run without input to its end.
struct ProgramRun {
  /// Not 0: it failed.
  let status: Int32
  let output: Data
  /// What it wrote to standard error; empty unless asked for.
  let errors: Data

  /// Runs the program and waits for its end. Its output must fit into a pipe (64 kB) if its errors are wanted, too.
  /// Throws if it cannot be started.
  init(_ executable: String, _ arguments: [String], readsErrors: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    let output = Pipe()
    let errors = readsErrors ? Pipe() : nil
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors ?? FileHandle.nullDevice
    // `waitUntilExit` runs a run loop. On a thread of Swift's thread pool it may wait forever.
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    self.errors = (try? errors?.fileHandleForReading.readToEnd()) ?? Data()
    self.output = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    hasEnded.wait()
    status = process.terminationStatus
  }
}

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
