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
