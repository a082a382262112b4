import AppCore
import Foundation
import Logging
import LoopbackServer
import Model
import Store
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

/// When the player syncs by itself.
@Suite(InTurn()) struct SyncSchedulerTests {
  private let fixture: FeedFixture

  init() throws { fixture = try FeedFixture() }

  /// A scheduler with an account on this server, and its reports.
  private func scheduler(
    _ server: LoopbackServer, delay: Double = 0.01
  ) throws -> (SyncScheduler, AsyncStream<SyncReport>) {
    try fixture.library.setSyncAccount(account(server))
    let passwords = SyncPassword.Source(
      file: fixture.home.path + "/sync-password", command: nil, environment: ["EARSHOT_SYNC_PASSWORD": "secret"])
    let service = SyncService(library: fixture.library, every: 30, passwords: passwords, client: fixture.http)
    let (reports, reported) = AsyncStream.makeStream(of: SyncReport.self)
    let scheduler = SyncScheduler(
      service, refresher: fixture.refresher(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      delay: delay
    ) { _ = reported.yield($0) }
    return (scheduler, reports)
  }

  private func account(_ server: LoopbackServer) -> SyncAccount {
    SyncAccount(kind: "gpodder", server: server.baseURL, user: "listener", device: "here", deviceName: "here")
  }

  /// The change replaces the timer of the next sync.
  @Test func changeDuringAPauseOfTheServerIsSentAfterIt() async throws {
    let arrivals = Mutex<[Date]>([])
    let server = try LoopbackServer { _ in
      arrivals.withLock { $0.append(Date()) }
      return .status(429, headers: [("Retry-After", "2")])
    }
    let (scheduler, reports) = try scheduler(server)
    scheduler.perform(.now)
    for await report in reports {
      // The answer to the second command comes after the timer has been set.
      if case .finished = report { scheduler.perform(.status) }
      if case .status = report { break }
    }
    scheduler.scheduleSoon()
    let areTwo = try await Eventually.until { arrivals.withLock { $0.count } >= 2 }
    // On a busy machine the pause may be over before the change comes.
    let times = arrivals.withLock { $0 }
    #expect(areTwo && times[1].timeIntervalSince(times[0]) >= 2, "\(times)")
    await finish(scheduler)
  }

  @Test func pauseThatAnEarlierProcessWasAskedForIsKept() async throws {
    let server = try LoopbackServer { _ in .status(500) }
    // Without a delay, what the change starts comes before the answer to the next command.
    let (scheduler, reports) = try scheduler(server, delay: 0)
    try fixture.library.pauseSync(of: account(server), until: Date().addingTimeInterval(3600), now: Date())
    func areWithoutRun() async -> Bool {
      scheduler.perform(.status)
      for await report in reports {
        if case .finished = report { return false }
        if case .status = report { break }
      }
      return true
    }
    scheduler.start()
    #expect(await areWithoutRun())
    scheduler.scheduleSoon()
    #expect(await areWithoutRun())
    await finish(scheduler)
    #expect(await areWithoutRun(), "the end waits for a run that the change has started")
    #expect(server.requests.isEmpty)
  }

  /// `earshot sync login` has signed in again while the player runs.
  @Test func signInByAnotherProcessEndsThePause() async throws {
    let server = try LoopbackServer { _ in .status(500) }
    let (scheduler, reports) = try scheduler(server, delay: 0)
    try fixture.library.pauseSync(of: account(server), until: Date().addingTimeInterval(3600), now: Date())
    scheduler.start()
    try fixture.library.setSyncAccount(account(server))
    scheduler.scheduleSoon()
    for await report in reports {
      if case .finished = report { break }
    }
    #expect(!server.requests.isEmpty)
    await finish(scheduler)
  }

  @Test func signInByAnotherProcessEndsTheRefusalOfThePassword() async throws {
    let status = Mutex(401)
    let server = try LoopbackServer { _ in .status(status.withLock { $0 }) }
    let (scheduler, reports) = try scheduler(server, delay: 0)
    scheduler.scheduleSoon()
    for await report in reports {
      if case .finished = report { break }
    }
    #expect(try fixture.library.syncAccount()?.lastError != nil)
    try fixture.library.setSyncAccount(account(server))
    status.withLock { $0 = 503 }
    // Another failure, which is stored with the account, is no refusal.
    for _ in 1...2 {
      let before = server.requests.count
      // The last run may not have ended yet, and then a change starts none.
      let isTriedAgain = try await Eventually.until {
        scheduler.scheduleSoon()
        return server.requests.count > before && (try? fixture.library.syncAccount()?.lastError != nil) == true
      }
      #expect(isTriedAgain)
    }
    await finish(scheduler)
  }

  private func finish(_ scheduler: SyncScheduler) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread {
        scheduler.finish()
        continuation.resume()
      }.start()
    }
  }
}
