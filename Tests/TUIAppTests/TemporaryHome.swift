import Foundation
import Store
import Testing

@testable import TUIApp

/// A temporary home for one test: HOME and the four XDG directories. It is deleted when the value is released. The
/// environment of started programs is made here, so that no test uses the real home.
final class TemporaryHome: Sendable {
  let path: String

  /// The path is short, because tmux puts a socket there, whose path may have 107 bytes (unix(7)).
  init() throws {
    path = "/tmp/earshot-" + UUID().uuidString.prefix(8)
    for directory in ["config/earshot", "data", "cache", "state"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(directory)", withIntermediateDirectories: true)
    }
    try configure("refresh_on_start = false\n")
  }

  deinit {
    // Read-only directories could not be deleted.
    for directory in ["", "/data", "/data/earshot"] { chmod(path + directory, 0o700) }
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(path) stays behind: \(error)") }
  }

  /// The environment of a started process.
  var environment: [String: String] {
    [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "XDG_DATA_HOME": "\(path)/data",
      "XDG_CACHE_HOME": "\(path)/cache", "XDG_STATE_HOME": "\(path)/state", "EARSHOT_AO": "null", "TZ": "UTC",
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  var directories: Directories { Directories(environment: environment) }

  /// Writes `config.toml`.
  func configure(_ text: String) throws {
    try text.write(toFile: "\(path)/config/earshot/config.toml", atomically: true, encoding: .utf8)
  }

  /// Writes a file into the home and returns its path.
  @discardableResult
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Opens the library, calls `ask` and closes the library. A program may be running.
  func library<Answer>(_ ask: (Library) throws -> Answer) throws -> Answer {
    let library = try Library(path: directories.database)
    let answer = try ask(library)
    try library.close()
    return answer
  }
}
