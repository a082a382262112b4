import Foundation
import Model
import Session
import Testing

@testable import AppCore

/// The commands of `earshot ctl` that media keys do not have.
@Suite struct RemoteRequestTests {
  private static let chapters = [
    Chapter(start: 0, title: "A"), Chapter(start: 60, title: "B"), Chapter(start: 120, title: "C"),
  ]

  @Test func playEpisodeUsesItsNumber() {
    var driver = Driver.playing()
    driver.send(.remote(.playEpisode(Driver.second)))
    #expect(driver.takeEffects().plays == [Driver.second])
    #expect(driver.state.nowPlaying.hasLibrary)
  }

  @Test func chapterCommandTakesAStepOrANumber() {
    var driver = Driver.playing(from: 61, chapters: Self.chapters)
    #expect(driver.state.nowPlaying.chapters == 3)
    driver.send(.remote(.chapter(.next)))
    driver.send(.remote(.chapter(.number(1))))
    driver.send(.remote(.chapter(.number(9))))
    #expect(driver.takeEffects().seeks == [120, 0])
  }

  /// `earshot ctl` waits until it sees that a command was carried out.
  @Test func commandWithoutEffectIsCounted() {
    var driver = Driver.playing(from: 121, chapters: Self.chapters)
    driver.send(.remote(.chapter(.next)))
    #expect(driver.takeEffects().isEmpty && driver.state.nowPlaying.commands == 1)
    driver.send(.remote(.chapter(.number(1))))
    #expect(driver.takeEffects().seeks == [0] && driver.state.nowPlaying.commands == 1)
  }

  @Test func sleepTimerIsSetAndShown() {
    var driver = Driver.playing(chapters: Self.chapters)
    driver.send(.remote(.sleep("15")))
    #expect(driver.state.nowPlaying.sleep == 900 && driver.state.nowPlaying.sleepsAfter == nil)
    driver.send(.remote(.sleep("3 episodes")))
    #expect(driver.state.nowPlaying.sleep == nil && driver.state.nowPlaying.sleepsAfter == "3 episodes")
    driver.send(.remote(.sleep("off")))
    #expect(driver.state.nowPlaying.sleepsAfter == nil)
    #expect(driver.state.nowPlaying.commands == 3)
  }

  @Test(arguments: [
    ("15", SleepTimer.seconds(900)), ("0.5", .seconds(30)), ("0", nil), ("1440", .seconds(86_400)), ("off", nil),
    ("chapter", .endOfChapter), ("episode", .endOfEpisode), ("end", .endOfEpisode), ("3 episodes", .episodes(3)),
    ("1 episode", .endOfEpisode),
  ])
  func sleepAcceptsTimes(text: String, timer: SleepTimer?) throws {
    var driver = Driver.playing(chapters: Self.chapters)
    #expect(try SleepTimer.timer(text) == timer)
    driver.send(.remote(.sleep(text)))
    #expect(driver.state.message?.kind != .error)
  }

  @Test(arguments: ["", "-1", "soon", "0 episodes", "100 episodes", "3 episodic", "nan", "1441"])
  func sleepRefusesOtherTexts(text: String) {
    var driver = Driver.playing()
    #expect(throws: ReportedError.self) { try SleepTimer.timer(text) }
    driver.send(.remote(.sleep(text)))
    #expect(driver.state.message?.kind == .error)
  }

  @Test func clipIsMadeAtThePosition() {
    var driver = Driver.playing(from: 100)
    #expect(driver.state.nowPlaying.clipStart == nil)
    driver.report(100)
    driver.send(.remote(.clipStart))
    #expect(driver.state.nowPlaying.clipStart == 100)
    driver.report(110)
    driver.send(.remote(.clipEnd(title: "well said")))
    #expect(driver.takeEffects().contains(.write(.addClip(Driver.first, from: 100, to: 110, title: "well said"))))
    #expect(driver.state.nowPlaying.clipStart == nil)
    driver.send(.remote(.clipEnd(title: nil)))
    #expect(driver.takeEffects().isEmpty)
  }

  @Test func clipWithoutLengthIsNotMade() {
    var driver = Driver.playing(from: 100)
    driver.report(100)
    driver.send(.remote(.clipStart))
    _ = driver.takeEffects()
    driver.send(.remote(.clipEnd(title: "nothing")))
    #expect(driver.takeEffects().isEmpty)
    #expect(driver.state.message?.text == "A clip ends after its start, which is 1:40")
    #expect(driver.state.nowPlaying.clipStart == 100)
  }

  @Test func episodesAreQueuedInOrder() {
    var driver = Driver.playing(queue: [Driver.first])
    driver.send(.remote(.enqueue([Driver.second, Driver.first], next: false)))
    #expect(driver.takeEffects() == [.write(.enqueue([Driver.second], .end))])
    #expect(driver.state.nowPlaying.queued == 2)
    driver.send(.remote(.enqueue([Driver.third, Driver.second], next: true)))
    #expect(driver.state.queue == [Driver.first, Driver.third, Driver.second])
    #expect(driver.takeEffects() == [.write(.enqueue([Driver.third, Driver.second], .behind(Driver.first)))])
  }

  @Test func valuesOutOfRangeAreRefused() {
    var driver = Driver.playing()
    #expect(driver.message(after: ":speed 9<Enter>") == "“9” is not a speed: write a number from 0.5 to 4")
    #expect(driver.message(after: ":volume 500<Enter>") == "“500” is not a volume: write a number from 0 to 150")
    #expect(driver.takeEffects().isEmpty)
    #expect(driver.effects(of: ":speed 1.5<Enter>").contains(.player(.setSpeed(1.5))))
  }
}
