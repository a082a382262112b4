import Foundation
import HTTP
import LoopbackServer
import Store
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// A server that wants no requests for a while.
@Suite struct PauseTests {
  /// The next start of the player, and `earshot sync` of a timer, have an HTTP client of their own.
  @Test func otherProcessesKeepThePause() async throws {
    let server = try LoopbackServer { _ in .status(429, headers: [("Retry-After", "3000")]) }
    let directory = NSTemporaryDirectory() + "earshot-pause-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let library = try Library(path: directory + "/earshot.db")
    try library.setSyncAccount(
      SyncAccount(
        kind: GPodderBackend.kind, server: server.baseURL, user: "me", device: "here", deviceName: "Here"))
    let passwords = SyncPassword.Source(
      file: directory + "/password", command: nil, environment: ["EARSHOT_SYNC_PASSWORD": "pw"])
    /// Syncs in a new process.
    /// - Parameter seconds: by which its clock is ahead.
    func sync(seconds: Double = 0) async -> String {
      let service = SyncService(library: library, every: 0, passwords: passwords, client: HTTPClient()) {
        Date().addingTimeInterval(seconds)
      }
      do throws(SyncError) {
        let outcome = try await service.run()
        return outcome.report.errors.map { "\($0)" }.joined()
      } catch { return "\(error)" }
    }
    let first = await sync()
    let asked = server.requests.count
    #expect(first.contains("accepts no requests until") && asked > 0)
    #expect(await sync() == first)
    #expect(server.requests.count == asked)
    // The pause is over, or the clock was set back since.
    for (number, seconds) in [3100.0, -90_000].enumerated() {
      _ = await sync(seconds: seconds)
      #expect(server.requests.count == asked * (number + 2))
    }
  }
}
