import Model
import TerminalKit
import Testing

@testable import AppCore

/// What sync asks and tells on the screen.
@Suite struct SyncStateTests {
  private let held = SyncReport.finished(SyncSummary(phase: .inStep, held: ["One", "Two", "Three", "Four", "Five"]))

  @Test func removalsAreAskedAboutOnceUnlessTheListenerSyncs() {
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

  /// The log has the newest at its top: there the lines are to be read in their order.
  @Test func theStatusIsReadInItsOrder() {
    var driver = Driver()
    driver.send(.sync(.status(["one", "two", "three"])))
    #expect(driver.state.log.reversed().prefix(3).map(\.text) == ["one; :log has more", "two", "three"])
  }
}
