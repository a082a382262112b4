import Foundation
import Model
import Seeded
import TerminalKit
import Testing

@testable import AppCore

/// Every played second is recorded exactly once, whatever the listener does.
@Suite struct HeardSpanTests {
  @Test func spansEndAtPauses() {
    var driver = Driver.listening()
    driver.play(Driver.first)
    driver.answerPlay(from: 5)
    driver.begin()
    driver.hear(to: 9)
    driver.pause()
    #expect(driver.takeEffects().events == [.start, .play(from: 5, to: 9, total: 3600), .pause])
    driver.pause(false)
    driver.hear(to: 12)
    driver.type(":stop<Enter>")
    #expect(driver.takeEffects().events == [.start, .play(from: 9, to: 12, total: 3600), .pause])
  }

  @Test func seekEndsASpanAndBeginsAnother() {
    var driver = Driver.playing(from: 5)
    driver.hear(to: 9)
    driver.type(":seek 100<Enter>")
    driver.report(100)
    driver.hear(to: 103)
    driver.pause()
    #expect(driver.takeEffects().spans == [5...9, 100...103])
  }

  @Test func seekWhilePausedIsNotRecorded() {
    var driver = Driver.playing(from: 5)
    driver.hear(to: 9)
    driver.pause()
    driver.type(":seek 100<Enter>")
    driver.report(100)
    driver.pause(false)
    driver.hear(to: 102)
    driver.type(":stop<Enter>")
    #expect(driver.takeEffects().spans == [5...9, 100...102])
  }

  @Test func reportAfterAPauseIsRecorded() {
    var driver = Driver.playing(from: 5)
    driver.hear(to: 9)
    driver.pause()
    driver.report(9.6)
    driver.pause(false)
    driver.hear(to: 11)
    driver.type(":stop<Enter>")
    // A report during the pause is recorded at once.
    #expect(driver.takeEffects().spans == [5...9, 9...9.6, 9.6...11])
  }

  @Test func unrequestedJumpIsNotRecorded() {
    var driver = Driver.playing(from: 5)
    driver.hear(to: 9)
    driver.report(300)
    driver.hear(to: 302)
    driver.report(20)
    driver.hear(to: 21)
    driver.type(":stop<Enter>")
    #expect(driver.takeEffects().spans == [5...9, 300...302, 20...21])
  }

  @Test func spanIsRecordedOnceWhenPlaybackStopsTwice() {
    var driver = Driver.playing(from: 5)
    driver.hear(to: 9)
    driver.pause()
    driver.type(":stop<Enter>")
    driver.send(.terminate)
    let effects = driver.takeEffects()
    #expect(effects.spans == [5...9])
    #expect(effects.events.filter { $0 == .pause }.count == 1)
  }

  /// Random actions of the listener, and a player whose reports are correct but late. The recorded spans must equal
  /// the played ones.
  @Test(arguments: 0..<60) func recordedSpansEqualThePlayedOnes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var driver = Driver.playing(from: 1000)
    var heard: [ClosedRange<Double>] = []
    var second = 1000.0
    var isPaused = false
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where !isPaused:
        // The player reports the pause, and then the position.
        driver.pause()
        isPaused = true
        let rest = Double(Int.random(in: 0..<4, using: &random)) / 4
        if rest > 0 { heard.append(second...second + rest) }
        second += rest
        driver.report(second)
      case 1 where isPaused:
        driver.pause(false)
        isPaused = false
      case 2:
        let keys = ["<Left>", "<Right>", "<S-Left>", "<S-Right>"].randomElement(using: &random)!
        // A report may be in transit when the key is pressed.
        let before = driver.state.player.newestSeek
        driver.type(keys)
        if Bool.random(using: &random) { driver.report(second, seek: before) }
        second = driver.state.player.position
        driver.report(second)
      default:
        guard !isPaused else { continue }
        let step = Double(Int.random(in: 1...8, using: &random)) / 4
        heard.append(second...second + step)
        second += step
        driver.report(second)
      }
    }
    driver.type(":stop<Enter>")
    // Quarters of seconds, each with the number of times it was played.
    #expect(Self.quarters(driver.takeEffects().spans) == Self.quarters(heard))
  }

  private static func quarters(_ spans: [ClosedRange<Double>]) -> [Int: Int] {
    var count: [Int: Int] = [:]
    for span in spans {
      for quarter in Int(span.lowerBound * 4)..<Int(span.upperBound * 4) { count[quarter, default: 0] += 1 }
    }
    return count
  }
}
