import ArgumentParser
import Foundation
import Model
import Services
import Store
import Sync
import SyncBackends

/// `earshot sync`: keeps the listener's data the same on all devices.
struct SyncVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Keep your data the same on every device.",
    discussion: """
      Syncs subscriptions and listening positions with a gpodder server, or with a Nextcloud that has the app gPodder \
      Sync. A folder that is copied between devices (Syncthing, a USB stick) also syncs the queue, playlists, clips, \
      tags and settings:

        earshot sync login https://gpodder.example
        earshot sync login folder:~/Sync/podcasts
        earshot sync login webdav:https://cloud.example/remote.php/dav/files/me/earshot
      """,
    subcommands: [SyncRunVerb.self, SyncLoginVerb.self, SyncStatusVerb.self, SyncLogoutVerb.self],
    defaultSubcommand: SyncRunVerb.self)
}

/// `earshot sync`: syncs now.
struct SyncRunVerb: LibraryVerb {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Sync now (the default).")

  @Flag(help: "Show what a sync would do, and change nothing.")
  var dryRun = false

  @Flag(help: "Request everything, not only what is new.")
  var full = false

  @Flag(help: "Unsubscribe from the podcasts that other devices removed, even if these are most of yours.")
  var acceptRemovals = false

  @Flag(
    help: "Keep the podcasts that other devices removed, if these are most of yours, and add them on the server again.")
  var refuseRemovals = false

  @OptionGroup var output: JSONOption

  func validate() throws {
    if acceptRemovals, refuseRemovals { throw ValidationError("--accept-removals or --refuse-removals, not both.") }
  }

  /// The maximum number of new podcasts whose feeds are fetched at once. More are left to the next refresh, because
  /// they take too long.
  private static let refreshLimit = 100

  func perform(_ context: VerbContext) throws {
    let service = SyncService(library: context.library, context.configuration)
    let options = SyncService.Options(
      isDryRun: dryRun, isFull: full, acceptsRemovals: acceptRemovals, refusesRemovals: refuseRemovals, lockTimeout: 60)
    var outcome = try Blocking.run { () async throws(SyncError) in try await service.run(options) }
    outcome.report.pulled.episodes += fetchNew(outcome, context)
    outcome.waiting = try context.library.syncBacklog().waiting
    let (pulled, pushed) = (outcome.report.pulled, outcome.report.pushed)
    let errors = outcome.report.errors.map { "\($0)" } + outcome.report.problems
    if output.json {
      let received: JSONObject = [
        "subscribed": pulled.subscribed, "unsubscribed": pulled.unsubscribed,
        "episodes": pulled.episodes + pulled.registers,
      ]
      let sent: JSONObject = [
        "subscribed": pushed.subscribed, "unsubscribed": pushed.unsubscribed,
        "actions": pushed.episodes + pushed.registers,
      ]
      let account = outcome.account
      try Report.json(
        [
          "server": account.server, "kind": account.kind, "device": account.device, "at": outcome.at,
          "pulled": received, "pushed": sent, "waiting": outcome.waiting, "held": outcome.held.count, "errors": errors,
        ] as JSONObject)
    } else if outcome.report.isComplete || pulled != SyncChanges() || pushed != SyncChanges() {
      Report.line(SyncText.summary(outcome, isDryRun: dryRun))
    }
    for error in errors { Report.message(error) }
    if !outcome.held.isEmpty { Report.message(SyncText.held(outcome.held)) }
    try context.library.close()
    if let error = outcome.report.errors.first { throw Report.status(of: error).error }
  }

  /// Fetches the feeds of new podcasts.
  /// - Returns: how many of their episodes got a status or a position that the server had.
  private func fetchNew(_ outcome: SyncService.Outcome, _ context: VerbContext) -> Int {
    let podcasts = outcome.newPodcasts
    guard !podcasts.isEmpty else { return 0 }
    guard podcasts.count <= Self.refreshLimit else {
      Report.message("\(podcasts.count) podcasts are new here. Run “earshot refresh” to fetch them.")
      return 0
    }
    let refresher = context.refresher
    // The list of podcasts shows a failed feed, and the next refresh tries again.
    return Blocking.run { await refresher.refresh(podcasts) { _ in } }.synced
  }
}

/// `earshot sync login`: sets up sync.
struct SyncLoginVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Set up sync.",
    discussion: """
      Earshot asks for the password, or takes it from the first line of standard input, from EARSHOT_SYNC_PASSWORD, or \
      from the command in “password_command”. A Nextcloud opens a page in the browser instead, unless you use --user.
      """)

  @Argument(help: "The server's address, webdav:ADDRESS of a folder on a server, or folder:PATH.")
  var url: String

  @Option(help: "Your name on the server.")
  var user: String?

  private static let kinds = BackendTable.servers.map { $0.kind }

  @Option(help: "\(SyncLoginVerb.kinds.joined(separator: " or ")); by default Earshot finds out.")
  var kind: String?

  @Option(help: "The name of this device on other devices.")
  var device: String?

  @Flag(help: "Allow http, although everybody on the network can then read the password.")
  var allowHTTP = false

  @OptionGroup var output: JSONOption

  func validate() throws {
    if let kind, !Self.kinds.contains(kind) {
      throw ValidationError("--kind is \(Self.kinds.joined(separator: " or ")).")
    }
    if let (backend, path) = BackendTable.path(in: url), path.isEmpty {
      throw ValidationError("“\(url)” names no folder: write \(backend.kind):PATH.")
    }
    // The name of a folder must not be sent to a server that happens to have this name.
    var isFolder: ObjCBool = false
    if ["/", "./", "../", "~"].contains(where: url.hasPrefix)
      || FileManager.default.fileExists(atPath: url, isDirectory: &isFolder) && isFolder.boolValue
    {
      throw ValidationError(
        "“\(url)” names a folder on this machine: write folder:\(url), or begin the address of a server with https://.")
    }
  }

  func perform(_ context: VerbContext) throws {
    let service = SyncService(library: context.library, context.configuration)
    let (account, kept) = try logIn(service, context.configuration)
    let software = Blocking.run { await service.software(of: account) }
    if output.json {
      try Report.json(
        [
          "server": account.server, "kind": account.kind, "software": software?.name, "version": software?.version,
          "user": account.user, "device": account.device,
        ] as JSONObject)
    } else {
      let user = account.user.isEmpty ? "" : " as \(account.user)"
      let found = software.map { " (\([$0.name, $0.version].compactMap { $0 }.joined(separator: " ")))" } ?? ""
      Report.line("Sync is set up with \(account.shownServer)\(found)\(user); this device is “\(account.deviceName)”")
      Report.line("Run “earshot sync” to combine what is here and there. It makes a backup first.")
    }
    if let kept { Report.message("the password: \(kept)") }
    if let note = context.configuration.discover.note(onSyncWith: account.server, kind: account.kind) {
      Report.message(note)
    }
    try context.library.close()
  }

  /// - Returns: the account, and a sentence that says where its password is stored; nil if it has none.
  private func logIn(_ service: SyncService, _ configuration: Configuration) throws -> (SyncAccount, String?) {
    let inAddress = ServerProbe.userInfo(url)
    let typed = user ?? inAddress.user
    let login = SyncService.Login(
      url: url, user: typed, backend: kind.flatMap(BackendTable.backend), device: device, allowsHTTP: allowHTTP)
    let root = ServerProbe.address(url)
    return try Blocking.run { () async throws(SyncError) -> (SyncAccount, String?) in
      let (account, kept) = try await service.logIn(login) { () throws(SyncError) in
        guard let user = typed ?? PasswordInput.askName("User name: "), !user.isEmpty else { return nil }
        let given = try SyncPassword(server: root, user: user, source: SyncPassword.Source(configuration)).given()
        let password = given ?? inAddress.password ?? PasswordInput.ask("Password of \(user): ")
        guard let password, !password.isEmpty else { return nil }
        return (user, password)
      } show: { link in
        Report.message("grant access at \(link)")
        LinkOpener.openQuietly(link)
      }
      return (account, kept)
    }
  }
}

/// `earshot sync status`: prints the state of sync.
struct SyncStatusVerb: LibraryVerb {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the state of sync.")

  @OptionGroup var output: JSONOption

  func perform(_ context: VerbContext) throws {
    let backlog = try context.library.syncBacklog()
    let account = try context.library.syncAccount()
    let devices = try context.library.syncDevices()
    if output.json {
      let waitingFor = backlog.waitingFor.map { ["podcast": $0.title, "actions": $0.actions] as JSONObject }
      try Report.json(
        [
          "server": account?.server, "kind": account?.kind, "user": account?.user, "device": account?.device,
          "lastRun": account?.lastRun, "lastSuccess": account?.lastSuccess, "error": account?.lastError,
          "waiting": backlog.waiting, "held": backlog.held.count, "unsent": backlog.unsent, "notice": account?.notice,
          "waitingFor": waitingFor, "devices": devices,
        ] as JSONObject)
    } else {
      for line in SyncText.status(account, backlog, devices: devices) { Report.line(line) }
    }
  }
}

/// `earshot sync logout`: ends sync. Nothing is deleted.
struct SyncLogoutVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Stop syncing. All data stays, here and on the server.")

  @OptionGroup var output: JSONOption

  func perform(_ context: VerbContext) throws {
    let account = try context.library.syncAccount()
    try Self.logOut(context.library, context.configuration)
    if output.json {
      try Report.json(account.map { ["server": $0.server] } ?? [:])
    } else {
      Report.line(account.map { "Sync with \($0.shownServer) has ended" } ?? "Sync was not set up")
    }
    try context.library.close()
  }

  static func logOut(_ library: Library, _ configuration: Configuration) throws {
    let service = SyncService(library: library, configuration)
    let failure = try Blocking.run { () async throws(SyncError) in try await service.logOut() }
    if let failure { Report.message("the app password could not be given back: \(failure)") }
  }
}
