import Model
import Session
import TerminalKit

/// What to do if an episode cannot be played from its position, because the server sends the file only from the start.
public struct UnseekablePicker: PickerPurpose {
  public enum Choice: CaseIterable, Equatable, Sendable { case download, readThrough, fromStart }

  var episode: EpisodeID
  /// The position to start at, in seconds.
  var position: Double
  /// The stored position, in seconds.
  var left: Double
  /// Why it was to be played from `position`.
  var reason: PlayerState.LoadReason

  private var clock: String { TimeText.clock(position) }

  public var title: String { "This server cannot start at \(clock)" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .download: "Download it first, then play it from \(clock)"
    case .readThrough: "Read silently up to \(clock), then play"
    case .fromStart: "Play it from its start (your position, \(TimeText.clock(left)), stays saved)"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .download:
      state.showMessage(.info, "Downloading. It plays from \(clock) when complete, unless you play something else.")
      state.pendingPlayback.download = AwaitedDownload(episode: episode, position: position, reason: reason)
      return [.network(.download([episode]))]
    case .readThrough: return state.play(episode, from: position, as: reason, readsUpTo: true)
    case .fromStart: return state.play(episode, from: 0, as: .fromStart)
    }
  }
}

/// An episode that is to be played when its download is complete.
struct AwaitedDownload: Equatable, Sendable {
  var episode: EpisodeID
  /// The position to start at, in seconds.
  var position: Double
  var reason: PlayerState.LoadReason
}

extension State {
  /// Handles an episode that cannot be played from `position` seconds. Asks the listener what to do, or plays it from
  /// the start if no listening position is lost.
  mutating func unreachable(_ position: Double, isWanted: Bool, of episode: EpisodeRow?) -> [Effect] {
    guard let episode else { return [] }
    guard isWanted else { return play(episode.id, from: 0, as: .fromStart) }
    guard overlays.isEmpty else {
      let clock = TimeText.clock(position)
      // The key resumes the episode. It does not play a clip or a jump again.
      let end =
        player.reason == .resume
        ? ". \(keymap.press(.pause)) to choose how to continue at \(clock)." : ", not from \(clock)"
      return tell(.warning, "The server sends “\(episode.title)” only from its start\(end)")
    }
    askLater(
      Picker(
        UnseekablePicker(episode: episode.id, position: position, left: episode.position, reason: player.reason),
        UnseekablePicker.Choice.allCases))
    return []
  }
}
