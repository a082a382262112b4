import Foundation
import HTTP
import Model
import Store
import Sync
import SyncBackends

/// Runs syncs: what connects the library, the back end that the account names, and its password.
struct SyncService: Sendable {
  let library: Library
  let configuration: Configuration
  let client: HTTPClient
  let clock: @Sendable () -> Date

  init(
    library: Library, configuration: Configuration, client: HTTPClient? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.configuration = configuration
    self.client = client ?? HTTPClient(options: .standard(configuration))
    self.clock = clock
  }

  struct Options: Sendable {
    var isDryRun = false
    var isFull = false
    var acceptsRemovals = false
    /// What others removed, and was held back, is added there again.
    var refusesRemovals = false
    /// Seconds to wait for another process that syncs.
    var patience = 0.0
  }

  /// How a run ended.
  struct Outcome: Sendable {
    var account: SyncAccount
    var report: SyncRun.Report
    var waiting = 0
    var held: [String] = []
    var at: Date
    /// Episodes whose status or position changed here.
    var changed: Set<EpisodeID> = []
    /// Podcasts that came, in this run or before, and whose feeds are still to be fetched.
    var newPodcasts: [PodcastID] = []
  }

  /// A device that was offline tells of things long past; what is older than the back end looks back is found by asking
  /// for all, so often. Seconds.
  private static let fullEvery = 7 * 86_400.0

  /// Throws when nothing could be begun. What fails on the way is in the report.
  func run(_ options: Options = Options()) async throws(SyncError) -> Outcome {
    guard let account = try stored({ () throws(StoreError) in try library.syncAccount() }) else {
      throw .setup("Sync is not set up: “earshot sync login URL” does that")
    }
    let lock = try await SyncLock(library: library.path, patience: options.patience)
    defer { lock.release() }
    let now = clock()
    if !account.isUnited, !options.isDryRun {
      _ = try stored { () throws(StoreError) in try library.backUp(now: now) }
    }
    if options.refusesRemovals, !options.isDryRun {
      try stored { () throws(StoreError) in try library.refuseSyncRemovals() }
    }
    let isDue = account.lastFull.map { now.timeIntervalSince($0) > Self.fullEvery || $0 > now } ?? true
    let isFull = options.isFull || isDue
    let backend = try backend(of: account)
    let run = SyncRun(
      backend: backend, isFirstSync: !account.isUnited, isFull: isFull, acceptsRemovals: options.acceptsRemovals,
      isDryRun: options.isDryRun
    ) { [clock] in clock().timeIntervalSince1970 }
    let sync = LibrarySync(library: library, server: account.shownServer)
    let report = await run.perform(on: sync)
    if !options.isDryRun {
      try stored { () throws(StoreError) in
        try library.finishSync(
          error: report.errors.first.map { "\($0)" }, wasFull: isFull, now: clock())
      }
    }
    let backlog = try stored { () throws(StoreError) in try library.syncBacklog() }
    let unknown = try stored { () throws(StoreError) in try library.podcastsNeverFetched() }
    let fresh = sync.newPodcasts + unknown.filter { !sync.newPodcasts.contains($0) }
    return Outcome(
      account: account, report: report, waiting: backlog.waiting, held: backlog.held, at: now,
      changed: sync.changedEpisodes, newPodcasts: options.isDryRun ? [] : fresh)
  }

  private func backend(of account: SyncAccount) throws(SyncError) -> any SyncBackend {
    switch ServerKind(rawValue: account.kind) {
    case .folder:
      return FolderBackend(path: account.server, device: account.device, name: account.deviceName)
    case .nextcloud: return NextcloudBackend(transport: try transport(of: account))
    case .gpodder:
      return GPodderBackend(
        transport: try transport(of: account), user: account.user, device: account.device,
        caption: account.deviceName)
    case nil: throw .setup("this Earshot cannot sync with a server of the kind “\(account.kind)”")
    }
  }

  private func transport(of account: SyncAccount) throws(SyncError) -> CurlTransport {
    let password = try SyncPassword(server: account.server, user: account.user, configuration: configuration).read()
    return try CurlTransport(
      base: account.server, login: (account.user, password), client: client,
      allowsHTTP: account.allowsHTTP)
  }

  private func stored<T>(_ body: () throws(StoreError) -> T) throws(SyncError) -> T {
    do throws(StoreError) { return try body() } catch { throw .library(error.description) }
  }

  // MARK: Login and logout

  struct Login: Sendable {
    var url: String
    var user: String?
    var kind: ServerKind?
    var device: String?
    var allowsHTTP = false
  }

  /// Sets sync up with a folder. It is made when its parent is there.
  func logIn(folder path: String, device: String?) throws(SyncError) -> SyncAccount {
    let path = URL(fileURLWithPath: (path as NSString).expandingTildeInPath).standardizedFileURL.path
    let account = account("folder", server: path, user: "", device: device, allowsHTTP: false)
    try FolderBackend(path: path, device: account.device, name: account.deviceName).create()
    try stored { () throws(StoreError) in try library.setSyncAccount(account) }
    return account
  }

  /// Sets sync up with a server.
  /// - Parameters:
  ///   - password: asks the listener; called for a server that does not use Nextcloud's login.
  ///   - show: shows the address where the listener grants access, and opens it.
  func logIn(
    _ login: Login, password: @Sendable () throws(SyncError) -> (user: String, password: String)?,
    show: @Sendable (String) -> Void
  ) async throws(SyncError) -> (SyncAccount, kept: String) {
    let root = ServerProbe.root(login.url)
    let anonymous = try CurlTransport(
      base: root, login: nil, client: client, allowsHTTP: login.allowsHTTP)
    var kind = login.kind
    if kind == nil { kind = try await ServerProbe.kind(of: anonymous) }
    if kind == .nextcloud, login.user == nil {
      let grant = try await grant(anonymous, show: show)
      let account = account(
        "nextcloud", server: ServerProbe.root(grant.server), user: grant.user, device: login.device,
        allowsHTTP: login.allowsHTTP)
      return (account, try await finish(account, password: grant.password))
    }
    guard let (user, password) = try password() else {
      throw .setup("a user name and a password are needed: --user, and EARSHOT_SYNC_PASSWORD or the standard input")
    }
    let account = account(
      (kind ?? .gpodder).rawValue, server: root, user: user, device: login.device, allowsHTTP: login.allowsHTTP)
    return (account, try await finish(account, password: password))
  }

  private func account(
    _ kind: String, server: String, user: String, device: String?, allowsHTTP: Bool
  ) -> SyncAccount {
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    let name = device ?? (host.isEmpty ? "this computer" : String(host))
    let id = device ?? "earshot-\(host)-\(library.deviceID.prefix(6))"
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
    let clean = String(id.map { allowed.contains($0) ? $0 : "-" }.prefix(60))
    return SyncAccount(
      kind: kind, server: server, user: user, device: clean.isEmpty ? "earshot" : clean, deviceName: name,
      allowsHTTP: allowsHTTP)
  }

  /// Tries the password, keeps it, and then the account.
  private func finish(_ account: SyncAccount, password: String) async throws(SyncError) -> String {
    let transport = try CurlTransport(
      base: account.server, login: (account.user, password), client: client,
      allowsHTTP: account.allowsHTTP)
    if account.kind == "nextcloud" {
      try await NextcloudBackend(transport: transport).login()
    } else {
      try await GPodderBackend(
        transport: transport, user: account.user, device: account.device, caption: account.deviceName
      ).login()
    }
    if let old = try stored({ () throws(StoreError) in try library.syncAccount() }),
      (old.server, old.user) != (account.server, account.user)
    {
      SyncPassword(server: old.server, user: old.user, configuration: configuration).forget()
    }
    let kept = try SyncPassword(server: account.server, user: account.user, configuration: configuration)
      .keep(password)
    try stored { () throws(StoreError) in try library.setSyncAccount(account) }
    return kept
  }

  private func grant(
    _ transport: CurlTransport, show: @Sendable (String) -> Void
  ) async throws(SyncError) -> NextcloudLogin.Grant {
    let login = try await NextcloudLogin(transport: transport)
    show(login.link)
    let end = ContinuousClock.now + .seconds(NextcloudLogin.patience)
    while ContinuousClock.now < end {
      if let grant = try await login.poll() { return grant }
      do { try await Task.sleep(for: .seconds(1.5)) } catch { throw .cancelled }
    }
    throw .refused(server: transport.server, cause: "access was not granted in time")
  }

  /// Ends sync. What was synced stays on the server, and here.
  /// - Returns: why the app password could not be given back; nil: it was, or there was none.
  func logOut() async throws(SyncError) -> SyncError? {
    guard let account = try stored({ () throws(StoreError) in try library.syncAccount() }) else { return nil }
    var failure: SyncError?
    if account.kind == "nextcloud" {
      do throws(SyncError) { try await NextcloudLogin.revoke(try transport(of: account)) } catch { failure = error }
    }
    SyncPassword(server: account.server, user: account.user, configuration: configuration).forget()
    try stored { () throws(StoreError) in try library.setSyncAccount(nil) }
    return failure
  }
}

extension SyncAccount {
  /// For people: the host with its path, or the folder.
  var shownServer: String {
    kind == "folder" ? server : server.replacing(/^https?:\/\//, with: "")
  }
}

/// One sync at a time, also of two processes: a `flock`, which the kernel drops with the process.
final class SyncLock: Sendable {
  private let descriptor: Int32

  /// - Parameter patience: seconds.
  init(library path: String, patience: Double) async throws(SyncError) {
    let file = path + ".sync"
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: file, cause: String(cString: strerror(errno))) }
    let end = ContinuousClock.now + .seconds(patience)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK, ContinuousClock.now < end else {
        throw .library("another Earshot is syncing")
      }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  deinit { close(descriptor) }

  func release() { _ = flock(descriptor, LOCK_UN) }
}
