import Foundation
import Testing

@testable import Services
@testable import TUIApp

/// The `earshot` that was built together with these tests.
enum BuiltProgram {
  /// The program is beside the test bundle.
  static func path() throws -> String {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
      let directory = (try #require(bundle) as NSString).deletingLastPathComponent
    #else
      let directory = (Resources.currentExecutable as NSString).deletingLastPathComponent
    #endif
    let path = directory + "/earshot"
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is not built")
    return path
  }

  /// The exit status of a process, and its output.
  struct Outcome {
    /// The exit status. If a signal ended the process: the negative number of the signal.
    var status: Int32
    var stdout: Data
    var stderr: String

    var text: String { String(decoding: stdout, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// stdout as exactly one JSON value.
    func json() throws -> Any { try JSONSerialization.jsonObject(with: stdout, options: .fragmentsAllowed) }
    func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }
    func objects() throws -> [[String: Any]] { try #require(try json() as? [[String: Any]]) }
  }

  /// Runs a verb to its end. - Parameter output: replaces stdout.
  static func run(
    _ arguments: [String], in home: TemporaryHome, input: Data = Data(), environment: [String: String] = [:],
    output: String? = nil
  ) async throws -> Outcome {
    try await run(path(), arguments, in: home, input: input, environment: environment, output: output)
  }

  /// Runs any program to its end, with the test's home and environment. The three streams are files. So no pipe can
  /// fill up, and a child process that keeps running does not block the test.
  static func run(
    _ executable: String, _ arguments: [String], in home: TemporaryHome, input: Data = Data(),
    environment: [String: String] = [:], output: String? = nil
  ) async throws -> Outcome {
    let name = "\(home.path)/run-\(UUID().uuidString.prefix(8))"
    let files = [".in", ".out", ".err"].map { name + $0 }
    defer { for file in files { unlink(file) } }
    try input.write(to: URL(fileURLWithPath: files[0]))
    let child = try ChildProcess(
      executable, arguments, environment: home.environment.merging(environment) { $1 }, input: files[0],
      output: output ?? files[1], errors: files[2])
    let status = try await child.status()
    return Outcome(
      status: status, stdout: output == nil ? try Data(contentsOf: URL(fileURLWithPath: files[1])) : Data(),
      stderr: String(decoding: try Data(contentsOf: URL(fileURLWithPath: files[2])), as: UTF8.self))
  }
}
