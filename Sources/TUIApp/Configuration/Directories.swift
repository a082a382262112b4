import Foundation
import Model
import Programs
import Store

/// The directories of Earshot: the XDG base directories, or those in `config.toml`. Nothing is written elsewhere.
struct Directories: Equatable, Sendable {
  var config: String
  var data: String
  var cache: String
  var state: String
  var downloads: String

  /// Source: XDG Base Directory Specification 0.8. It says to ignore relative paths in the variables.
  init(environment: [String: String] = ProcessEnvironment.variables) {
    let home = HomePath.directory(environment)
    func base(_ variable: String, _ fallback: String) -> String {
      let value = environment[variable] ?? ""
      return (value.hasPrefix("/") ? value : home + fallback) + "/earshot"
    }
    config = base("XDG_CONFIG_HOME", "/.config")
    data = base("XDG_DATA_HOME", "/.local/share")
    cache = base("XDG_CACHE_HOME", "/.cache")
    state = base("XDG_STATE_HOME", "/.local/state")
    downloads = data + "/downloads"
  }

  var configFile: String { config + "/config.toml" }
  var themes: String { config + "/themes" }
  var database: String { data + "/earshot.db" }
  var logFile: String { state + "/earshot.log" }

  /// Creates the directories, readable for their owner only. A read-only home is no error if the library exists,
  /// because it can be read. Without a state directory there is no log and no control socket, which `earshot doctor`
  /// reports.
  func create() throws(SetupError) {
    if let reason = Self.make(data), !FileManager.default.fileExists(atPath: database) {
      throw .cannotCreate(data, reason)
    }
    _ = Self.make(state)
    restrict()
  }

  /// Creates a directory.
  /// - Returns: why it could not be created; nil if it exists now.
  private static func make(_ directory: String) -> String? {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return nil
    } catch {
      switch DiskState.of(directory) {
      case .full: return "the disk is full"
      case .readOnly: return "the disk is read-only"
      case .writable: return FileFailure.text(error)
      }
    }
  }

  /// The directories whose files must be readable for their owner only (`OwnerOnly.ownPaths`): the library, its copies
  /// and the log. A download directory elsewhere was chosen by the listener and is not changed.
  var ownerOnly: [String] {
    [data, state, cache, data + "/backups"] + (downloads.hasPrefix(data + "/") ? [downloads] : [])
  }

  /// An older Earshot, or a copy, may have left files that others can read.
  private func restrict() {
    for directory in ownerOnly {
      if directory == downloads || directory == cache {
        if OwnerOnly.isOurs(directory) { OwnerOnly.restrict(directory) }
      } else {
        OwnerOnly.restrictContents(of: directory)
      }
    }
  }
}

/// Why the program or a command cannot start. `ExitStatus` has the exit statuses.
enum SetupError: Error, Equatable, CustomStringConvertible {
  case cannotCreate(String, String)
  case configuration([ConfigurationProblem])

  var description: String {
    switch self {
    case .cannotCreate(let directory, let reason): "cannot create \(directory): \(reason)"
    case .configuration(let problems): problems.map(\.description).joined(separator: "\n")
    }
  }
}

/// The environment variables of the program.
enum ProcessEnvironment {
  /// Read once, because Foundation copies all variables for each call, which takes a millisecond.
  static let variables = ProcessInfo.processInfo.environment
}
