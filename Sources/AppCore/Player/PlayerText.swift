import Model
import Session
import TerminalKit

/// Texts about the player's state, for the screen.
extension PlayerText {
  /// - Parameter ending: what follows the episode's title.
  static func stillOpening(_ episode: EpisodeRow?, ending: String = "…") -> String {
    "Still opening “\(episode?.title ?? "the episode")”\(ending)"
  }

  /// Such as `“Snow line”: 0:24 of 6:40, chapter “Border at midnight”, 1×, volume 100 %`.
  static func position(_ player: PlayerState) -> String {
    guard let episode = player.episode else { return "Nothing is playing" }
    let total = player.duration.map { TimeText.clock($0) }
    let position =
      player.isFinished
      ? ["played", total].compactMap { $0 }.joined(separator: ", ")
      : TimeText.clock(player.position) + (total.map { " of \($0)" } ?? "")
    var parts = ["“\(Sanitize.line(episode.title))”: \(position)"]
    if !player.isFinished, let chapter = player.chapterTitle { parts.append("chapter “\(Sanitize.line(chapter))”") }
    parts += [speed(player.speed), "volume \(Int(player.volume)) %"]
    if let timer = player.sleep { parts.append(sleep(timer)) }
    return parts.joined(separator: ", ")
  }

  /// Why `correct-place` cannot do anything; nil when it can.
  static func position(_ position: PositionInFile) -> String? {
    switch position {
    case .nothingPlays: "Nothing is playing"
    case .unknown: "The file's length was not known when you left it, so a change cannot be detected"
    case .sameLength: "The file is as long as when you left it, so your position should be right"
    case .confirmed(let evidence): "The \(show(evidence)) that your position is still right"
    case .moved: nil
    case .mayHaveMoved(let seconds):
      """
      The file is \(difference(seconds)) \(seconds > 0 ? "longer" : "shorter") than when you left it, and no \
      chapters show where. Your position may be up to \(difference(seconds)) \(seconds > 0 ? "later" : "earlier").
      """
    }
  }

  /// A difference of two lengths in seconds, rounded: headers state 14.98 s for an advertisement of 15 s.
  static func difference(_ seconds: Double) -> String { TimeText.clock(abs(seconds).rounded()) }

  /// The beginning of a sentence about what the evidence shows.
  static func show(_ evidence: PositionEvidence) -> String {
    switch evidence {
    case .chapters: "chapters show"
    case .transcript: "transcript shows"
    }
  }

  static func sleep(_ timer: SleepTimer) -> String {
    switch timer {
    case .seconds(let left): left >= 60 ? "sleep \(Int((left / 60).rounded(.up)))m" : "sleep \(max(1, Int(left)))s"
    case .endOfChapter: "sleep at chapter end"
    case .endOfEpisode: "sleep at episode end"
    case .episodes(let count): "sleep after \(count) episodes"
    }
  }

  /// Such as `+3 dB`.
  static func gain(_ decibels: Double) -> String {
    let tenths = Int((min(99, max(-99, decibels)) * 10).rounded())
    let sign = tenths > 0 ? "+" : tenths < 0 ? "−" : ""
    let size = abs(tenths)
    return sign + (size % 10 == 0 ? "\(size / 10)" : "\(size / 10).\(size % 10)") + " dB"
  }

  /// The changes of the sound, as short as the player bar needs them. Empty for unchanged sound.
  static func sound(_ shape: SoundShape, saved: Double) -> [String] {
    var parts: [String] = []
    if shape.skipsSilence { parts.append(saved >= 1 ? "saved \(TimeText.clock(saved))" : "skips silence") }
    if shape.gain != 0 { parts.append(gain(shape.gain)) }
    if shape.isLevelled { parts.append("levelled") }
    if shape.isMono { parts.append("mono") }
    return parts
  }
}
