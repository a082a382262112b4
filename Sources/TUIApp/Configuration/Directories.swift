import Foundation
import Store

/// Where Earshot keeps its files: the XDG base directories, and what `config.toml` says instead. Nothing is written
/// elsewhere.
struct Directories: Equatable, Sendable {
  var config: String
  var data: String
  var cache: String
  var state: String
  var downloads: String

  /// Source: XDG Base Directory Specification 0.8; a relative path in a variable is ignored, as it says.
  init(environment: [String: String] = ProcessEnvironment.variables) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
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

  /// Makes the directories that are written to, for the owner only. A home that cannot be written is no error where
  /// there is a library: it can be read. Without a directory for the state there is no log and no control socket, which
  /// `earshot doctor` says.
  func create() throws(SetupError) {
    if let reason = Self.make(data), !FileManager.default.fileExists(atPath: database) {
      throw .cannotCreate(data, reason)
    }
    _ = Self.make(state)
    tighten()
  }

  /// Why it cannot be made; nil when it is there.
  private static func make(_ directory: String) -> String? {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      return nil
    } catch {
      switch DiskState.of(directory) {
      case .full: return "the disk is full"
      case .readOnly: return "the disk is read-only"
      case .writable: return error.posixReason
      }
    }
  }

  /// The directories that are ours alone, with everything directly in them: the library and its copies, the log. A
  /// directory of downloads that the listener chose elsewhere is the listener's matter.
  var ownerOnly: [String] {
    [data, state, cache, data + "/backups"] + (downloads.hasPrefix(data + "/") ? [downloads] : [])
  }

  /// An older Earshot, or a copy, may have left files that others can read.
  private func tighten() {
    for directory in ownerOnly {
      if directory == downloads || directory == cache {
        OwnerOnly.tighten(directory)
      } else {
        OwnerOnly.tightenContents(of: directory)
      }
    }
  }
}

extension Error {
  /// What the system said, without the words of Foundation around it.
  fileprivate var posixReason: String {
    let error = self as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    guard let code = [error, underlying].compactMap({ $0 }).first(where: { $0.domain == NSPOSIXErrorDomain })?.code
    else {
      return localizedDescription
    }
    return String(cString: strerror(Int32(code)))
  }
}

/// Why the program cannot begin, or a verb cannot be done; the texts are made here, the exit status is in `ExitStatus`.
enum SetupError: Error, Equatable, CustomStringConvertible {
  case cannotCreate(String, String)
  case configuration([ConfigurationProblem])
  case library(String)
  case terminal(String)

  var description: String {
    switch self {
    case .cannotCreate(let directory, let reason): "cannot create \(directory): \(reason)"
    case .configuration(let problems): problems.map(\.description).joined(separator: "\n")
    case .library(let reason): reason
    case .terminal(let reason): reason
    }
  }
}
