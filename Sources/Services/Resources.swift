import Foundation

/// What is installed beside the program: themes and the welcome podcast. Looked for relative to the executable, so
/// that a tree can be moved: `../share/earshot` of an installation, then the build and source tree. SwiftPM's own
/// `Bundle.module` ends the process when a bundle is not where it was built.
package struct Resources: Sendable {
  /// The address of the built-in podcast, and the beginning of the addresses of its files.
  package static let welcomeAddress = "earshot:welcome"

  /// Whether an address names something that comes with the program: no server has it.
  package static func isBuiltIn(_ address: String) -> Bool { address.hasPrefix("earshot:") }

  let executable: String

  package init(executable: String = Resources.currentExecutable) { self.executable = executable }

  package var themes: [String] { ancestors("share/earshot/themes", "themes") }

  /// The directory of the welcome podcast; nil when the program stands alone.
  var welcome: String? {
    let beside = (executable as NSString).deletingLastPathComponent + "/earshot_TUIApp.resources/welcome"
    return (ancestors("share/earshot/welcome") + [beside]).first(where: Self.isDirectory)
  }

  /// The file behind an `earshot:welcome/NAME` address; nil for any other address and for names that lead elsewhere.
  package func file(of address: String) -> String? {
    let prefix = Self.welcomeAddress + "/"
    guard address.hasPrefix(prefix), let welcome else { return nil }
    let name = address.dropFirst(prefix.count)
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    return "\(welcome)/\(name)"
  }

  /// `relative` under each directory above the executable, where it exists.
  private func ancestors(_ relatives: String...) -> [String] {
    var found: [String] = []
    var directory = (executable as NSString).deletingLastPathComponent
    for _ in 0..<5 where directory.count > 1 {
      for relative in relatives {
        let path = directory + "/" + relative
        // "themes" alone is only ours in a source tree.
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
