import Foundation
import Testing

@testable import Services
@testable import Store

@Suite(InTurn()) struct SyncTextTests {
  /// The player shows only the first line.
  @Test func statusBeginsWithAFailure() {
    var account = SyncAccount(
      kind: "gpodder", server: "http://127.0.0.1", user: "listener", device: "laptop", deviceName: "laptop")
    account.lastSuccess = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(SyncText.status(account, SyncBacklog()).first?.hasPrefix("Last synced") == true)
    account.lastError = "127.0.0.1 cannot be reached"
    let lines = SyncText.status(account, SyncBacklog())
    #expect(lines.first == "The last sync failed: 127.0.0.1 cannot be reached")
    #expect(lines.count == 3)
  }

  @Test func statusNamesDevicesAndWaitingPodcasts() {
    let account = SyncAccount(
      kind: "gpodder", server: "https://s.example", user: "me", device: "laptop", deviceName: "laptop")
    var backlog = SyncBacklog()
    backlog.waiting = 3
    backlog.waitingFor = (0..<25).map { SyncBacklog.WaitingPodcast(title: "Podcast \($0)", actions: 2) }
    let devices = [
      SyncedDevice(id: "p", name: "Phone", seen: Date(timeIntervalSince1970: 1_700_000_000)),
      SyncedDevice(id: "t", name: "Tablet", seen: nil),
    ]
    let lines = SyncText.status(account, backlog, devices: devices)
    #expect(lines.contains("  2 actions of Podcast 19") && !lines.contains { $0.hasSuffix("Podcast 20") })
    #expect(lines.contains { $0.contains("5 more podcasts") })
    #expect(lines.contains { $0.contains("“Phone”") && $0.contains("2023") })
    #expect(lines.contains("The device “Tablet”, not seen yet"))
  }
}
