import Model
import TerminalKit
import Testing

@testable import AppCore

/// The next file is prepared near the end of the current one.
@Suite struct UpcomingTests {
  private let upcoming = UpcomingEpisode(episode: Driver.second, speed: 1, volume: 100)

  private func nearEnd(
    queue: [EpisodeID] = [Driver.first, Driver.second, Driver.third], chapters: [Chapter] = []
  ) -> Driver {
    var driver = Driver.playing(from: 3560, chapters: chapters, queue: queue)
    driver.hear(to: 3571)
    return driver
  }

  @Test func upcomingFileIsPreparedOnce() {
    var driver = Driver.playing(from: 3560, queue: [Driver.first, Driver.second])
    driver.hear(to: 3569)
    #expect(driver.takeEffects().prepared == [])
    driver.hear(to: 3580)
    #expect(driver.takeEffects().prepared == [upcoming])
    driver.end(at: 3600, atEnd: true)
    let effects = driver.takeEffects()
    #expect(effects.plays == [Driver.second])
    #expect(effects.prepared == [])
  }

  /// The listener has begun with the second item. The end, the preparation, the key and the sleep timer agree.
  @Test func queueContinuesBehindTheChosenEpisode() {
    let queue = [Driver.first, Driver.second, Driver.third]
    var driver = Driver.playing(Driver.second, from: 3560, queue: queue)
    driver.hear(to: 3580)
    #expect(driver.takeEffects().prepared.map { $0?.episode } == [Driver.third])
    driver.end(at: 3600, atEnd: true)
    #expect(driver.takeEffects().plays == [Driver.third])
    driver.answerPlay(from: 0)
    driver.begin()
    driver.end(at: 3600, atEnd: true)
    #expect(driver.takeEffects().plays == [Driver.first])

    driver = Driver.playing(Driver.second, queue: queue)
    driver.type("b")
    #expect(driver.takeEffects().plays == [Driver.third])

    driver = Driver.playing(Driver.second, from: 3560, queue: queue)
    driver.type(":sleep episode<Enter>")
    driver.end(at: 3600, atEnd: true)
    #expect(driver.state.player.episode?.id == Driver.third)
    #expect(driver.takeEffects().contains(.note(Driver.third, .began)))
  }

  @Test func currentEpisodeKeepsItsPlaceInTheQueue() {
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third])
    driver.type("jE")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "The current episode cannot be queued to play next")
    driver.type("gE")
    #expect(driver.state.queue == [Driver.second, Driver.first, Driver.third])
  }

  @Test func upcomingFileIsPreparedEarlierAtDoubleSpeed() {
    var driver = Driver.playing(from: 3530, queue: [Driver.second])
    driver.send(.player(.speed(2)))
    driver.hear(to: 3541)
    #expect(driver.takeEffects().prepared.compactMap { $0?.episode } == [Driver.second])
  }

  @Test func upcomingFileFollowsTheQueue() {
    var driver = nearEnd()
    _ = driver.takeEffects()
    driver.sendQueue([Driver.first, Driver.third])
    #expect(driver.takeEffects().prepared.map { $0?.episode } == [Driver.third])
    driver.sendQueue([Driver.first])
    #expect(driver.takeEffects().prepared == [nil])
  }

  @Test func upcomingFileIsDroppedWhenItWillNotFollow() {
    for keys in [":sleep episode<Enter>", ":seek 100<Enter>", ":sleep chapter<Enter>"] {
      var driver = nearEnd(chapters: PlayerRequestTests.chapters)
      #expect(driver.takeEffects().prepared == [upcoming])
      driver.type(keys)
      #expect(driver.takeEffects().prepared == [nil], "\(keys)")
    }
  }

  @Test func sleepTimerContinuesInTheUpcomingFile() {
    var driver = nearEnd()
    #expect(driver.effects(of: ":sleep 2 episodes<Enter>").prepared == [])
  }

  @Test func upcomingFileUsesTheCurrentVolume() {
    var driver = nearEnd()
    #expect(driver.effects(of: ":volume 50<Enter>").prepared.map { $0?.volume } == [50])
  }

  /// The next file replaces the outro, without a pause between.
  @Test func outroIsReplacedByTheUpcomingFile() {
    var settings = PlaybackSettings()
    settings.outro = 60
    var driver = Driver.playing(from: 3500, queue: [Driver.first, Driver.second])
    guard let podcast = driver.state.player.episode?.podcast else {
      Issue.record("nothing plays")
      return
    }
    driver.send(.library(.playbackSettings(podcast, settings)))
    driver.hear(to: 3539)
    #expect(driver.takeEffects().prepared == [upcoming])
    driver.hear(to: 3541)
    let effects = driver.takeEffects()
    #expect(effects.plays == [Driver.second])
    #expect(effects.statuses == [.played])
    #expect(!effects.contains(.stopPlayer))
  }
}

extension [Effect] {
  var prepared: [UpcomingEpisode?] {
    compactMap { effect -> UpcomingEpisode?? in
      if case .player(.prepare(let upcoming)) = effect { .some(upcoming) } else { nil }
    }
  }
}

extension Driver {
  /// Answers a question about the queue.
  fileprivate mutating func sendQueue(_ ids: [EpisodeID]) {
    let rows = ids.compactMap { library.row($0) }
    send(.answer(state.awaited.begin(.library(QueueQuestion())), QueueQuestion().answer(rows)))
  }
}
