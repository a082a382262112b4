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
    do throws(ReportedError) {
      let timer = try Self.sleepTimer(argument)
      if timer == .endOfChapter, let noChaptersHere { throw ReportedError(noChaptersHere) }
      return setSleep(timer)
    } catch {
      showMessage(.error, error.text)
      return []
    }
  }

  /// The timer that the argument of `:sleep` or `earshot ctl sleep` asks for; nil turns it off. Throws what is wrong
  /// with the argument.
  public static func sleepTimer(_ text: String) throws(ReportedError) -> SleepTimer? {
    switch text {
    case "off": return nil
    case "chapter": return .endOfChapter
    case "episode", "end": return .endOfEpisode
    default: break
    }
    let words = text.split(separator: " ")
    let isCount = words.count == 2 && ["episode", "episodes"].contains(words[1])
    if isCount, let count = Int(words[0]), (1...99).contains(count) {
      return count == 1 ? .endOfEpisode : .episodes(count)
    }
    guard let minutes = minutes(text), minutes.isFinite, minutes >= 0 else {
      throw ReportedError(
        "“\(text)” is not a time for the sleep timer: write 15, 1h30m, off, chapter, episode or 3 episodes")
    }
    guard minutes <= maxSleepMinutes else {
      throw ReportedError("A sleep timer has at most \(Int(maxSleepMinutes)) minutes, which is a day")
    }
    return minutes > 0 ? .seconds(minutes * 60) : nil
  }

  /// Minutes: `90`, `90m`, `2h` or `1h30m`.
  private static func minutes(_ text: String) -> Double? {
    if let minutes = Double(text) { return minutes }
    guard let match = text.wholeMatch(of: /(?:([0-9]{1,4})h)?(?:([0-9]{1,4})m)?/), !text.isEmpty else { return nil }
    func number(_ digits: Substring?) -> Double { digits.flatMap { Double($0) } ?? 0 }
    return number(match.1) * 60 + number(match.2)
  }

  @discardableResult
  mutating func setSleep(_ timer: SleepTimer?) -> [Effect] {
    let effects = updateSession { player, _ in player.setSleep(timer) }
    showMessage(.note, timer.map { "Sleep timer: \(PlayerText.sleep($0).dropFirst(6))" } ?? "Sleep timer off")
    guard timer != nil else { return effects }
    guard player.phase == .playing || player.phase == .paused, let episode = player.episode else {
      // The key must not go back to the mark of an older timer.
      sleepMark = nil
      return effects + [.setting(.sleepMark, "")]
    }
    let mark = SleepMark(episode: episode.id, seconds: player.position)
    sleepMark = mark
    return effects + [.setting(.sleepMark, mark.text)]
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
