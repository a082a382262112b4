import Model
import TerminalKit

/// Clips: `(` and `)` mark one while it plays. Playing a clip of a playlist does not change the episode's position.
extension State {
  /// The clip that was started in the loaded episode and has no end yet.
  var startedClip: EpisodePlace? { marks.clip.flatMap { $0.episode == player.episode?.id ? $0 : nil } }

  mutating func markClipStart() -> [Effect] {
    guard let episode = player.episode else { return [] }
    marks.clip = EpisodePlace(episode: episode.id, seconds: player.position)
    return tell(
      .info, "The clip starts at \(TimeText.clock(player.position)). \(keymap.press(.clipEnd)) at its end.")
  }

  mutating func markClipEnd() -> [Effect] {
    guard let mark = startedClip else {
      return openBookmark.map { endBookmark($0) } ?? []
    }
    guard canEnd(mark) else { return [] }
    return open(Prompt(ClipPrompt(mark: mark, end: player.position)))
  }

  /// Whether a clip can end at the current position. If not, a message says why.
  mutating func canEnd(_ mark: EpisodePlace) -> Bool {
    if player.position > mark.seconds { return true }
    showMessage(.warning, "A clip ends after its start, which is \(TimeText.clock(mark.seconds))")
    return false
  }

  mutating func saveClip(_ mark: EpisodePlace, end: Double, title: String) -> [Effect] {
    marks.clip = nil
    showMessage(
      .success,
      "Clip \(TimeText.clock(mark.seconds))–\(TimeText.clock(end)) is in My Clips. \(keymap.press(.playlists)) to show it."
    )
    return [.write(.addClip(mark.episode, from: mark.seconds, to: end, title: title.isEmpty ? nil : title))]
  }

  // MARK: Playing a clip

  /// A clip is played by itself. From a bookmark the episode goes on.
  mutating func play(_ clip: Clip) -> [Effect] {
    play(clip.episode, from: clip.startTime, as: clip.range.map { .excerpt($0) } ?? .jump)
  }
}
