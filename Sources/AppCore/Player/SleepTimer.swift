import Foundation
import Model
import Session
import TerminalKit

/// The commands of the sleep timer.
extension State {
  /// The position at which the timer was last set. The listener was awake there.
  public typealias SleepMark = EpisodePlace

  /// A day.
  private static let maxSleepMinutes = 1440.0

  mutating func sleep(_ argument: String?) -> [Effect] {
    guard let argument else {
      let choices = SleepChoice.offered(self)
      let current = player.sleep.flatMap { timer in choices.firstIndex { $0.timer == timer } }
      return open(Picker(SleepPicker(), choices, selected: current ?? 0))
    }
    switch argument {
    case "off": return setSleep(nil)
    case "chapter":
      if let noChaptersHere {
        showMessage(.error, noChaptersHere)
        return []
      }
      return setSleep(.endOfChapter)
    case "episode", "end": return setSleep(.endOfEpisode)
    default: break
    }
    if let problem = Self.sleepProblem(argument) {
      showMessage(.error, problem)
      return []
    }
    if let count = Self.sleepEpisodes(argument) { return setSleep(count == 1 ? .endOfEpisode : .episodes(count)) }
    let minutes = Double(argument) ?? 0
    return setSleep(minutes > 0 ? .seconds(minutes * 60) : nil)
  }

  /// Why `:sleep` and `earshot ctl sleep` refuse this argument. Nil if they accept it.
  public static func sleepProblem(_ text: String) -> String? {
    if ["off", "chapter", "episode", "end"].contains(text) || sleepEpisodes(text) != nil { return nil }
    guard let minutes = Double(text), minutes.isFinite, minutes >= 0 else {
      return "“\(text)” is not a number of minutes: write 15, off, chapter, episode or 3 episodes"
    }
    guard minutes <= maxSleepMinutes else {
      return "A sleep timer has at most \(Int(maxSleepMinutes)) minutes, which is a day"
    }
    return nil
  }

  /// The number in “3 episodes”, 1 to 99.
  private static func sleepEpisodes(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1].hasPrefix("episode"), let count = Int(words[0]) else { return nil }
    return (1...99).contains(count) ? count : nil
  }

  @discardableResult
  mutating func setSleep(_ timer: SleepTimer?) -> [Effect] {
    let effects = updateSession { player, _ in player.setSleep(timer) }
    showMessage(.note, timer.map { "Sleep timer: \(PlayerText.sleep($0).dropFirst(6))" } ?? "Sleep timer off")
    guard timer != nil else { return effects }
    guard player.phase == .playing || player.phase == .paused, let episode = player.episode else {
      // The key must not go back to the mark of an older timer.
      sleepMark = nil
      return effects + [.write(.saveSetting(.sleepMark, ""))]
    }
    let mark = SleepMark(episode: episode.id, seconds: player.position)
    sleepMark = mark
    return effects + [.write(.saveSetting(.sleepMark, mark.text))]
  }

  /// The key that extends the timer.
  mutating func extendSleep() -> [Effect] { setSleep(player.extendedSleep(by: preferences.sleepExtension * 60)) }

  mutating func sleepBack() -> [Effect] {
    guard let mark = sleepMark else {
      showMessage(.note, "The sleep timer has not been set yet")
      return []
    }
    return play(mark.episode, from: mark.seconds)
  }
}
