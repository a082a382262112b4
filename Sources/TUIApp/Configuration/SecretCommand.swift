import Foundation

/// A command of the configuration that prints a secret, such as `pass show NAME`. The shell runs it, without input.
enum SecretCommand {
  enum Failure: Error {
    case notStarted
    case status(Int32)
    case silent
  }

  /// The first line that the command prints. Takes as long as the command takes.
  static func run(_ command: String) throws(Failure) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { throw .notStarted }
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw .status(process.terminationStatus) }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    guard !line.isEmpty else { throw .silent }
    return String(line)
  }
}
