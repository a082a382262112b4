import Model
import TerminalKit
import Testing

@testable import AppCore

/// The position is never lost: every change of it is saved, and no wrong position is saved.
@Suite struct PositionTests {
  @Test func reportedPositionIsSaved() {
    var driver = Driver.playing()
    driver.hear(to: 5)
    #expect(driver.takeEffects().places == [1, 2, 3, 4, 5])
    #expect(driver.state.rows[Driver.first]?.position == 5)
  }

  @Test func pauseSavesThePositionAndTheNextReport() {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 12)
    _ = driver.takeEffects()
    driver.pause()
    driver.report(12.4)
    let effects = driver.takeEffects()
    #expect(effects.places == [12, 12.4])
    #expect(effects.statuses == [.paused])
  }

  @Test func seekSavesItsTargetImmediately() {
    var driver = Driver.playing(from: 10)
    driver.type("<Right>")
    let effects = driver.takeEffects()
    #expect(effects.seeks == [40])
    #expect(effects.places.last == 40)
  }

  @Test(arguments: [":stop<Enter>", "q", "Q", "<C-c>"]) func everyStopSavesThePosition(keys: String) {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    driver.type("1<Esc><Esc>")
    _ = driver.takeEffects()
    driver.type(keys)
    let effects = driver.takeEffects()
    #expect(effects.places == [14])
    #expect(effects.statuses == [.paused])
    #expect(effects.contains(.stopPlayer))
    if !keys.hasPrefix(":") { #expect(effects.last == .quit) }
  }

  @Test func signalSavesThePosition() {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    _ = driver.takeEffects()
    driver.send(.terminate)
    let effects = driver.takeEffects()
    #expect(effects.places == [14])
    #expect(effects.stretches == [10...14])
    #expect(effects.last == .quit)
    driver.send(.terminate)
    #expect(driver.takeEffects() == [.quit])
  }

  @Test func changeOfEpisodeSavesThePreviousPositionFirst() throws {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    _ = driver.takeEffects()
    driver.play(Driver.third)
    let effects = driver.takeEffects()
    #expect(effects.savedEpisodes == [Driver.first])
    #expect(effects.places == [14])
    let saved = try #require(effects.firstIndex { if case .write(.savePosition) = $0 { true } else { false } })
    let asked = try #require(effects.firstIndex { if case .player(.play) = $0 { true } else { false } })
    #expect(saved < asked)
  }

  @Test func pendingSeekDoesNotAffectTheNextEpisode() {
    var driver = Driver.playing(from: 10)
    driver.type(":seek 500<Enter>")
    driver.play(Driver.third)
    driver.answerPlay(from: 0)
    driver.begin()
    _ = driver.takeEffects()
    driver.report(1)
    #expect(driver.takeEffects().places == [1])
    driver.type("<Right>")
    #expect(driver.takeEffects().seeks == [31])
  }

  @Test(arguments: [":stop<Enter>", "Q"]) func quitWhileLoadingSavesNothing(keys: String) {
    var driver = Driver.listening()
    driver.play(Driver.second)
    _ = driver.takeEffects()
    driver.type(keys)
    let effects = driver.takeEffects()
    #expect(effects.places == [])
    #expect(effects.events == [])
    #expect(effects.statuses == [])
  }

  @Test func markDuringPlaybackSavesThePositionBeforeTheStatus() throws {
    for keys in ["m", "x"] {
      var driver = Driver.playing(from: 10)
      driver.hear(to: 14)
      driver.type("g")
      _ = driver.takeEffects()
      driver.type(keys)
      let effects = driver.takeEffects()
      #expect(effects.places == [14])
      #expect(effects.contains(.stopPlayer))
      guard case .write(.setStatus([Driver.first], _)) = try #require(effects.last) else {
        Issue.record("the status is not written last: \(effects)")
        return
      }
    }
  }

  @Test func failedSeekCorrectsThePosition() {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 20)
    driver.type(":seek 500<Enter>")
    #expect(driver.state.player.position == 500)
    _ = driver.takeEffects()
    driver.report(21)
    #expect(driver.state.player.position == 21)
    #expect(driver.takeEffects().places == [21])
  }

  @Test func lateReportsDoNotSaveThePositionBeforeASeek() {
    var driver = Driver.playing(from: 10)
    let before = driver.state.player.newestSeek
    driver.type("<S-Right>")
    _ = driver.takeEffects()
    for step in 1...9 { driver.report(10 + Double(step) / 2, seek: before) }
    // A report from before the seek is dropped, even if it is near the target.
    driver.report(70.2, seek: before)
    #expect(driver.takeEffects().places == [])
    #expect(driver.state.player.position == 70)
    driver.report(70.1)
    #expect(driver.takeEffects().places == [70.1])
  }
}
