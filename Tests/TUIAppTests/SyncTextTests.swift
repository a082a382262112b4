import Foundation
import Store
import Testing

@testable import Services

@Suite(InTurn()) struct SyncTextTests {
  /// The player shows only the first line.
  @Test func statusBeginsWithAFailure() {
    var account = SyncAccount(
      kind: "gpodder", server: "http://127.0.0.1", user: "listener", device: "laptop", deviceName: "laptop")
    account.lastSuccess = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(SyncText.status(account, SyncBacklog()).first?.hasPrefix("In step since") == true)
    account.lastError = "127.0.0.1 cannot be reached"
    let lines = SyncText.status(account, SyncBacklog())
    #expect(lines.first == "The last sync failed: 127.0.0.1 cannot be reached")
    #expect(lines.count == 3)
  }
}
