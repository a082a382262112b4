import Foundation
import HTTP
import LoopbackServer
import Model
import Store
import TemporaryFiles
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// What keeps a run from starting: a server that wants no requests for a while, or another process that syncs.
@Suite struct PauseTests {
  /// A library that syncs with a server which wants no requests.
  private struct Place {
    let server: LoopbackServer
    let library: Library
    let account: SyncAccount
    private let directory: TemporaryDirectory

    init() throws {
      server = try LoopbackServer { _ in .status(429, headers: [("Retry-After", "3000")]) }
      directory = try TemporaryDirectory()
      library = try Library(path: directory.path + "/earshot.db")
      account = SyncAccount(
        kind: GPodderBackend.kind, server: server.baseURL, user: "me", device: "here", deviceName: "Here")
      try library.setSyncAccount(account)
    }

    /// Syncs in a new process.
    /// - Parameter seconds: by which its clock is ahead.
    func sync(seconds: Double = 0, _ options: SyncService.Options = SyncService.Options()) async -> String {
      let passwords = SyncPassword.Source(
        file: directory.path + "/password", command: nil, environment: ["EARSHOT_SYNC_PASSWORD": "pw"])
      let service = SyncService(library: library, every: 0, passwords: passwords, client: HTTPClient()) {
        Date().addingTimeInterval(seconds)
      }
      do throws(SyncError) {
        let outcome = try await service.run(options)
        return outcome.report.errors.map { "\($0)" }.joined()
      } catch { return "\(error)" }
    }
  }

  /// The next start of the player, and `earshot sync` of a timer, have an HTTP client of their own.
  @Test func otherProcessesKeepThePause() async throws {
    let place = try Place()
    let server = place.server
    let first = await place.sync()
    let asked = server.requests.count
    #expect(first.contains("accepts no requests until") && asked > 0)
    #expect(await place.sync() == first)
    #expect(server.requests.count == asked)
    // The clock was set back since, or the pause is over.
    for (number, seconds) in [-3600.0, 3100].enumerated() {
      _ = await place.sync(seconds: seconds)
      #expect(server.requests.count == asked * (number + 2))
    }
  }

  @Test func onlyOneProcessSyncs() async throws {
    let place = try Place()
    guard case .held(let lock) = try FileLock.acquire(place.library.path + ".sync") else {
      Issue.record("nobody else is there")
      return
    }
    #expect(await place.sync() == "another Earshot is syncing")
    _ = consume lock
    #expect(await place.sync().contains("accepts no requests until"))
    // The run has released it.
    #expect(await place.sync().contains("accepts no requests until"))
  }

  @Test func pauseEndsWithANewSignInOfItsAccount() async throws {
    let place = try Place()
    _ = await place.sync()
    #expect(try place.library.syncAccount()?.pauseEnd(at: Date()) != nil)
    try place.library.setSyncAccount(place.account)
    #expect(try place.library.syncAccount()?.pauseEnd(at: Date()) == nil)
    // A run of this account ends after the listener has set up another one.
    var other = place.account
    other.user = "other"
    try place.library.setSyncAccount(other)
    try place.library.pauseSync(of: place.account, until: Date().addingTimeInterval(60), now: Date())
    #expect(try place.library.syncAccount()?.pauseEnd(at: Date()) == nil)
    try place.library.pauseSync(of: other, until: Date().addingTimeInterval(60), now: Date())
    #expect(try place.library.syncAccount()?.pauseEnd(at: Date()) != nil)
  }

  /// A server whose other devices have removed all podcasts.
  private struct Removing: SyncBackend {
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions], batch: 100, mayLoseValues: true)
    let urls: [String]
    func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
      var pull = SyncPull()
      pull.subscriptions = urls.map { SubscriptionChange(url: $0, isSubscribed: false) }
      pull.cursor = "1"
      return pull
    }
    func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt { SyncReceipt() }
  }

  @Test func removalsAreRefusedDuringThePause() async throws {
    let place = try Place()
    let urls = (1...8).map { "https://feeds.example/\($0)" }
    for url in urls { try place.library.subscribe(feed: Feed(), feedURL: url, now: Date()) }
    for isFirst in [true, false] {
      _ = await SyncRun(backend: Removing(urls: urls), isFirstSync: isFirst) { Date().timeIntervalSince1970 + 100 }
        .perform(on: LibrarySync(library: place.library, server: "s.example"))
    }
    #expect(try place.library.syncBacklog().held.count == 8)
    try place.library.pauseSync(of: place.account, until: Date().addingTimeInterval(3000), now: Date())
    #expect(await place.sync(SyncService.Options(refusesRemovals: true)).contains("accepts no requests until"))
    #expect(try place.library.syncBacklog().held.isEmpty)
    #expect(place.server.requests.isEmpty)
  }
}
