import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// Stored positions that cannot be reached, because the server sends the file only from its start.
@Suite struct UnseekableScripts {
  /// An episode with the stored position 50:02, whose server sends it only from its start.
  private func asked() -> Driver {
    var driver = Driver.resuming()
    driver.send(.player(.unreachable(generation: driver.generation, seconds: 3002)))
    // This was meant for the list.
    driver.type("<Enter>")
    driver.wait()
    return driver
  }

  @Test func unreachablePositionAsksBeforePlayback() {
    var driver = asked()
    #expect(driver.screen.contains("This server cannot start at 50:02"))
    #expect(driver.takeEffects().positions == [])
    #expect(driver.state.player.phase == .stopped && driver.state.player.position == 3002)
  }

  @Test func unreachablePositionOffersADownload() {
    var driver = asked()
    driver.type("<Enter>")
    let effects = driver.takeEffects()
    #expect(effects.contains(.network(.download([Driver.second]))) && effects.plays == [])
    driver.send(.download(.finished(Driver.first, title: "Another", bytes: 9)))
    #expect(driver.takeEffects().plays == [])
    driver.send(.download(.finished(Driver.second, title: "It", bytes: 9)))
    #expect(driver.takeEffects().contains { $0.isPlay(Driver.second, from: 3002) })
    driver.send(.download(.finished(Driver.second, title: "It", bytes: 9)))
    #expect(driver.takeEffects().plays == [], "once")
  }

  @Test func finishedDownloadDoesNotInterruptAnotherEpisode() {
    var driver = asked()
    driver.type("<Enter>")
    driver.play(Driver.first)
    driver.type("Q")
    _ = driver.takeEffects()
    driver.send(.download(.finished(Driver.second, title: "It", bytes: 9)))
    #expect(driver.takeEffects().plays == [])
  }

  @Test func failedDownloadPlaysNothing() {
    var driver = asked()
    driver.type("<Enter>")
    driver.send(.download(.failed(Driver.second, .local, message: "no room")))
    _ = driver.takeEffects()
    driver.send(.download(.finished(Driver.second, title: "It", bytes: 9)))
    #expect(driver.takeEffects().plays == [])
  }

  @Test func unreachablePositionCanBeReadUpTo() {
    var driver = asked()
    let effects = driver.effects(of: "j<Enter>")
    #expect(effects.contains(.player(.readUpToPosition(generation: driver.generation))))
    #expect(effects.contains { $0.isPlay(Driver.second, from: 3002) })
  }

  /// A clip does not move the stored position, however it is reached.
  @Test(arguments: [false, true]) func clipBehindAnUnreachableStartKeepsThePosition(isDownloaded: Bool) {
    var driver = askedAbout(.excerpt(300...310))
    driver.type(isDownloaded ? "<Enter>" : "j<Enter>")
    if isDownloaded { driver.send(.download(.finished(Driver.second, title: "It", bytes: 9))) }
    driver.answerPlay(from: 300)
    driver.begin(duration: nil)
    driver.hear(to: 305)
    driver.type("Q")
    let effects = driver.takeEffects()
    #expect(effects.contains { $0.isPlay(Driver.second, from: 300) })
    #expect(effects.positions == [] && !effects.contains { if case .note(_, .jump) = $0 { true } else { false } })
  }

  /// A jump that is read up to can be taken back.
  @Test func jumpBehindAnUnreachableStartIsNoted() {
    var driver = askedAbout(.jump)
    driver.type("j<Enter>")
    driver.answerPlay(from: 300)
    driver.begin(duration: nil)
    driver.hear(to: 305)
    let effects = driver.takeEffects()
    #expect(effects.contains(.note(Driver.second, .jump(from: nil, to: 300))))
    #expect(driver.state.player.jumps.places == [EpisodePlace(episode: Driver.second, seconds: 3002)])
  }

  /// The same episode, which is to be played from 5:00.
  private func askedAbout(_ reason: PlayerState.LoadReason) -> Driver {
    var driver = asked()
    driver.type("<Esc>")
    driver.send { $0.play(Driver.second, from: 300, as: reason) }
    driver.answerPlay(from: 300)
    driver.send(.player(.unreachable(generation: driver.generation, seconds: 300)))
    driver.wait()
    _ = driver.takeEffects()
    return driver
  }

  @Test func playingFromTheStartKeepsTheStoredPosition() {
    var driver = asked()
    driver.type("jj<Enter>")
    #expect(driver.takeEffects().contains { $0.isPlay(Driver.second, from: 0) })
    driver.answerPlay(from: 0)
    driver.begin(duration: nil)
    driver.hear(to: 20)
    driver.type("Q")
    let effects = driver.takeEffects()
    #expect(effects.positions == [] && !effects.contains { if case .note(_, .jump) = $0 { true } else { false } })
  }

  @Test func keysForAPromptDoNotAnswerTheQuestion() {
    var driver = asked()
    driver.type("<Esc>")
    driver.play(Driver.second)
    driver.type(":")
    driver.send(.player(.unreachable(generation: driver.generation, seconds: 3002)))
    #expect(driver.state.overlays.count == 1)
    #expect(driver.state.message?.text.contains("only from its start") == true)
  }

  @Test func episodeWithoutAPositionDoesNotAsk() {
    var driver = Driver.listening()
    driver.play(Driver.first)
    driver.answerPlay(from: 30)
    _ = driver.takeEffects()
    driver.send(.player(.unreachable(generation: driver.generation, seconds: 30)))
    #expect(driver.state.overlays.isEmpty && driver.takeEffects().contains { $0.isPlay(Driver.first, from: 0) })
  }
}
