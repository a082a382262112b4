import Foundation
import Model
import TerminalKit

/// The sleep timer counts playing time only, in the listener's own seconds. It fades out, and remembers where it was set.
extension State {
  /// Where the timer was last set: the listener was awake there.
  public struct SleepMark: Equatable, Sendable {
    public var episode: EpisodeID
    public var seconds: Double
    public init(episode: EpisodeID, seconds: Double) {
      self.episode = episode
      self.seconds = seconds
    }

    /// `7@93.5`, as it is remembered.
    public var text: String { "\(episode)@\(seconds)" }

    public init?(_ text: String) {
      let parts = text.split(separator: "@")
      guard parts.count == 2, let id = Int64(parts[0]), let seconds = Double(parts[1]), seconds.isFinite else {
        return nil
      }
      self.init(episode: EpisodeID(id), seconds: seconds)
    }
  }

  /// Seconds over which the sound goes away before the timer stops it.
  static let fadeSeconds = 20.0

  mutating func sleep(_ argument: String?) -> [Effect] {
    guard let argument else { return open(Picker(SleepPicker(), SleepChoice.table)) }
    switch argument {
    case "off": return setSleep(nil)
    case "chapter": return setSleep(.endOfChapter)
    case "episode": return setSleep(.endOfEpisode)
    default: break
    }
    let words = argument.split(separator: " ")
    if words.count == 2, words[1].hasPrefix("episode"), let count = Int(words[0]), (1...99).contains(count) {
      return setSleep(count == 1 ? .endOfEpisode : .episodes(count))
    }
    guard let minutes = Double(argument), minutes.isFinite, minutes >= 0, minutes <= 1440 else {
      say(.error, "“\(argument)” is no number of minutes: write 15, off, chapter, episode or 3 episodes")
      return []
    }
    return setSleep(minutes > 0 ? .seconds(minutes * 60) : nil)
  }

  @discardableResult
  mutating func setSleep(_ timer: PlayerState.SleepTimer?) -> [Effect] {
    player.sleep = timer
    say(.note, timer.map { "Sleep timer: \(PlayerText.sleep($0).dropFirst(6))" } ?? "Sleep timer off")
    guard timer != nil, player.isActive, player.phase != .loading, let episode = player.episode else {
      return endFade()
    }
    sleepMark = SleepMark(episode: episode.id, seconds: player.position)
    return endFade() + [.write(.saveSetting(.sleepMark, SleepMark(episode: episode.id, seconds: player.position).text))]
  }

  /// One key, half asleep: more of what is set.
  mutating func extendSleep() -> [Effect] {
    switch player.sleep {
    case .seconds(let left): setSleep(.seconds(left + preferences.sleepExtension * 60))
    case .endOfEpisode: setSleep(.episodes(2))
    case .episodes(let count): setSleep(.episodes(min(99, count + 1)))
    case .endOfChapter, nil: setSleep(.seconds(preferences.sleepExtension * 60))
    }
  }

  mutating func sleepBack() -> [Effect] {
    guard let mark = sleepMark else {
      say(.note, "The sleep timer has not been set yet")
      return []
    }
    return play(mark.episode, from: mark.seconds)
  }

  /// `step` seconds of the episode were heard.
  mutating func countDown(_ step: Double, from before: Double) -> [Effect] {
    switch player.sleep {
    case .seconds(let left):
      let rest = left - step / max(0.1, player.speed)
      guard rest <= 0 else {
        player.sleep = .seconds(rest)
        return fade(rest)
      }
    case .endOfChapter:
      // With the tolerance of `chapterIndex`: a seek may land a little before the chapter that it was for.
      guard let start = player.chapter?.start, start > before + PlayerState.chapterTolerance else { return [] }
    case .endOfEpisode, .episodes, nil:
      return []
    }
    player.sleep = nil
    say(.note, "Good night: the sleep timer paused" + sleepHint)
    return want(paused: true) + endFade()
  }

  /// Whether the timer wants silence when this episode has been heard to its end. Also when it would only go on fading
  /// after that: nobody wants to be woken by the beginning of another episode.
  var isSilentAfterEpisode: Bool {
    switch player.sleep {
    case .endOfEpisode, .endOfChapter, .episodes(...1): true
    case .seconds(let left): left - secondsToEnd < Self.fadeSeconds
    case .episodes, nil: false
    }
  }

  /// Of the listener's time; 0 where the end is not known.
  private var secondsToEnd: Double {
    let end = player.duration.map { $0 - (player.currentShow.outro ?? 0) }
    return end.map { max(0, $0 - player.position) / max(0.1, player.speed) } ?? 0
  }

  /// An episode has been heard to its end. True when the timer wants silence now.
  mutating func sleepsAfterEpisode() -> Bool {
    let isSilent = isSilentAfterEpisode
    if isSilent {
      player.sleep = nil
    } else if case .episodes(let count) = player.sleep {
      player.sleep = count == 2 ? .endOfEpisode : .episodes(count - 1)
    }
    return isSilent
  }

  /// How to go back to where the listener was awake.
  private var sleepHint: String {
    guard let mark = sleepMark else { return "" }
    return "; \(keymap.hint(.sleepBack)) goes back to \(TimeText.clock(mark.seconds)), where it was set"
  }

  private mutating func fade(_ rest: Double) -> [Effect] {
    guard rest < Self.fadeSeconds else { return [] }
    player.isFading = true
    return [.player(.setFade(max(0, rest / Self.fadeSeconds)))]
  }

  private mutating func endFade() -> [Effect] {
    guard player.isFading else { return [] }
    player.isFading = false
    return [.player(.setFade(1))]
  }
}
