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
  private func scheduler(_ server: LoopbackServer) throws -> (SyncScheduler, AsyncStream<SyncReport>) {
    try fixture.library.setSyncAccount(
      SyncAccount(kind: "gpodder", server: server.baseURL, user: "listener", device: "here", deviceName: "here"))
    let passwords = SyncPassword.Source(
      file: fixture.home.path + "/sync-password", command: nil, environment: ["EARSHOT_SYNC_PASSWORD": "secret"])
    let service = SyncService(library: fixture.library, every: 30, passwords: passwords, client: fixture.http)
    let (reports, reported) = AsyncStream.makeStream(of: SyncReport.self)
    let scheduler = SyncScheduler(
      service, refresher: fixture.refresher(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, delay: 0.01
    ) { _ = reported.yield($0) }
    return (scheduler, reports)
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
    let (scheduler, reports) = try scheduler(server)
    try fixture.library.pauseSync(until: Date().addingTimeInterval(3600))
    scheduler.start()
    for await report in reports { if case .phase = report { break } }
    scheduler.scheduleSoon()
    await finish(scheduler)
    #expect(server.requests.isEmpty)
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
