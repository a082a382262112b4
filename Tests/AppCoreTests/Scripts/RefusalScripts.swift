import Model
import TerminalKit
import Testing

@testable import AppCore

/// A player that cannot write the library reports that, and does nothing else.
@Suite struct RefusalScripts {
  private static let reason = "The library /x cannot be written: the file or its directory is read-only."

  /// A driver that plays, with a read-only library.
  private static func driver() -> Driver {
    var driver = Driver.playing(from: 100, chapters: PlayerRequestTests.chapters, queue: [Driver.first, Driver.second])
    driver.state.access.readOnlyReason = reason
    _ = driver.takeEffects()
    return driver
  }

  @Test(arguments: ["m", "x", "e", "E", "d", "U", "<C-r>", "a", "R", "A", "#", "M", "D", ":show speed 1.5<Enter>"])
  func readOnlyCommandsReportOnlyTheRefusal(keys: String) {
    var driver = Self.driver()
    let (rows, queue, log) = (driver.state.library.rows, driver.state.queue, driver.state.messages.log.count)
    driver.type(keys)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message == Message(.error, Self.reason))
    #expect(driver.state.messages.log.dropFirst(log).map(\.text) == [Self.reason], "nothing else was said on the way")
    #expect(driver.state.library.rows == rows && driver.state.queue == queue && driver.state.overlays.isEmpty)
    #expect(driver.state.player.phase == .playing)
  }

  /// No command leads to an effect that changes the library.
  @Test(arguments: Command.table.map(\.name)) func readOnlyLibraryIsNotChangedByAnyCommand(name: CommandName) {
    let playing = Self.driver()
    for place in ["1", "1<Enter>", "5"] {
      for argument in ["", " 2", " speed 2"] {
        var driver = playing
        driver.type(place)
        let changes = driver.effects(of: ":\(name)\(argument)<Enter>y<Enter>").filter { $0.changesLibrary }
        #expect(changes == [], ":\(name)\(argument)")
      }
    }
  }

  @Test func readOnlyPlayerReportsItToOtherPrograms() {
    #expect(Self.driver().state.nowPlaying.unwritable == Self.reason)
    #expect(Driver.playing().state.nowPlaying.unwritable == nil)
  }

  /// The other Earshot has ended, so this one may play.
  @Test func readOnlyPlayerBecomesThePlayer() {
    var driver = Driver.listening()
    driver.state.access.refusal = "Another Earshot is running; this one is read-only"
    driver.type("2<Enter>x")
    #expect(driver.state.message?.kind == .error)
    _ = driver.takeEffects()
    driver.send(.becamePlayer)
    #expect(driver.takeEffects().contains(.terminal(.becomePlayer)))
    let row = driver.library.row(Driver.second)!
    var preferences = driver.state.preferences
    (preferences.volume, preferences.speed) = (70, 1.5)
    driver.send { [preferences] in
      $0.becomePlayer(offering: row, heard: PlaybackSettings(), preferences: preferences, jumps: "1@90.0")
    }
    #expect(driver.state.message?.text.contains("This one plays") == true)
    #expect(driver.state.player.volume == 70 && driver.state.player.generalSpeed == 1.5)
    #expect(driver.state.player.jumps.places.count == 1)
    driver.type("<Space>")
    #expect(driver.takeEffects().plays == [Driver.second])
    #expect(driver.effects(of: "x").contains { if case .write(.setStatus) = $0 { true } else { false } })
  }

  @Test func readOnlyPlayerStillRecordsListening() {
    var driver = Self.driver()
    driver.type("<Right>]+b")
    let effects = driver.takeEffects()
    #expect(effects.plays == [Driver.second])
    #expect(driver.state.message?.text != Self.reason)
  }

  /// It claims no change of the sound and no sleep timer, because nothing plays here.
  @Test(arguments: [
    "]", "[", "\\", "+", "-", "s", "S", ":speed 2<Enter>", ":volume 50<Enter>", ":sleep 10<Enter>", ":mono on<Enter>",
    ":levelling on<Enter>", ":skip-silence on<Enter>", ":device auto<Enter>",
  ])
  func readOnlyPlayerChangesNoSound(keys: String) {
    var driver = Driver()
    driver.state.access.refusal = "Another Earshot is running; this one is read-only"
    driver.type(keys)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == driver.state.access.refusal)
    #expect(driver.state.overlays.isEmpty && driver.state.sleepMark == nil)
    #expect(
      driver.state.player.speed == 1 && driver.state.player.volume == 100 && driver.state.sound == Driver().state.sound)
  }

  @Test func readOnlyPlayerShowsOnlyThatReason() {
    var driver = Driver.listening(queue: [Driver.second])
    driver.state.access.refusal = "Another Earshot is running; this one is read-only"
    driver.type("m")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.messages.log.map(\.text) == [driver.state.access.refusal!])
    driver.state.access.refusal = nil
    driver.type("m")
    #expect(driver.takeEffects() != [])
  }

  @Test func libraryThatBecomesWritableIsWritten() {
    var driver = Self.driver()
    driver.send(.library(.writable))
    driver.type("m")
    let changes = driver.takeEffects().filter { $0.changesLibrary }
    #expect(!changes.isEmpty)
  }

  /// An overlay that was open before closes when it is answered.
  @Test func answeredOverlayCloses() {
    var driver = Driver()
    driver.type("D")
    driver.state.access.readOnlyReason = Self.reason
    driver.type("y")
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
    #expect(driver.state.message == Message(.error, Self.reason))
  }
}
