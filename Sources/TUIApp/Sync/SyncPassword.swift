import Desktop
import Foundation
import Sync

/// Where the password of the sync server is. Never in the database, a log, a process list or an error.
///
/// Asked in this order: `EARSHOT_SYNC_PASSWORD`, the configuration's `password_command`, the desktop's secret service, a
/// file that only its owner can read.
struct SyncPassword: Sendable {
  var server: String
  var user: String
  var file: String
  var command: String?
  var environment: [String: String] = ProcessEnvironment.variables

  init(server: String, user: String, configuration: Configuration) {
    self.server = server
    self.user = user
    file = configuration.directories.data + "/sync-password"
    command = configuration.sync.passwordCommand
  }

  private var attributes: [String: String] {
    ["xdg:schema": "org.earshot.Sync", "application": "earshot", "server": server, "user": user]
  }

  /// What needs no keeping; nil: there is nothing of the kind.
  func given() throws(SyncError) -> String? {
    if let password = environment["EARSHOT_SYNC_PASSWORD"], !password.isEmpty { return password }
    guard let command else { return nil }
    return try run(command)
  }

  func read() throws(SyncError) -> String {
    if let given = try given() { return given }
    if let kept = (try? SecretService().find(attributes)) ?? nil { return kept }
    if let kept = try readFile() { return kept }
    throw .unauthorized(server: server)
  }

  /// Keeps a password that was typed.
  /// - Returns: where, for people.
  func keep(_ password: String) throws(SyncError) -> String {
    if command != nil, let given = try given(), given == password { return "password_command gives it" }
    if (try? SecretService().store(password, label: "Earshot: sync with \(server)", attributes: attributes)) != nil {
      removeFile()
      return "the desktop's secret service keeps it"
    }
    try writeFile(password)
    return "\(file) keeps it, which only you can read"
  }

  func forget() {
    // A service that is not there keeps nothing.
    try? SecretService().remove(attributes)
    removeFile()
  }

  // MARK: The file: server, user and password, a line each

  private func readFile() throws(SyncError) -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    guard info.st_mode & 0o077 == 0 else {
      throw .setup("\(file) can be read by others; chmod 600 makes it yours alone")
    }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0] == server, lines[1] == user else { return nil }
    return lines[2].hasSuffix("\n") ? String(lines[2].dropLast()) : String(lines[2])
  }

  private func writeFile(_ password: String) throws(SyncError) {
    let temporary = file + ".part"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(path: file, cause: String(cString: strerror(errno))) }
    let bytes = Array("\(server)\n\(user)\n\(password)\n".utf8)
    let count = Foundation.write(descriptor, bytes, bytes.count)
    let isWritten = count == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(temporary, file) == 0 else {
      let cause = String(cString: strerror(errno))
      unlink(temporary)
      throw .file(path: file, cause: cause)
    }
  }

  private func removeFile() { unlink(file) }

  // MARK: The command

  private func run(_ command: String) throws(SyncError) -> String {
    do throws(SecretCommand.Failure) {
      return try SecretCommand.run(command)
    } catch {
      switch error {
      case .notStarted: throw .setup("[sync] password_command cannot be run")
      case .status(let status): throw .setup("[sync] password_command failed with status \(status)")
      case .silent: throw .setup("[sync] password_command says nothing")
      }
    }
  }
}

/// Asks for a password on the terminal, without showing it; else takes the first line of the standard input.
enum PasswordPrompt {
  /// Typed unseen on a terminal, else the next line of standard input; nil when there is none, or typing was called off.
  static func ask(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
    return try? PasswordInput.typed(text)
  }

  static func askName(_ text: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    Report.progress(text)
    return readLine(strippingNewline: true)
  }
}
