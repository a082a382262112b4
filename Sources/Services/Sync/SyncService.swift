import Foundation
import HTTP
import Model
import Programs
import Store
import Sync
import SyncBackends

/// Runs syncs, with the library, the back end of the sync account, and the account's password.
package struct SyncService: Sendable {
  let library: Library
  /// Minutes between two syncs that the player starts by itself; 0: none.
  let every: Double
  private let transcripts: Bool
  private let passwords: SyncPassword.Source
  private let client: HTTPClient
  private let clock: @Sendable () -> Date

  package init(
    library: Library, every: Double, transcripts: Bool = false, passwords: SyncPassword.Source, client: HTTPClient,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.every = every
    self.transcripts = transcripts
    self.passwords = passwords
    self.client = client
    self.clock = clock
  }

  package struct Options: Sendable {
    /// Reports what would be done, and changes nothing.
    package var isDryRun: Bool
    /// Pulls everything, not only what is new since the last sync.
    package var isFull: Bool
    /// Unsubscribes from what other devices removed, although it is most of the library.
    package var acceptsRemovals: Bool
    /// If the removal of podcasts was held back, adds them on the other devices again.
    package var refusesRemovals: Bool
    /// Seconds to wait while another process syncs the same library.
    package var lockTimeout: Double

    package init(
      isDryRun: Bool = false, isFull: Bool = false, acceptsRemovals: Bool = false, refusesRemovals: Bool = false,
      lockTimeout: Double = 0
    ) {
      self.isDryRun = isDryRun
      self.isFull = isFull
      self.acceptsRemovals = acceptsRemovals
      self.refusesRemovals = refusesRemovals
      self.lockTimeout = lockTimeout
    }
  }

  /// The result of one run.
  package struct Outcome: Sendable {
    package var account: SyncAccount
    package var report: SyncRun.Report
    /// The number of pulled actions for episodes that the library does not have yet.
    package var waiting = 0
    /// Titles of the podcasts whose removal was held back.
    package var held: [String] = []
    package var at: Date
    /// Episodes whose status or position changed in this library.
    var changed: Set<EpisodeID> = []
    /// Podcasts that a sync added and whose feeds were never fetched.
    package var newPodcasts: [PodcastID] = []
  }

  /// Seconds between two syncs that pull everything. A device that was offline for long may send changes that are older
  /// than what a normal sync asks for.
  private static let fullInterval = 7 * 86_400.0

  /// Syncs once. Throws when the run cannot start. Errors during the run are in `Outcome.report`.
  package func run(_ options: Options = Options()) async throws(SyncError) -> Outcome {
    let lock = try await acquireLock(timeout: options.lockTimeout)
    defer { withExtendedLifetime(lock) {} }
    // The process that had the lock may have changed the account.
    guard var account = try stored({ () throws(StoreError) in try library.syncAccount() }) else {
      throw .setup(SyncText.notSetUp)
    }
    let now = clock()
    // The decision of the listener is only stored here, so it counts even if nothing can be sent yet.
    if options.refusesRemovals, !options.isDryRun {
      try stored { () throws(StoreError) in try library.refuseSyncRemovals() }
    }
    if let end = account.pauseEnd(at: now) { throw .rateLimited(server: account.shownServer, until: end) }
    if !account.isUnited, !options.isDryRun {
      _ = try stored { () throws(StoreError) in try library.backUp(now: now) }
    }
    let isDue = account.lastFull.map { now.timeIntervalSince($0) > Self.fullInterval || $0 > now } ?? true
    let isFull = options.isFull || isDue
    let backend: any AccountBackend
    do throws(SyncError) {
      backend = options.isDryRun ? try self.backend(of: account) : try await claimed(&account)
    } catch {
      try keepPause(error, of: account)
      throw error
    }
    let run = SyncRun(
      backend: backend, isFirstSync: !account.isUnited, isFull: isFull, acceptsRemovals: options.acceptsRemovals,
      isDryRun: options.isDryRun
    ) { [clock] in clock().timeIntervalSince1970 }
    let sync = LibrarySync(library: library, server: account.shownServer, takesTranscripts: transcripts)
    let report = await run.perform(on: sync)
    for error in report.errors { try keepPause(error, of: account) }
    if !options.isDryRun {
      try stored { () throws(StoreError) in
        try library.finishSync(
          error: report.errors.first.map { "\($0)" }, notice: report.notice, wasFull: isFull, now: clock())
      }
    }
    let backlog = try stored { () throws(StoreError) in try library.syncBacklog() }
    let unknown = try stored { () throws(StoreError) in try library.podcastsNeverFetched() }
    let fresh = sync.newPodcasts + unknown.filter { !sync.newPodcasts.contains($0) }
    return Outcome(
      account: account, report: report, waiting: backlog.waiting, held: backlog.held, at: now,
      changed: sync.changedEpisodes, newPodcasts: options.isDryRun ? [] : fresh)
  }

  /// Allows one sync of a library at a time, across processes.
  /// - Parameter timeout: seconds to wait for another process.
  private func acquireLock(timeout: Double) async throws(SyncError) -> FileLock {
    let file = library.path + ".sync"
    let end = ContinuousClock.now + .seconds(timeout)
    while true {
      let outcome: FileLock.Outcome
      do throws(POSIXError) { outcome = try FileLock.acquire(file) } catch {
        throw .file(path: file, cause: FileFailure.text(error))
      }
      if case .held(let lock) = outcome { return lock }
      guard ContinuousClock.now < end else { throw .library("another Earshot is syncing") }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  /// Stores until when the server wants no requests.
  private func keepPause(_ error: SyncError, of account: SyncAccount) throws(SyncError) {
    guard case .rateLimited(_, let until) = error else { return }
    try stored { () throws(StoreError) in try library.pauseSync(of: account, until: until, now: clock()) }
  }

  /// - Parameter password: nil: the stored one.
  private func backend(of account: SyncAccount, password: String? = nil) throws(SyncError) -> any AccountBackend {
    guard let backend = account.backend else {
      throw .setup("this Earshot cannot sync with a server of the kind “\(account.kind)”")
    }
    var own = BackendAccount(
      server: account.server, user: account.user, device: account.device, deviceName: account.deviceName,
      library: library.deviceID)
    if account.isWebDAV {
      own.server = copyOfServer
      own.mirror = WebDAVFolder(
        transport: try transport(of: account, password: password), directory: own.server, device: account.device)
    }
    return try backend.init(own) { () throws(SyncError) in try transport(of: account, password: password) }
  }

  /// Where the copy of a folder on a server is.
  private var copyOfServer: String { library.path + ".webdav" }

  private func transport(of account: SyncAccount, password: String? = nil) throws(SyncError) -> CurlTransport {
    let stored = SyncPassword(server: account.server, user: account.user, source: passwords)
    let password = if let password { password } else { try stored.read() }
    return try CurlTransport(
      base: account.server, login: (account.user, password), client: client,
      allowsHTTP: account.allowsHTTP)
  }

  private func stored<T>(_ body: () throws(StoreError) -> T) throws(SyncError) -> T {
    do throws(StoreError) { return try body() } catch { throw .library(error.description) }
  }

  // MARK: Login and logout

  /// What the listener gave to `earshot sync login`.
  package struct Login: Sendable {
    var url: String
    var user: String?
    /// Nil: it is detected.
    var backend: (any AccountBackend.Type)?
    var device: String?
    var allowsHTTP: Bool

    package init(url: String, user: String?, backend: (any AccountBackend.Type)?, device: String?, allowsHTTP: Bool) {
      self.url = url
      self.user = user
      self.backend = backend
      self.device = device
      self.allowsHTTP = allowsHTTP
    }
  }

  /// Sets up sync with a folder. Creates the folder if its parent exists.
  package func logIn(
    _ backend: any AccountBackend.Type, path: String, device: String?
  ) async throws(SyncError) -> SyncAccount {
    let path = URL(fileURLWithPath: HomePath.expanding(path)).standardizedFileURL.path
    var account = account(backend, server: path, user: "", device: device, allowsHTTP: false)
    try await chooseDevice(&account).login()
    try stored { () throws(StoreError) in try library.setSyncAccount(account) }
    return account
  }

  /// Sets up sync with a server or with a folder.
  /// - Parameters:
  ///   - password: asks the listener for user and password. Called for servers without Nextcloud's login.
  ///   - show: shows and opens the web page where the listener grants access.
  /// - Returns: the account, and a sentence that says where its password is stored; nil if it has none.
  package func logIn(
    _ login: Login, password: @Sendable () throws(SyncError) -> (user: String, password: String)?,
    show: @Sendable (String) -> Void
  ) async throws(SyncError) -> (SyncAccount, storedWhere: String?) {
    if let (backend, path) = BackendTable.path(in: login.url) {
      guard !path.isEmpty else { throw .setup("“\(login.url)” names no folder: write \(backend.kind):PATH") }
      return (try await logIn(backend, path: path, device: login.device), nil)
    }
    let root = ServerProbe.address(login.url)
    let anonymous = try CurlTransport(
      base: root, login: nil, client: client, allowsHTTP: login.allowsHTTP)
    let backend: any AccountBackend.Type =
      if ServerProbe.webDAV(login.url) != nil {
        FolderBackend.self
      } else if let backend = login.backend { backend } else { try await ServerProbe.backend(for: anonymous) }
    if backend.login == .browser, login.user == nil {
      let grant = try await grant(anonymous, show: show)
      let account = account(
        backend, server: ServerProbe.root(grant.server), user: grant.user, device: login.device,
        allowsHTTP: login.allowsHTTP)
      do throws(SyncError) { return try await finish(account, password: grant.password) } catch {
        // Nobody knows this app password, so nobody would revoke it later. The cause of the failure is more important
        // than that of a failed revocation.
        try? await self.backend(of: account, password: grant.password).logOut()
        throw error
      }
    }
    guard let (user, password) = try password() else {
      throw .setup("a user name and a password are needed: --user, and EARSHOT_SYNC_PASSWORD or the standard input")
    }
    let account = account(
      backend, server: root, user: user, device: login.device, allowsHTTP: login.allowsHTTP)
    return try await finish(account, password: password)
  }

  private func account(
    _ backend: any AccountBackend.Type, server: String, user: String, device: String?, allowsHTTP: Bool
  ) -> SyncAccount {
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    let name = device ?? (host.isEmpty ? "this computer" : String(host))
    return SyncAccount(
      kind: backend.kind, server: server, user: user,
      device: Self.deviceID(device ?? "earshot-\(host)", library: String(library.deviceID.prefix(6))), deviceName: name,
      allowsHTTP: allowsHTTP)
  }

  /// An id that no other device has: the name without the characters that servers refuse, and the library's id. A name
  /// alone would not do, because two devices may have the same.
  static func deviceID(_ name: String, library: String) -> String {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    let words = name.split { !allowed.contains($0) }.joined(separator: "-").drop { $0 == "-" }.prefix(50)
    return (words.isEmpty ? "earshot" : words) + "-" + library
  }

  /// An id for a device whose id belongs to another library.
  private func otherDevice(than account: SyncAccount) -> String {
    let id = Self.deviceID(account.deviceName, library: String(library.deviceID.prefix(6)))
    return id == account.device ? Self.deviceID(account.deviceName, library: library.deviceID) : id
  }

  /// The back end of a run. If the directory of this device belongs to another library, this device takes another id.
  private func claimed(_ account: inout SyncAccount) async throws(SyncError) -> any AccountBackend {
    let backend = try backend(of: account)
    guard try await !backend.claimDevice() else { return backend }
    account.device = otherDevice(than: account)
    let device = account.device
    try stored { () throws(StoreError) in try library.changeSyncDevice(device) }
    return try self.backend(of: account)
  }

  /// Checks the password with the server, then stores the password and the account.
  private func finish(
    _ account: SyncAccount, password: String
  ) async throws(SyncError) -> (SyncAccount, storedWhere: String?) {
    var account = account
    let old = try stored { () throws(StoreError) in try library.syncAccount() }
    let isOther = old.map { ($0.server, $0.user) != (account.server, account.user) } ?? true
    if isOther { try? FileManager.default.removeItem(atPath: copyOfServer) }
    try await chooseDevice(&account, password: password).login()
    if isOther, let old { SyncPassword(server: old.server, user: old.user, source: passwords).forget() }
    let storedWhere = try SyncPassword(server: account.server, user: account.user, source: passwords).store(password)
    try stored { () throws(StoreError) in try library.setSyncAccount(account) }
    return (account, storedWhere)
  }

  /// Gives the account the id of this device. A device keeps its id, because its directory in a folder has its changes.
  /// - Returns: the back end of the account, which remembers what it has listed.
  private func chooseDevice(
    _ account: inout SyncAccount, password: String? = nil
  ) async throws(SyncError) -> any AccountBackend {
    let given = account.device
    var backend = try backend(of: account, password: password)
    let old = try stored { () throws(StoreError) in try library.syncAccount() }
    if let known = try await backend.ownDevice() {
      account.device = known
    } else if account.backend?.login == .path, let old, (old.kind, old.server) == (account.kind, account.server) {
      account.device = old.device
    }
    if account.device != given { backend = try self.backend(of: account, password: password) }
    if try await !backend.claimDevice() {
      account.device = otherDevice(than: account)
      backend = try self.backend(of: account, password: password)
    }
    return backend
  }

  /// The password that need not be typed; nil if there is none.
  func givenPassword(url: String, user: String) throws(SyncError) -> String? {
    try SyncPassword(server: ServerProbe.address(url), user: user, source: passwords).given()
  }

  /// Waits until the listener has granted access in the browser.
  private func grant(
    _ transport: CurlTransport, show: @Sendable (String) -> Void
  ) async throws(SyncError) -> NextcloudLogin.Grant {
    let login = try await NextcloudLogin(transport: transport)
    show(login.link)
    return try await login.granted()
  }

  /// What the server of the account says about itself, cleaned. Nil: nothing, or it is a folder.
  package func software(of account: SyncAccount) async -> ServerSoftware? {
    var found: ServerSoftware?
    if account.isWebDAV {
      // The path of Nextcloud and ownCloud.
      guard let end = account.server.range(of: "/remote.php/"),
        let transport = try? CurlTransport(
          base: String(account.server[..<end.lowerBound]), login: nil, client: client, allowsHTTP: account.allowsHTTP)
      else { return nil }
      found = await ServerSoftware.cloud(transport)
    } else {
      found = await (try? backend(of: account))?.software()
    }
    func cleaned(_ text: String) -> String {
      UntrustedText.cleaned(text).prefix(60).trimmingCharacters(in: .whitespaces)
    }
    return found.flatMap { software in
      let name = cleaned(software.name)
      return name.isEmpty ? nil : ServerSoftware(name: name, version: software.version.map(cleaned))
    }
  }

  /// Ends sync. The data stays on the server and in this library.
  /// - Returns: why the server could not revoke the app password; nil if it did, or if there was none.
  package func logOut() async throws(SyncError) -> SyncError? {
    guard let account = try stored({ () throws(StoreError) in try library.syncAccount() }) else { return nil }
    var failure: SyncError?
    if account.backend?.login == .browser {
      do throws(SyncError) { try await backend(of: account).logOut() } catch { failure = error }
    }
    SyncPassword(server: account.server, user: account.user, source: passwords).forget()
    try? FileManager.default.removeItem(atPath: copyOfServer)
    try stored { () throws(StoreError) in try library.setSyncAccount(nil) }
    return failure
  }
}

extension SyncAccount {
  /// The folder is on a server.
  var isWebDAV: Bool { backend?.login == .path && !server.hasPrefix("/") }

  /// The server as messages show it: the host with its path, or the folder.
  package var shownServer: String {
    server.hasPrefix("/") ? server : server.replacing(/^https?:\/\//, with: "")
  }
}
