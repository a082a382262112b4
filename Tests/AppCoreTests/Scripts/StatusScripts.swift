import TerminalKit
import Testing

@testable import AppCore

/// What the line above the player says, and to whom.
@Suite struct StatusScripts {
  private static let long =
    "https://example.org/a/feed/with/a/long/address.xml: the server has nothing at this address (404)"

  @Test(arguments: [Size(40, 12), Size(80, 24)]) func aLongMessageIsSeenWhole(size: Size) {
    var driver = Driver(size: size)
    driver.send(.message(Message(.error, Self.long)))
    let shown = driver.lines.joined().replacing(" ", with: "")
    #expect(shown.contains("Error:https://example.org/"))
    #expect(shown.contains("(404)"))
    driver.type("j")
    #expect(!driver.screen.contains("(404)"), "the next key takes it away")
  }

  @Test func theLogSaysWhatKindAMessageIs() {
    var driver = Driver()
    driver.send(.message(Message(.warning, "of one kind")))
    driver.send(.message(Message(.error, "of another")))
    driver.type(":log<Enter>")
    #expect(driver.screen.contains("Warning: of one kind"))
    #expect(driver.screen.contains("Error: of another"))
  }

  @Test func refreshingNothingSaysSo() {
    var driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    driver.type("R")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "There is no podcast to refresh yet: a adds one")
  }

  @Test(arguments: ["3", "7<Esc>"]) func anEmptyListHintsAtNothingThatNeedsAnEpisode(keys: String) {
    var driver = Driver()
    driver.type(keys)
    let hints = driver.lines[driver.lines.count - 3]
    #expect(hints.contains("podcasts"))
    for dead in ["Enter play", "x delete", "e queue", "m played"] { #expect(!hints.contains(dead)) }
  }

  @Test func whereTheSoundIsCanBeAsked() {
    var driver = Driver()
    driver.type("w")
    #expect(driver.state.message?.text == "Nothing is playing")
    driver.type("<Enter>")
    driver.startPlaying()
    driver.type("w")
    #expect(driver.state.message?.text == "5:30 of 10:00, chapter “Part at 300”, 1×, volume 100 %")
  }
}
