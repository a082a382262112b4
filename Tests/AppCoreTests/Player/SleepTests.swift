import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// The sleep timer counts the time of playback, in real time.
@Suite struct SleepTests {
  @Test func sleepTimerPausesAfterThePlayedTime() {
    var driver = Driver.playing()
    driver.type(":sleep 1<Enter>")
    driver.hear(to: 59)
    #expect(driver.takeEffects().pauses == [])
    driver.report(60)
    #expect(driver.takeEffects().pauses == [true])
    #expect(driver.state.player.sleep == nil)
    driver.report(61)
    #expect(driver.takeEffects().pauses == [])
  }

  @Test func sleepTimerIgnoresPausesAndSeeks() {
    var driver = Driver.playing()
    driver.type(":sleep 1<Enter>")
    driver.hear(to: 30)
    driver.pause()
    driver.report(30.5)
    driver.type("<Right><Right>")
    driver.report(90)
    driver.pause(false)
    driver.type(":seek 600<Enter>")
    driver.report(600)
    driver.hear(to: 629)
    #expect(driver.takeEffects().pauses == [])
    driver.hear(to: 630)
    #expect(driver.takeEffects().pauses == [true])
  }

  @Test func sleepTimerCountsRealTimeAtDoubleSpeed() {
    var driver = Driver.playing()
    driver.type(":speed 2<Enter>:sleep 1<Enter>")
    driver.hear(to: 118)
    #expect(driver.takeEffects().pauses == [])
    driver.hear(to: 120)
    #expect(driver.takeEffects().pauses == [true])
  }

  @Test func sleepTimerStopsAtTheEndOfTheChapter() {
    var driver = Driver.playing(from: 90, chapters: PlayerRequestTests.chapters)
    driver.setSleep(.endOfChapter)
    driver.hear(to: 99)
    #expect(driver.takeEffects().pauses == [])
    driver.hear(to: 101)
    #expect(driver.takeEffects().pauses == [true])
  }

  @Test func sleepPickerOffersTheChapterEndOnlyWithChapters() {
    var driver = Driver.playing()
    driver.type("s")
    #expect(driver.screen.contains("End of this episode") && !driver.screen.contains("End of this chapter"))
    driver.type("<Esc>:sleep chapter<Enter>")
    #expect(driver.state.player.sleep == nil)
    #expect(driver.state.message?.text == "This episode has no chapters")
    driver = Driver.playing(chapters: PlayerRequestTests.chapters)
    #expect(driver.screen(after: "s").contains("End of this chapter"))
    driver.type("<Esc>:sleep chapter<Enter>")
    #expect(driver.state.player.sleep == .endOfChapter)
  }

  @Test func sleepTimerIgnoresASeekThatLandsJustBeforeAChapter() {
    var driver = Driver.playing(from: 10, chapters: PlayerRequestTests.chapters)
    driver.setSleep(.endOfChapter)
    driver.type(">")
    driver.report(99.97)
    driver.hear(to: 150)
    #expect(driver.takeEffects().pauses == [])
    driver.hear(to: 201)
    #expect(driver.takeEffects().pauses == [true])
  }

  @Test(arguments: [(55.0, true), (58.0, true), (62.0, false), (100.0, false)])
  func sleepTimerThatFadesAtTheEndStopsThere(seconds: Double, sleeps: Bool) {
    var driver = Driver.playing(from: 3560, queue: [Driver.first, Driver.second])
    driver.setSleep(.seconds(seconds))
    driver.hear(to: 3599)
    let effects = driver.takeEffects()
    #expect(effects.prepared.isEmpty == sleeps, "nothing is opened for nobody")
    driver.end(at: 3600, atEnd: true)
    #expect(driver.takeEffects().plays == (sleeps ? [] : [Driver.second]))
    #expect((driver.state.player.sleep == nil) == sleeps)
    #expect(driver.screen.contains("The sleep timer stopped playback") == sleeps)
  }

  @Test(arguments: [SleepTimer.endOfEpisode, .endOfChapter]) func sleepTimerEndsWithTheEpisode(
    timer: SleepTimer
  ) {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second])
    driver.setSleep(timer)
    driver.end(at: 3600, atEnd: true)
    let effects = driver.takeEffects()
    #expect(effects.statuses == [.played])
    #expect(effects.plays == [])
    #expect(driver.state.player.sleep == nil)
    #expect(driver.state.queue == [Driver.second])
  }

  @Test func sleepTimerIsKeptAfterATruncatedStream() {
    var driver = Driver.playing(from: 10)
    driver.setSleep(.endOfEpisode)
    driver.end(at: 20, atEnd: false)
    #expect(driver.state.player.sleep == .endOfEpisode)
  }

  @Test func sleepPickerStartsAndEndsTheTimer() {
    var driver = Driver.playing()
    driver.type("sj<Enter>")
    #expect(driver.state.player.sleep == .seconds(30 * 60))
    #expect(driver.screen.contains("sleep 30m"))
    driver.type("sG<Enter>")
    #expect(driver.state.player.sleep == nil)
    driver.type(":sleep 10<Enter>:sleep 0<Enter>")
    #expect(driver.state.player.sleep == nil)
  }

  @Test(arguments: [("2h", 120.0), ("1h30m", 90), ("45m", 45), ("0.5", 0.5)])
  func sleepTakesHoursAndMinutes(typed: String, minutes: Double) {
    var driver = Driver.playing()
    driver.type(":sleep \(typed)<Enter>")
    #expect(driver.state.player.sleep == .seconds(minutes * 60))
  }

  @Test(arguments: ["-1", "soon", "nan", "inf", "h", "3m2h", "٣h"]) func sleepReportsInvalidMinutes(typed: String) {
    var driver = Driver.playing()
    driver.type(":sleep \(typed)<Enter>")
    #expect(
      driver.state.message
        == Message(
          .error, "“\(typed)” is not a time for the sleep timer: write 15, 1h30m, off, chapter, episode or 3 episodes"))
    #expect(driver.state.player.sleep == nil)
  }

  @Test func sleepTimerHasALongestTime() {
    var driver = Driver.playing()
    driver.type(":sleep 2000<Enter>")
    #expect(driver.state.message == Message(.error, "A sleep timer has at most 1440 minutes, which is a day"))
    #expect(driver.state.player.sleep == nil)
  }
}

extension SleepTests {
  @Test func sleepTimerCountsEpisodes() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second])
    driver.type(":sleep 2 episodes<Enter>")
    #expect(driver.state.player.sleep == .episodes(2))
    driver.end(at: 3600, atEnd: true)
    #expect(driver.takeEffects().plays == [Driver.second])
    #expect(driver.state.player.sleep == .endOfEpisode)
  }

  @Test func sleepTimerFadesOut() {
    var driver = Driver.playing()
    driver.type(":sleep 1<Enter>")
    driver.hear(to: 50)
    let fades = driver.takeEffects().fades
    #expect(fades == fades.sorted(by: >))
    #expect(fades.last == 0.5)
    driver.hear(to: 60)
    let effects = driver.takeEffects()
    #expect(effects.pauses == [true])
    #expect(effects.fades.last == 1)
    #expect(driver.state.player.sound?.isFading == false)
  }

  @Test func sleepExtendAddsTimeAndRestoresTheVolume() {
    var driver = Driver.playing()
    driver.type(":sleep 1<Enter>")
    driver.hear(to: 50)
    #expect(driver.effects(of: "S").fades == [1])
    #expect(driver.state.player.sleep == SleepTimer.seconds(10 + 15 * 60))
    driver.type(":sleep episode<Enter>S")
    #expect(driver.state.player.sleep == .episodes(2))
    driver.type(":sleep chapter<Enter>:sleep off<Enter>")
    #expect(driver.state.player.sleep == nil)
    driver.type("S")
    #expect(driver.state.player.sleep == .seconds(15 * 60))
  }

  /// The key would go back to the place of an older timer, which may be in another episode.
  @Test func sleepTimerOfALoadingEpisodeForgetsTheOldPosition() {
    var driver = Driver.playing(from: 100)
    driver.type(":sleep 1<Enter>")
    driver.play(Driver.second)
    #expect(
      driver.effects(of: ":sleep episode<Enter>").contains(.saveSetting(.sleepMark, ""))
        && driver.state.sleepMark == nil)
  }

  @Test func sleepTimerRemembersItsPosition() {
    var driver = Driver.playing(from: 100)
    #expect(driver.effects(of: ":sleep 1<Enter>").contains(.saveSetting(.sleepMark, "1@100.0")))
    driver.hear(to: 160)
    #expect(
      driver.state.message?.text == "The sleep timer paused playback. Press Z to go back to 1:40, where it was set.")
    driver.pause()
    #expect(driver.effects(of: "Z").seeks == [100])
    #expect(EpisodePlace("1@100.0") == EpisodePlace(episode: EpisodeID(1), seconds: 100))
    #expect(EpisodePlace("nonsense") == nil)
    #expect(EpisodePlace("1@nan") == nil)
  }
}

extension Driver {
  fileprivate mutating func setSleep(_ timer: SleepTimer) {
    send {
      $0.setSleep(timer)
      return []
    }
  }
}
