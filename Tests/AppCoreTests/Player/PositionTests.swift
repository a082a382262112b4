import Model
import TerminalKit
import Testing

@testable import AppCore

/// The position is never lost: every change of it is saved, and no wrong position is saved.
@Suite struct PositionTests {
  @Test func reportedPositionIsSaved() {
    var driver = Driver.playing()
    driver.hear(to: 5)
    #expect(driver.takeEffects().positions == [1, 2, 3, 4, 5])
    #expect(driver.state.library.rows[Driver.first]?.position == 5)
  }

  @Test func pauseSavesThePositionAndTheNextReport() {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 12)
    _ = driver.takeEffects()
    driver.pause()
    driver.report(12.4)
    let effects = driver.takeEffects()
    #expect(effects.positions == [12, 12.4])
    // The sound up to 12.4 marks the episode as playing, so it is marked as paused again.
    #expect(effects.statuses == [.paused, .paused])
  }

  /// `earshot sync` in another terminal has brought the position of another device.
  @Test(arguments: [false, true]) func commandMovesOnlyAPausedEpisode(isPaused: Bool) {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    if isPaused { driver.pause() }
    _ = driver.takeEffects()
    driver.send(.library(.movedElsewhere(Driver.first, 45)))
    #expect(driver.takeEffects().seeks == (isPaused ? [45] : []))
  }

  /// `^Z`, `earshot sync` in the shell, and `fg`.
  @Test(arguments: [false, true]) func suspendedEpisodeContinuesWhereAnotherDeviceStopped(isPaused: Bool) {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    if isPaused { driver.pause() }
    var effects = driver.effects(of: "<C-z>")
    #expect(effects.contains(.suspend))
    #expect(effects.positions == (isPaused ? [] : [14]) && effects.statuses == (isPaused ? [] : [.paused]))
    driver.send(.library(.movedElsewhere(Driver.first, 45)))
    driver.send(.resumed)
    effects = driver.takeEffects()
    #expect(effects.seeks == [45])
    #expect(effects.pauses == (isPaused ? [] : [false]))
  }

  @Test func seekSavesItsTargetImmediately() {
    var driver = Driver.playing(from: 10)
    driver.type("<Right>")
    let effects = driver.takeEffects()
    #expect(effects.seeks == [40])
    #expect(effects.positions.last == 40)
  }

  @Test(arguments: [":stop<Enter>", "q", "Q", "<C-c>"]) func everyStopSavesThePosition(keys: String) {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    driver.type("1<Esc><Esc>")
    let effects = driver.effects(of: keys)
    #expect(effects.positions == [14])
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
    #expect(effects.positions == [14])
    #expect(effects.spans == [10...14])
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
    #expect(effects.positions == [14])
    let saved = try #require(effects.firstIndex { if case .note(_, .position) = $0 { true } else { false } })
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
    #expect(driver.takeEffects().positions == [1])
    #expect(driver.effects(of: "<Right>").seeks == [31])
  }

  @Test(arguments: [":stop<Enter>", "Q"]) func quitWhileLoadingSavesNothing(keys: String) {
    var driver = Driver.listening()
    driver.play(Driver.second)
    let effects = driver.effects(of: keys)
    #expect(effects.positions == [])
    #expect(effects.events == [])
    #expect(effects.statuses == [])
  }

  @Test func markDuringPlaybackSavesThePositionBeforeTheStatus() throws {
    for keys in ["m", "x"] {
      var driver = Driver.playing(from: 10)
      driver.hear(to: 14)
      driver.type("g")
      let effects = driver.effects(of: keys)
      #expect(effects.positions == [14])
      guard case .write(let mark) = try #require(effects.last), case .setStatus([Driver.first], _, _) = mark else {
        Issue.record("the status is not written last: \(effects)")
        return
      }
      driver.send(.library(.stored(mark)))
      #expect(driver.takeEffects().contains(.stopPlayer))
    }
  }

  /// An episode that plays and is being marked. The library has not answered.
  private func marking(_ keys: String) throws -> (driver: Driver, mark: Write) {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 14)
    driver.type("g")
    let marks = driver.effects(of: keys).compactMap { effect -> Write? in
      if case .write(.setStatus(let ids, let status, _)) = effect, ids.contains(Driver.first), status.isOver {
        .setStatus(ids, status)
      } else {
        nil
      }
    }
    return (driver, try #require(marks.first))
  }

  @Test(arguments: ["m", "x", "M<Enter>"]) func playbackStopsOnlyAfterTheMarkIsStored(keys: String) throws {
    var (driver, mark) = try marking(keys)
    #expect(driver.state.player.phase == .playing)
    driver.hear(to: 16)
    driver.pause()
    driver.pause(false)
    #expect(driver.takeEffects().positions == [], "the mark is the last word about the place")
    driver.send(.library(.stored(mark)))
    let effects = driver.takeEffects()
    #expect(effects.contains(.stopPlayer) && driver.state.player.phase == .stopped)
    #expect(effects.positions == [] && effects.events == [] && effects.statuses == [])
  }

  @Test(arguments: ["m", "x", "M<Enter>"]) func playbackGoesOnIfTheMarkCannotBeStored(keys: String) throws {
    var (driver, mark) = try marking(keys)
    driver.send(.library(.failed(ReportedError("the disk is full"), of: mark)))
    #expect(driver.state.message?.text == "the disk is full" && driver.state.player.phase == .playing)
    #expect(driver.state.library.rows[Driver.first]?.status == .new, "the row shows what is stored")
    let effects = driver.takeEffects()
    #expect(!effects.contains(.stopPlayer) && effects.events == [.start] && effects.statuses == [.playing])
    driver.hear(to: 18)
    #expect(driver.takeEffects().positions == [15, 16, 17, 18])
    #expect(driver.effects(of: "Q").statuses == [.paused])
  }

  /// The mark may still be stored.
  @Test(arguments: [nil, .dequeue([Driver.first]), .setStatus([Driver.second], .played)] as [Write?])
  func failureOfSomethingElseIsNotThatOfTheMark(other: Write?) throws {
    var (driver, mark) = try marking("x")
    driver.send(.library(.failed(ReportedError("the disk is full"), of: other)))
    driver.hear(to: 16)
    let before = driver.takeEffects()
    #expect(before.positions == [] && before.events == [] && before.statuses == [])
    driver.send(.library(.stored(mark)))
    let effects = driver.takeEffects()
    #expect(effects.contains(.stopPlayer) && driver.state.player.phase == .stopped)
    #expect(effects.positions == [] && effects.events == [] && effects.statuses == [])
  }

  /// Played, then deleted. The second mark may still be stored.
  @Test func failureOfTheFirstOfTwoMarksLeavesTheSecond() throws {
    var (driver, mark) = try marking("m")
    driver.send { $0.mark([Driver.first], .deleted) }
    driver.send(.library(.failed(ReportedError("the disk is full"), of: mark)))
    driver.hear(to: 16)
    #expect(driver.takeEffects().positions == [])
    driver.send(.library(.stored(.setStatus([Driver.first], .deleted))))
    #expect(driver.takeEffects().contains(.stopPlayer) && driver.state.player.phase == .stopped)
  }

  /// Keys that were typed ahead must not store another state after the mark.
  @Test(arguments: ["Q", "b", "j<Enter>"]) func keysAfterAMarkDoNotOverwriteIt(keys: String) throws {
    var (driver, mark) = try marking("m")
    driver.hear(to: 16)
    driver.type(keys)
    let effects = driver.takeEffects()
    #expect(effects.savedEpisodes == [] && effects.events == [] && effects.statuses == [])
    driver.send(.library(.stored(mark)))
    let isNext = driver.state.player.episode?.id != Driver.first
    #expect(isNext || !driver.state.player.isActive)
    #expect(!isNext || !driver.takeEffects().contains(.stopPlayer))
  }

  @Test func markOfAnotherEpisodeStopsNothing() {
    var driver = Driver.playing(from: 10)
    driver.type("gjm")
    driver.send(.library(.stored(.setStatus([Driver.second], .played))))
    #expect(driver.state.player.phase == .playing && !driver.takeEffects().contains(.stopPlayer))
  }

  /// Enter on a finished episode, and `U`.
  @Test func undoOfPlayingAgainStopsAndRestoresTheMark() {
    var driver = Driver.listening()
    driver.play(Driver.third)
    driver.answerPlay(from: 0)
    driver.begin()
    #expect(driver.takeEffects().contains(.note(Driver.third, .jump(from: nil, to: 0))))
    driver.hear(to: 3)
    driver.type("U")
    driver.hear(to: 4)
    _ = driver.takeEffects()
    var restored = Restored()
    restored.episodes = [Driver.third]
    restored.over = [Driver.third]
    driver.send(
      .library(.undone(.back, "Play again", restored, place: EpisodePlace(episode: Driver.third, seconds: 0))))
    let effects = driver.takeEffects()
    #expect(effects.contains(.stopPlayer) && driver.state.player.phase == .stopped)
    #expect(effects.positions == [0] && effects.events == [] && effects.statuses == [])
    #expect(driver.state.library.rows[Driver.third]?.status == .played)
  }

  @Test func failedSeekCorrectsThePosition() {
    var driver = Driver.playing(from: 10)
    driver.hear(to: 20)
    driver.type(":seek 500<Enter>")
    #expect(driver.state.player.position == 500)
    _ = driver.takeEffects()
    driver.report(21)
    #expect(driver.state.player.position == 21)
    #expect(driver.takeEffects().positions == [21])
  }

  @Test func lateReportsDoNotSaveThePositionBeforeASeek() {
    var driver = Driver.playing(from: 10)
    let before = driver.state.player.newestSeek
    driver.type("<S-Right>")
    _ = driver.takeEffects()
    for step in 1...9 { driver.report(10 + Double(step) / 2, seek: before) }
    // A report from before the seek is dropped, even if it is near the target.
    driver.report(70.2, seek: before)
    #expect(driver.takeEffects().positions == [])
    #expect(driver.state.player.position == 70)
    driver.report(70.1)
    #expect(driver.takeEffects().positions == [70.1])
  }
}
