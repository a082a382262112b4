import Foundation
import Model

/// Files installed with the program: themes and the welcome podcast. They are searched for relative to the executable,
/// so that an installation can be moved: `../share/earshot`, then the build and source tree. SwiftPM's `Bundle.module`
/// would end the process if a bundle is not where it was built.
package struct Resources: Sendable {
  /// The address of the built-in podcast. Addresses of its files begin with it.
  package static let welcomeAddress = "earshot:welcome"

  /// Whether an address belongs to a file that comes with the program.
  package static func isBuiltIn(_ address: String) -> Bool { address.hasPrefix("earshot:") }

  /// The path of the running program.
  package let executable: String
  /// Podcasts that are folders. Nil: their files are not found.
  package var folders: FolderFiles?

  package init(executable: String = Resources.currentExecutable) { self.executable = executable }

  package var themes: [String] { ancestors("share/earshot/themes", "themes") }

  /// The directory of the welcome podcast; nil if the resources are not installed.
  var welcome: String? {
    let beside = (executable as NSString).deletingLastPathComponent + "/earshot_TUIApp.resources/welcome"
    return (ancestors("share/earshot/welcome") + [beside]).first(where: Self.isDirectory)
  }

  /// The file of an `earshot:welcome/NAME` address, or of a podcast that is a folder. Nil for other addresses, and for
  /// names with a directory.
  package func file(of address: String) -> String? {
    if FolderAddress.isLocal(address) { return folders?.file(of: address) }
    let prefix = Self.welcomeAddress + "/"
    guard address.hasPrefix(prefix), let welcome else { return nil }
    let name = address.dropFirst(prefix.count)
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    return "\(welcome)/\(name)"
  }

  /// The existing paths of these relatives under the directories above the executable.
  private func ancestors(_ relatives: String...) -> [String] {
    var found: [String] = []
    var directory = (executable as NSString).deletingLastPathComponent
    for _ in 0..<5 where directory.count > 1 {
      for relative in relatives {
        let path = directory + "/" + relative
        // A directory "themes" only counts in a source tree.
        let isOurs =
          relative.hasPrefix("share/") || FileManager.default.fileExists(atPath: directory + "/Package.swift")
        if isOurs, Self.isDirectory(path), !found.contains(path) { found.append(path) }
      }
      directory = (directory as NSString).deletingLastPathComponent
    }
    return found
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  static var currentExecutable: String {
    #if os(Linux)
      if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}
