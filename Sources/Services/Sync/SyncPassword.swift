import Desktop
import Foundation
import Model
import Sync

/// Stores and finds the password of the sync server. The password never gets into the database, a log, a process list
/// or an error message.
///
/// `read` looks in this order: `EARSHOT_SYNC_PASSWORD`, the configuration's `password_command`, the desktop's secret
/// service, a file that only its owner can read.
package struct SyncPassword: Sendable {
  /// What the program's configuration says about passwords.
  package struct Source: Sendable {
    /// The path of the password file.
    package var file: String
    /// `[sync] password_command` of the configuration.
    package var command: String?
    package var environment: [String: String]

    package init(file: String, command: String?, environment: [String: String]) {
      self.file = file
      self.command = command
      self.environment = environment
    }
  }

  private let server: String
  private let user: String
  private let source: Source

  package init(server: String, user: String, source: Source) {
    self.server = server
    self.user = user
    self.source = source
  }

  private var attributes: [String: String] {
    ["xdg:schema": "org.earshot.Sync", "application": "earshot", "server": server, "user": user]
  }

  /// The password from the environment or from `password_command`, which need not be stored; nil if neither is set.
  package func given() throws(SyncError) -> String? {
    if let password = source.environment["EARSHOT_SYNC_PASSWORD"], !password.isEmpty { return password }
    guard let command = source.command else { return nil }
    do throws(ReportedError) { return try SecretCommand.run(command) } catch {
      throw .setup("[sync] password_command \(error)")
    }
  }

  /// Throws `SyncError.unauthorized` when no password is stored.
  func read() throws(SyncError) -> String {
    if let given = try given() { return given }
    if let stored = SecretService.find(attributes) { return stored }
    if let stored = try readFile() { return stored }
    throw .unauthorized(server: server)
  }

  /// Stores a password that the listener typed: in the secret service, else in the file.
  /// - Returns: a sentence that says where it is stored.
  func store(_ password: String) throws(SyncError) -> String {
    if source.command != nil, let given = try given(), given == password { return "password_command gives it" }
    if SecretService.store(password, label: "Earshot: sync with \(server)", attributes: attributes) {
      unlink(source.file)
      return "the desktop's secret service keeps it"
    }
    try writeFile(password)
    return "\(source.file) keeps it, which only you can read"
  }

  func forget() {
    SecretService.remove(attributes)
    unlink(source.file)
  }

  // MARK: The file: three lines, which are the server, the user and the password

  private func readFile() throws(SyncError) -> String? {
    let descriptor = open(source.file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    guard info.st_mode & 0o077 == 0 else {
      throw .setup("\(source.file) can be read by others; run “chmod 600” on it to make it private")
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
    let file = source.file
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
}
