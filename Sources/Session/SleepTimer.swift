/// When the player falls silent by itself.
public enum SleepTimer: Equatable, Sendable {
  /// Seconds of playing time that are left, in the listener's own time.
  case seconds(Double)
  case endOfChapter
  case endOfEpisode
  /// This one and those after it; two or more.
  case episodes(Int)

  /// Seconds over which the sound goes away before the timer stops it.
  static let fade = 20.0
}

/// The timer counts playing time only. It fades out.
extension ListeningSession {
  public mutating func setSleep(_ timer: SleepTimer?) -> [SessionEffect] {
    sleep = timer
    return endFade()
  }

  /// One key, half asleep: what is set, and more. `seconds`: how much more of time.
  public func extendedSleep(by seconds: Double) -> SleepTimer {
    switch sleep {
    case .seconds(let left): .seconds(left + seconds)
    case .endOfEpisode: .episodes(2)
    case .episodes(let count): .episodes(min(99, count + 1))
    case .endOfChapter, nil: .seconds(seconds)
    }
  }

  /// `step` seconds of the item were heard.
  mutating func countDown(_ step: Double, from before: Double) -> [SessionEffect] {
    switch sleep {
    case .seconds(let left):
      let rest = left - step / max(0.1, speed)
      guard rest <= 0 else {
        sleep = .seconds(rest)
        return fade(rest)
      }
    case .endOfChapter:
      // With the tolerance of `chapterIndex`: a seek may land a little before the chapter that it was for.
      guard let start = chapter?.start, start > before + Self.chapterTolerance else { return [] }
    case .endOfEpisode, .episodes, nil:
      return []
    }
    sleep = nil
    change { $0.wantedPause = true }
    return [.say(.goodNight), .setPaused(true)] + endFade()
  }

  /// Whether the timer wants silence when this item has been heard to its end. Also when it would only go on fading
  /// after that: nobody wants to be woken by the beginning of another one.
  var isSilentAfterItem: Bool {
    switch sleep {
    case .endOfEpisode, .endOfChapter, .episodes(...1): true
    case .seconds(let left): left - secondsToEnd < SleepTimer.fade
    case .episodes, nil: false
    }
  }

  /// Of the listener's time; 0 where the end is not known.
  private var secondsToEnd: Double { end.map { max(0, $0 - position) / max(0.1, speed) } ?? 0 }

  /// The item has been heard to its end. True when the timer wants silence now.
  mutating func sleepsAfterItem() -> Bool {
    let isSilent = isSilentAfterItem
    if isSilent {
      sleep = nil
    } else if case .episodes(let count) = sleep {
      sleep = count == 2 ? .endOfEpisode : .episodes(count - 1)
    }
    return isSilent
  }

  private mutating func fade(_ rest: Double) -> [SessionEffect] {
    guard rest < SleepTimer.fade else { return [] }
    change { $0.isFading = true }
    return [.setFade(max(0, rest / SleepTimer.fade))]
  }

  private mutating func endFade() -> [SessionEffect] {
    guard sound?.isFading == true else { return [] }
    change { $0.isFading = false }
    return [.setFade(1)]
  }
}
