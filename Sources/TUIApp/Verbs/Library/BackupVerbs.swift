import ArgumentParser
import Foundation
import Model
import Services
import Store
import TerminalKit

extension Backup {
  fileprivate var line: String {
    "\(MinuteText.text(date).leftPadded(17))  \(String(bytes / 1024).leftPadded(8)) kB  \(path)"
  }
}

/// `earshot backup`: copies the library. A player may be running.
struct BackupVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the library, or list its backups.",
    discussion: """
      Without a file, the copy is stored with the daily backups of the player, in the directory “backups” next to the \
      library. All backups of the newest day are kept, one of each of the six days before it, and one of each of the \
      four weeks before these.
      """)

  @Argument(help: "The file to write; an existing file is only replaced with --force.", completion: .file())
  var file: String?
  @Flag(help: "List the backups instead of making one.") var list = false
  @Flag(help: "Replace an existing file.") var force = false
  @OptionGroup var output: JSONOption

  func validate() throws {
    guard !list || file == nil else { throw ValidationError("--list takes no file.") }
    // `list` is a command of queue, playlist, clip and tag.
    guard file != "list" else {
      throw ValidationError("--list lists the backups. To write a file of this name, say ./list.")
    }
  }

  func perform() throws {
    if list { return try showList() }
    let library = try VerbContext().library
    guard let file else {
      let backup = try library.backUp(now: Date())
      return output.json ? try Report.json(backup) : Report.line(backup.line)
    }
    try OutputFile.refuseExisting(file, unless: force)
    try library.backup(to: file)
    let bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int64 ?? 0
    let backup = Backup(path: file, date: Date(), bytes: bytes)
    if output.json { try Report.json(backup) } else { Report.line(backup.line) }
  }

  private func showList() throws {
    let configuration = try Configuration.loadForCommand()
    let backups = Library.backups(of: configuration.directories.database)
    if output.json { return try Report.json(backups) }
    for backup in backups { Report.line(backup.line) }
    if backups.isEmpty { Report.message("there are no backups yet") }
  }
}

/// `earshot restore`: replaces the library by a backup. The old library is kept beside it.
struct RestoreVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the library by a backup.",
    discussion: """
      The current library is kept under another name. No player may be running. If sync is set up, the next sync brings \
      back what other devices have. Earshot asks whether to end sync instead; without a terminal, --end-sync does it.
      """)

  @Argument(
    help: "A backup from `earshot backup --list`, or another copy; by default the newest valid backup with podcasts.",
    completion: .file())
  var backup: String?
  @Flag(help: "End sync, so that the restored state stays on this device.") var endSync = false
  @OptionGroup var output: JSONOption

  func perform() throws {
    let configuration = try Configuration.loadForCommand()
    try configuration.directories.create()
    let path = configuration.directories.database
    // Held until the end, so that no player opens the library that is being replaced.
    let lock: FileLock
    switch try PlayerLock.acquire(library: path) {
    case .held(let held): lock = held
    case .taken(let holder):
      let process = holder.map { " (process \($0))" } ?? ""
      throw ExitStatus.cannotWrite.error(saying: "a player is running\(process): quit it first")
    }
    if let backup, access(backup, R_OK) != 0 {
      throw ExitStatus.usage.error(saying: "\(backup) cannot be read: \(String(cString: strerror(errno)))")
    }
    let source = try self.backup ?? newest(path)
    let setAside = try Library.restore(source, to: path, now: Date())
    try keepRestored(path, configuration)
    withExtendedLifetime(lock) {}
    if output.json { return try Report.json(["backup": source, "setAside": setAside] as JSONObject) }
    Report.line("Restored \(source)")
    if let setAside { Report.message("the library that was there is kept as \(setAside)") }
  }

  /// Ends sync if the listener wants to keep the restored state.
  private func keepRestored(_ path: String, _ configuration: Configuration) throws {
    let library = try Library(path: path)
    defer { try? library.close() }
    guard let account = try library.syncAccount() else { return }
    if !endSync {
      Report.message(
        "sync is set up with \(account.shownServer): the next sync brings back what has changed since the backup")
      let answer = output.json ? nil : Report.confirms("End sync, so that the restored state stays on this device?")
      guard answer == true else {
        if answer == nil {
          Report.message("Run “earshot sync logout” before that to keep the restored state on this device.")
        }
        return
      }
    }
    try SyncLogoutVerb.logOut(library, configuration)
    Report.message("sync with \(account.shownServer) has ended")
  }

  private func newest(_ path: String) throws -> String {
    guard let backup = Library.newestGoodBackup(of: path, now: Date()) else {
      throw StoreError.unknown("backup that can be read; name a file")
    }
    return backup.path
  }
}
