import AppCore
import Foundation
import Logging
import LoopbackServer
import Store
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
    let server = try LoopbackServer { _ in .status(429, headers: [("Retry-After", "2")]) }
    let (scheduler, reports) = try scheduler(server)
    scheduler.perform(.now)
    for await report in reports {
      // The answer to the second command comes after the timer has been set.
      if case .finished = report { scheduler.perform(.status) }
      if case .status = report { break }
    }
    #expect(server.requests.count == 1)
    scheduler.scheduleSoon()
    #expect(await server.requestsArrive(2))
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread {
        scheduler.finish()
        continuation.resume()
      }.start()
    }
  }
}
