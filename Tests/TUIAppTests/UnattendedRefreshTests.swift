import AppCore
import FeedKit
import Foundation
import HTTP
import Logging
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Services
@testable import Store
@testable import TUIApp

/// Automatic refreshes: in a running player, and by timers.
@Suite(InTurn()) struct UnattendedRefreshTests {
  private let fixture: FeedFixture
  private let server: LoopbackServer
  private let library: Library
  private let refresher: Refresher
  private let schedule = RefreshSchedule(every: 3600)

  init() throws {
    fixture = try FeedFixture()
    (server, library, refresher) = (fixture.server, fixture.library, fixture.refresher())
  }

  private static func feed(_ guids: String...) -> LoopbackServer.Response {
    let items = guids.map { "<item><title>\($0)</title><guid>\($0)</guid></item>" }.joined()
    return .text("<rss><channel><title>Show</title>\(items)</channel></rss>", type: "text/xml")
  }

  /// Subscribes to `path`, whose last request was `hours` ago.
  private func subscribe(_ path: String, hours: Double) throws -> PodcastID {
    try library.subscribe(
      feed: Feed(), feedURL: server.url(path), now: Date().addingTimeInterval(-hours * 3600))
  }

  @Test func onlyDueFeedsAreRequested() async throws {
    server.route("/due", Self.feed("1"))
    server.route("/fresh", Self.feed("1"))
    _ = try subscribe("/due", hours: 2)
    _ = try subscribe("/fresh", hours: 0.5)
    #expect(try await refresher.refreshDue(schedule) { _ in }?.new == 1)
    #expect(server.requests.map(\.path) == ["/due"])
    #expect(try await refresher.refreshDue(schedule) { _ in } == nil, "it was asked just now")
  }

  @Test func refreshOfAllBlocksTimers() async throws {
    let mayContinue = DispatchSemaphore(value: 0)
    server.route(
      "/feed", Self.feed("1").held(afterBytes: 0) { if mayContinue.wait(timeout: .now() + 300) == .timedOut {} })
    _ = try subscribe("/feed", hours: 2)
    async let all = refresher.refresh(nil) { _ in }
    #expect(await server.requestsArrive(1))
    #expect(try await refresher.refreshDue(schedule) { _ in } == nil)
    mayContinue.signal()
    #expect(await all.new == 1)
    #expect(server.requests.count == 1)
    #expect(RefreshLock.acquire(library: library.path) != nil, "the lock is free again")
  }

  /// The new episodes that the automatic refresh of a running player reports first, after it has begun.
  private func news(
    of other: Refresher? = nil, after begin: (UnattendedRefresh) throws -> Void
  ) async throws -> Int? {
    let (news, told) = AsyncStream.makeStream(of: Int.self)
    let unattended = UnattendedRefresh(
      refresher: other ?? refresher, library: library, every: 3600, pauses: .init(minimum: 0.02, maximum: 0.05),
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, ended: { new, _ in _ = told.yield(new) })
    try begin(unattended)
    defer { unattended.stop() }
    return await news.first { _ in true }
  }

  @Test func playerRefreshesDueFeeds() async throws {
    server.route("/feed", Self.feed("1", "2"))
    _ = try subscribe("/feed", hours: 2)
    #expect(try await news { $0.start() } == 2)
  }

  /// The feed is not due, but the listener has asked for it while there was no network.
  @Test func missedRefreshIsRepeated() async throws {
    server.route("/feed", Self.feed("1", "2"))
    _ = try subscribe("/feed", hours: 0.1)
    #expect(try await news { $0.retryWhenOnline(nil) } == 2)
  }

  @Test func playerNoticesARefreshByATimer() async throws {
    let id = try subscribe("/feed", hours: 0.1)
    let new = try await news { unattended in
      unattended.start()
      _ = try library.store([.unchanged(id, RefreshInfo())], now: Date())[0].get()
    }
    #expect(new == 0)
    #expect(server.requests.isEmpty)
  }

  /// The other process stores its refresh while the player looks for feeds that are due, which asks for the time.
  @Test func playerNoticesARefreshWhileItLooksForDueFeeds() async throws {
    let id = try subscribe("/feed", hours: 0.1)
    let library = library
    let isStored = Mutex(false)
    let refresher = Refresher(library: library, client: FeedClient(http: fixture.http), resources: Resources()) {
      if !isStored.withLock({ isStored in
        defer { isStored = true }
        return isStored
      }) {
        #expect(throws: Never.self) { _ = try library.store([.unchanged(id, RefreshInfo())], now: Date())[0].get() }
      }
      return Date()
    }
    let new = try await news(of: refresher) { $0.start() }
    #expect(new == 0 && isStored.withLock { $0 })
    #expect(server.requests.isEmpty)
  }

  // MARK: The verb

  private func earshot(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run(["refresh"] + arguments, in: fixture.home)
  }

  @Test func verbRefreshesDueFeedsSilently() async throws {
    server.route("/feed", Self.feed("1"))
    let id = try subscribe("/feed", hours: 2)
    let quiet = try await earshot("--due", "--quiet")
    #expect(quiet.status == 0 && quiet.stdout.isEmpty && quiet.stderr.isEmpty)
    #expect(server.requests.count == 1)
    #expect(try await earshot("--due").text == "0 new, 0 unchanged, 0 failed\n")
    #expect(server.requests.count == 1)

    server.route("/feed", .status(500))
    _ = try library.store([.unchanged(id, RefreshInfo())], now: Date(timeIntervalSinceNow: -7200))[0].get()
    let failed = try await earshot("--due", "--quiet")
    #expect(failed.status == 69 && failed.stdout.isEmpty && failed.stderr.isEmpty, "the status tells")
  }

  /// Another program writes to the library for longer than the command waits.
  @Test func silentVerbDoesNotSayThatItWaits() async throws {
    server.route("/feed", Self.feed("1"))
    _ = try subscribe("/feed", hours: 2)
    let (library, mayEnd) = (library, DispatchSemaphore(value: 0))
    defer { mayEnd.signal() }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        try? library.write { _ in
          continuation.resume()
          mayEnd.wait()
        }
      }
    }
    let quiet = try await earshot("--due", "--quiet")
    #expect(quiet.status == ExitStatus.cannotWrite.rawValue, "it has waited")
    #expect(quiet.stdout.isEmpty && quiet.stderr.isEmpty, "\(quiet.stderr)")
  }

  @Test func twoTimersRequestOnce() async throws {
    server.route("/feed", Self.feed("1"))
    _ = try subscribe("/feed", hours: 2)
    let lock = try #require(RefreshLock.acquire(library: library.path))
    #expect(try await earshot("--due").text == "0 new, 0 unchanged, 0 failed\n")
    withExtendedLifetime(lock) {}
    #expect(server.requests.isEmpty)
  }

  @Test func refreshDueRefusesPodcasts() async throws {
    #expect(try await earshot("--due", "3").status == 64)
    #expect(try await earshot("--due", "--archive", "3").status == 64)
  }
}
