import Foundation
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
    // These were meant for the list.
    driver.type("yn")
    #expect(driver.screen.contains("Unsubscribe here too?") && driver.takeEffects().isEmpty)
    driver.wait()
    driver.type("n")
    #expect(driver.takeEffects().isEmpty)
    driver.send(.sync(held))
    #expect(driver.state.overlays.isEmpty)
    driver.type(":sync<Enter>")
    #expect(driver.takeEffects() == [.network(.sync(.now))])
    driver.send(.sync(held))
    #expect(driver.screen.contains("Unsubscribe here too?"))
    driver.wait()
    driver.type("y")
    #expect(driver.takeEffects() == [.network(.sync(.acceptRemovals))])
  }

  /// The log shows the newest message first. The lines of the status must still be in order there.
  @Test func statusLinesAreInOrder() {
    var driver = Driver()
    driver.send(.sync(.status(["one", "two", "three"])))
    #expect(driver.state.messages.log.reversed().prefix(3).map(\.text) == ["one (see :log)", "two", "three"])
  }

  /// The password is on no screen and in no message.
  @Test func loginAsksForAddressNameAndPassword() {
    var driver = Driver(size: Size(80, 24))
    #expect(driver.screen(after: ":sync-login<Enter>sync.example<Enter>").contains("User name"))
    driver.type("me<Enter>s3cret")
    #expect(driver.screen.contains("Password of me: ******") && !driver.screen.contains("s3cret"))
    driver.type("<Enter>")
    let login = SyncLogin(url: "sync.example", user: "me", password: "s3cret")
    #expect(driver.takeEffects() == [.network(.sync(.logIn(login)))])
    #expect(driver.state.overlays.isEmpty && !driver.state.messages.log.contains { $0.text.contains("s3cret") })
    #expect(!"\(login)".contains("s3cret"))
    // The next recalled input is no password.
    driver.type(":<Up>")
    #expect(!driver.screen.contains("s3cret"))
  }

  @Test func folderAndBrowserNeedNoPassword() {
    var driver = Driver()
    driver.type(":sync-login<Enter>folder:/a b<Enter>")
    #expect(driver.takeEffects() == [.network(.sync(.logIn(SyncLogin(url: "folder:/a b"))))])
    driver.type(":sync-login<Enter>cloud.example<Enter><Enter>")
    #expect(driver.takeEffects() == [.network(.sync(.logIn(SyncLogin(url: "cloud.example"))))])
    driver.send(.sync(.grantPage("https://cloud.example/flow")))
    #expect(driver.takeEffects() == [.terminal(.openLink("https://cloud.example/flow"))])
    driver.type(":sync-login<Enter><Enter>")
    #expect(driver.takeEffects().isEmpty && driver.state.overlays.isEmpty)
  }

  @Test func commandsOfTheCommandLineAreInThePlayer() {
    var driver = Driver()
    for (name, command) in [
      ("sync-full", SyncCommand.full), ("sync-accept-removals", .acceptRemovals),
      ("sync-refuse-removals", .refuseRemovals), ("sync-status", .status),
    ] {
      driver.type(":\(name)<Enter>")
      #expect(driver.takeEffects() == [.network(.sync(command))], "\(name)")
    }
  }
}
