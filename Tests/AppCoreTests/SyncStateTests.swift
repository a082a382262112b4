import Model
import TerminalKit
import Testing

@testable import AppCore

/// The questions and messages of sync on the screen.
@Suite struct SyncStateTests {
  private let held = SyncReport.finished(SyncSummary(phase: .inStep, held: ["One", "Two", "Three", "Four", "Five"]))

  @Test func blockedRemovalsAskOnceUnlessTheListenerSyncs() {
    var driver = Driver(size: Size(110, 24))
    driver.send(.sync(held))
    #expect(driver.screen.contains("Unsubscribe here too?"))
    driver.type("n")
    #expect(driver.takeEffects().isEmpty)
    driver.send(.sync(held))
    #expect(driver.state.overlays.isEmpty)
    driver.type(":sync<Enter>")
    #expect(driver.takeEffects() == [.network(.sync(.now))])
    driver.send(.sync(held))
    #expect(driver.screen.contains("Unsubscribe here too?"))
    driver.type("y")
    #expect(driver.takeEffects() == [.network(.sync(.acceptRemovals))])
  }

  /// The log shows the newest message first. The lines of the status must still be in order there.
  @Test func statusLinesAreInOrder() {
    var driver = Driver()
    driver.send(.sync(.status(["one", "two", "three"])))
    #expect(driver.state.log.reversed().prefix(3).map(\.text) == ["one; :log has more", "two", "three"])
  }
}
