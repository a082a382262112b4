import Foundation
import Model

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

  /// The ends of the names of sockets: while one listens, and before (`UnixSocket.listen`).
  private static let (listening, temporary) = (".sock", ".soc~")

  func socket(of process: Int32) -> String { path(of: process, Self.listening) }

  private func path(of process: Int32, _ end: String) -> String { "\(path)/\(process)\(end)" }

  /// The processes that have a socket, highest number first. Some may have ended.
  func processes() -> [Int32] { processes(Self.listening) }

  private func processes(_ end: String) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { $0.hasSuffix(end) ? Int32($0.dropLast(end.count)) : nil }.sorted(by: >)
  }

  /// Creates the directory, or checks that it is only ours. In a shared directory another user may have created it.
  func prepare() throws(DesktopError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .cannotListen(path, reason: FileFailure.text(error)) }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw .unsafeDirectory(path)
    }
    guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw .unsafeDirectory(path) }
  }

  /// Removes the sockets of processes that have ended.
  func removeStaleSockets() {
    for end in [Self.listening, Self.temporary] {
      for process in processes(end) where kill(process, 0) != 0 && errno == ESRCH { unlink(path(of: process, end)) }
    }
  }
}
