import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Removals of podcasts that other devices have sent.
@Suite struct SyncRemovalTests {
  /// A server without timestamps, whose answers the test defines.
  private struct Scripted: SyncBackend {
    let traits = SyncTraits(
      timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions], batch: 100, mayLoseValues: true)
    var changes: [SubscriptionChange]
    /// The answer to a request for everything. Nil: `changes`.
    var list: [SubscriptionChange]?
    func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
      var pull = SyncPull()
      pull.subscriptions = cursor == nil ? list ?? changes : changes
      pull.cursor = "1"
      return pull
    }
    func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt { SyncReceipt() }
  }

  /// A library that syncs with a server, and the addresses of its podcasts.
  private static func library(podcasts: Int) throws -> (box: TemporaryLibrary, urls: [String]) {
    let box = try TemporaryLibrary()
    let urls = (1...podcasts).map { "https://feeds.example/\($0)" }
    for url in urls { try box.subscribe(Samples.episodes(1...1), url: url) }
    try box.library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: "https://s.example", user: "u", device: "d", deviceName: "D"))
    return (box, urls)
  }

  @Test func removalsOfMostPodcastsWaitForConfirmation() async throws {
    let (box, urls) = try Self.library(podcasts: 8)
    func run(_ changes: [SubscriptionChange], isFirstSync: Bool = false, accepts: Bool = false) async -> SyncRun.Report
    {
      await SyncRun(backend: Scripted(changes: changes), isFirstSync: isFirstSync, acceptsRemovals: accepts) {
        Samples.later(100).timeIntervalSince1970
      }.perform(on: LibrarySync(library: box.library, server: "s.example"))
    }
    let all = urls.map { SubscriptionChange(url: $0, isSubscribed: false) }
    // A first sync merges: it removes nothing.
    #expect(await run(all, isFirstSync: true).pulled.unsubscribed == 0)
    #expect(try box.library.podcasts().count == 8)
    // Three removals at once are below the limit.
    #expect(await run(Array(all.prefix(3))).pulled.unsubscribed == 3)
    #expect(await run(Array(all.suffix(5))).pulled.unsubscribed == 0)
    #expect(try box.library.syncBacklog().held.count == 5)
    #expect(await run([]).pushed.subscribed == 0)
    #expect(await run([], accepts: true).pulled.unsubscribed == 5)
    #expect(try box.library.podcasts().isEmpty && box.library.syncBacklog().held.isEmpty)
    _ = try box.library.undo(now: Samples.later(200))
    #expect(try box.library.podcasts().count == 5)
    // The podcasts are sent to the server again. If they are removed once more, and that is refused, they come back
    // on the server.
    #expect(await run([]).pushed.subscribed == 5)
    #expect(await run(Array(all.suffix(5))).pulled.unsubscribed == 0)
    try box.library.refuseSyncRemovals()
    #expect(try box.library.syncBacklog().held.isEmpty)
    let refused = await run([])
    #expect(refused.pushed.subscribed == 5 && refused.pulled == SyncChanges())
    #expect(try box.library.podcasts().count == 5)
  }

  /// The full list of a server that was installed again is empty. On mygpo, a feed that was added and removed is in
  /// neither list, and only the changes have its removal.
  @Test func subscriptionsThatTheServerHasLostAreSentAgain() async throws {
    let (box, urls) = try Self.library(podcasts: 4)
    func run(_ server: Scripted, isFirstSync: Bool = false, isFull: Bool = true) async -> SyncRun.Report {
      await SyncRun(backend: server, isFirstSync: isFirstSync, isFull: isFull) {
        Samples.later(100).timeIntervalSince1970
      }
      .perform(on: LibrarySync(library: box.library, server: "s.example"))
    }
    #expect(await run(Scripted(changes: []), isFirstSync: true).pushed.subscribed == 4)
    let all = urls.map { SubscriptionChange(url: $0, isSubscribed: true) }
    #expect(await run(Scripted(changes: [], list: all)).pushed == SyncChanges())
    // A list of changes shows nothing about the other feeds.
    #expect(await run(Scripted(changes: []), isFull: false).pushed == SyncChanges())
    // Another device has unsubscribed from the first.
    let removal = SubscriptionChange(url: urls[0], isSubscribed: false)
    let report = await run(Scripted(changes: [removal], list: Array(all[2...])))
    #expect(report.pulled.unsubscribed == 1 && report.pushed.subscribed == 1 && report.pushed.unsubscribed == 0)
    #expect(try Set(box.library.podcasts().map(\.feedURL)) == Set(urls[1...]))
    #expect(await run(Scripted(changes: [], list: Array(all[1...]))).pushed == SyncChanges())
    let emptied = await run(Scripted(changes: [], list: []))
    #expect(emptied.pushed.subscribed == 3 && emptied.pulled == SyncChanges())
    #expect(try box.library.podcasts().count == 3)
  }
}
