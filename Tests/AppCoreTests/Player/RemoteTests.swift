import Foundation
import Model
import Testing

@testable import AppCore

/// Media keys and `earshot ctl`.
@Suite struct RemoteTests {
  @Test func playAndPauseAreNotToggles() {
    var driver = Driver.playing()
    _ = driver.takeEffects()
    driver.send(.remote(.play))
    #expect(driver.takeEffects() == [])
    driver.send(.remote(.pause))
    #expect(driver.takeEffects() == [.setPaused(true)])
    driver.send(.player(.paused(generation: driver.generation, true)))
    _ = driver.takeEffects()
    driver.send(.remote(.pause))
    #expect(driver.takeEffects() == [])
    driver.send(.remote(.toggle))
    #expect(driver.takeEffects() == [.setPaused(false)])
  }

  /// The player has not reported the first one yet.
  @Test func repeatedPlayAndPauseAreNotToggles() {
    var driver = Driver.playing()
    driver.send(.remote(.pause))
    driver.send(.remote(.pause))
    #expect(driver.takeEffects().pauses == [true])
    driver.send(.remote(.play))
    driver.send(.remote(.play))
    #expect(driver.takeEffects().pauses == [false])
    driver.send(.player(.paused(generation: driver.generation, false)))
    driver.send(.remote(.play))
    #expect(driver.takeEffects().pauses == [])
  }

  @Test func seeksAreCountedAndShown() {
    var driver = Driver.playing()
    let before = driver.state.nowPlaying
    driver.send(.remote(.seek(to: 120)))
    driver.send(.remote(.seekBy(-20)))
    let after = driver.state.nowPlaying
    #expect(after.position == 100)
    #expect(after.seeks == before.seeks + 2)
    _ = driver.takeEffects()
    for wrong in [RemoteCommand.seek(to: .nan), .seekBy(.infinity), .speed(.nan), .volume(-.infinity)] {
      driver.send(.remote(wrong))
    }
    #expect(driver.takeEffects() == [])
    driver.send(.remote(.speed(99)))
    driver.send(.remote(.volume(999)))
    #expect(driver.state.nowPlaying.speed == 4 && driver.state.nowPlaying.volume == 150)
  }

  @Test func nextUsesTheQueue() {
    var driver = Driver.playing(queue: [])
    #expect(!driver.state.nowPlaying.hasNext)
    driver = Driver.playing(queue: [Driver.second])
    #expect(driver.state.nowPlaying.hasNext && driver.state.nowPlaying.queued == 1)
    _ = driver.takeEffects()
    driver.send(.remote(.next))
    #expect(driver.takeEffects().plays.contains(Driver.second))
  }

  @Test func quitSavesThePosition() {
    var driver = Driver.playing()
    _ = driver.takeEffects()
    driver.send(.remote(.quit))
    let effects = driver.takeEffects()
    #expect(effects.last == .quit)
    #expect(!effects.positions.isEmpty)
  }

  @Test func nowPlayingIsEmptyWithoutPlayback() {
    let now = Driver().state.nowPlaying
    #expect(now.status == .stopped && now.title == nil && !now.hasPrevious)
  }
}
