import Foundation

/// The listener's home directory, and paths that begin with `~`.
package enum HomePath {
  /// The home directory by `HOME`, as in a shell; without it, that of the password file. Foundation looks at the
  /// password file only.
  package static func directory() -> String { directory(named: getenv("HOME").map { String(cString: $0) }) }

  /// The same with other variables.
  package static func directory(_ environment: [String: String]) -> String { directory(named: environment["HOME"]) }

  private static func directory(named name: String?) -> String {
    name.flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
  }

  /// Replaces a `~` at the start of a path, alone or before a slash, with the home directory.
  package static func expanding(_ path: String, home: String = directory()) -> String {
    path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
  }

  /// The path from the root, for messages: where a relative path leads.
  package static func full(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
