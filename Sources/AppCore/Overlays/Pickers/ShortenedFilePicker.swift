import Model
import Session
import TerminalKit

/// What to do if the file of an episode has become shorter: it ends before the position at which it was to begin, or
/// before the end of the file that was heard before.
public struct ShortenedFilePicker: PickerPurpose {
  public enum Choice: CaseIterable, Equatable, Sendable { case fromStart, played }

  var episode: EpisodeID
  /// Where the file ends, in seconds.
  var end: Double
  /// The stored position, in seconds.
  var position: Double

  public var title: String { "The file now ends at \(TimeText.clock(end))" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .fromStart: "Play it from its start (your position, \(TimeText.clock(position)), stays saved)"
    case .played: "Mark the episode as played"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .fromStart: state.play(episode, from: 0, as: .fromStart)
    case .played: state.mark([episode], .played)
    }
  }
}

extension State {
  /// Handles an episode whose file ends at `end` seconds, before it could begin to play. Asks the listener what to do.
  /// - Parameter position: the stored position, in seconds.
  mutating func endsTooEarly(at end: Double, _ position: Double, of episode: EpisodeRow?) -> [Effect] {
    guard let episode else { return [] }
    showMessage(.warning, "Cannot play “\(episode.title)”: \(PlayerText.endsTooEarly(at: end, position))")
    return askAboutShortenedFile(of: episode, end: end, position: position)
  }

  /// Handles the end of a file whose rest is missing. Asks the listener what to do.
  /// - Parameter before: the duration of the file that was heard before, in seconds.
  mutating func endedEarly(at end: Double, _ before: Double, of episode: EpisodeRow?) -> [Effect] {
    guard let episode else { return [] }
    showMessage(.warning, "“\(episode.title)”: \(PlayerText.endedEarly(at: end, before))")
    return askAboutShortenedFile(of: episode, end: end, position: end)
  }

  private mutating func askAboutShortenedFile(of episode: EpisodeRow, end: Double, position: Double) -> [Effect] {
    // The message is enough while the listener does something else.
    guard overlays.isEmpty else { return [] }
    askLater(
      Picker(
        ShortenedFilePicker(episode: episode.id, end: end, position: position), ShortenedFilePicker.Choice.allCases))
    return []
  }
}
