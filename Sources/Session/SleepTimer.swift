import Model

/// When playback pauses automatically.
public enum SleepTimer: Equatable, Sendable {
  /// Seconds of playing time that are left, in real time.
  case seconds(Double)
  case endOfChapter
  case endOfEpisode
  /// The current episode and those after it; 2 or more in all.
  case episodes(Int)

  /// The fade-out before the pause, in seconds.
  static let fade = 20.0
  /// A day.
  private static let maxMinutes = 1440.0

  /// The timer that the argument of `:sleep` or `earshot ctl sleep` asks for; nil turns it off. Throws what is wrong
  /// with the argument.
  public static func timer(_ text: String) throws(ReportedError) -> SleepTimer? {
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
    guard minutes <= maxMinutes else {
      throw ReportedError("A sleep timer has at most \(Int(maxMinutes)) minutes, which is a day")
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
}

/// The timer counts playing time only, and fades out before it pauses.
extension ListeningSession {
  public mutating func setSleep(_ timer: SleepTimer?) -> [SessionEffect] {
    sleep = timer
    return endFade()
  }

  /// A longer timer, for the key that extends the timer.
  /// - Parameter seconds: how much time to add.
  public func extendedSleep(by seconds: Double) -> SleepTimer {
    switch sleep {
    case .seconds(let left): .seconds(left + seconds)
    case .endOfEpisode: .episodes(2)
    case .episodes(let count): .episodes(min(99, count + 1))
    case .endOfChapter, nil: .seconds(seconds)
    }
  }

  /// Counts `step` seconds of the item that were heard.
  mutating func countDown(_ step: Double, from before: Double) -> [SessionEffect] {
    switch sleep {
    case .seconds(let left):
      let rest = left - step / max(0.1, speed)
      guard rest <= 0 else {
        sleep = .seconds(rest)
        return fade(rest)
      }
    case .endOfChapter:
      // `chapterTolerance` is needed because a seek may land a little before the chapter that it was meant for.
      guard let start = chapter?.start, start > before + Self.chapterTolerance else { return [] }
    case .endOfEpisode, .episodes, nil:
      return []
    }
    sleep = nil
    change { $0.requestedPause = true }
    return [.message(.sleepTimerEnded), .setPaused(true)] + endFade()
  }

  /// Whether the timer stops after this item. It also does so if the timer would end in the first seconds of the next
  /// item, which would only wake the listener.
  var pausesAfterItem: Bool {
    switch sleep {
    case .endOfEpisode, .endOfChapter, .episodes(...1): true
    case .seconds(let left): left - secondsToEnd < SleepTimer.fade
    case .episodes, nil: false
    }
  }

  /// Seconds of real time; 0 if the end is unknown.
  private var secondsToEnd: Double { end.map { max(0, $0 - position) / max(0.1, speed) } ?? 0 }

  /// Updates the timer when the item has been heard to its end.
  /// - Returns: whether playback must stop now.
  mutating func sleepsAfterItem() -> Bool {
    let isSilent = pausesAfterItem
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
