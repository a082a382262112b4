import Foundation

/// The directory of the control sockets. Each player has one socket. Only the owner can enter the directory.
public struct ControlDirectory: Sendable, Equatable {
  public let path: String

  /// The directory below `$XDG_RUNTIME_DIR` (XDG Base Directory Specification 0.8), else below `state`.
  public init(state: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      path = runtime + "/earshot"
    } else {
      path = state + "/run"
    }
  }

  init(path: String) { self.path = path }

  func socket(of process: Int32) -> String { "\(path)/\(process).sock" }

  /// The processes that have a socket, highest number first. Some may have ended.
  func processes() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { $0.hasSuffix(".sock") ? Int32($0.dropLast(5)) : nil }.sorted(by: >)
  }

  /// Creates the directory, or checks that it is only ours. In a shared place another user may have created it.
  func prepare() throws(DesktopError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .cannotListen(path, reason: error.localizedDescription) }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw .unsafeDirectory(path)
    }
    guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw .unsafeDirectory(path) }
  }

  /// Removes the sockets of processes that have ended, also those without their final name (`UnixSocket.listen`).
  func removeStaleSockets() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasSuffix(".sock") || name.hasSuffix(".soc~") {
      if let process = Int32(name.dropLast(5)), kill(process, 0) != 0, errno == ESRCH { unlink("\(path)/\(name)") }
    }
  }
}
