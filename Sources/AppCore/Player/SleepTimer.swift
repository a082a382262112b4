import Foundation
import Model
import Session
import TerminalKit

/// The commands of the sleep timer.
extension State {
  mutating func sleep(_ argument: String?) -> [Effect] {
    guard let argument else {
      let choices = SleepChoice.offered(self)
      let current = player.sleep.flatMap { timer in choices.firstIndex { $0.timer == timer } }
      return open(Picker(SleepPicker(), choices, selected: current ?? 0))
    }
    do throws(ReportedError) {
      let timer = try SleepTimer.timer(argument)
      if timer == .endOfChapter, let noChaptersHere { throw ReportedError(noChaptersHere) }
      return setSleep(timer)
    } catch {
      return tell(.error, error.text)
    }
  }

  @discardableResult
  mutating func setSleep(_ timer: SleepTimer?) -> [Effect] {
    let effects = updateSession { player, _ in player.setSleep(timer) }
    showMessage(.info, timer.map { "Sleep timer: \(PlayerText.sleep($0).dropFirst(6))" } ?? "Sleep timer off")
    guard timer != nil else { return effects }
    guard player.phase == .playing || player.phase == .paused, let episode = player.episode else {
      // The key must not go back to the mark of an older timer.
      sleepMark = nil
      return effects + [.setting(.sleepMark, "")]
    }
    let mark = EpisodePlace(episode: episode.id, seconds: player.position)
    sleepMark = mark
    return effects + [.setting(.sleepMark, mark.text)]
  }

  /// The key that extends the timer.
  mutating func extendSleep() -> [Effect] { setSleep(player.extendedSleep(by: preferences.sleepExtension * 60)) }

  mutating func sleepBack() -> [Effect] {
    guard let mark = sleepMark else { return tell(.info, "The sleep timer has not been set yet") }
    return play(mark.episode, from: mark.seconds)
  }
}
