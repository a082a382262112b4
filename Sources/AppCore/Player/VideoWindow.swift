import Foundation
import Model
import Session

/// The video of an episode in a window of the listener's own player.
extension State {
  /// `Ctrl-v`: opens the video of the selected episode at its position.
  mutating func openVideo() -> [Effect] {
    guard let id = selectedEpisode else { return [] }
    let isLoaded = player.episode?.id == id && player.isActive
    return [.terminal(.openVideo(id, from: isLoaded ? player.position : nil))]
  }

  mutating func receive(_ report: VideoReport) -> [Effect] {
    switch report {
    case .opened:
      showMessage(.info, "The video opens in its own window. Its position is saved.")
      return updateSession { $0.pause(now: $1) }
    case .position(let id, let seconds, let total): return store(seconds, total, of: id)
    // So that undo brings back a position that was lost.
    case .jumped(let id, let from, let target): return [.note(id, .jump(from: from, to: target))]
    case .seen(let id, let start, let end, let total):
      return [.note(id, .event(.play(from: start, to: end, total: total), speed: nil))]
    case .closed(_, nil, _): return []
    case .closed(let id, let seconds?, let total): return closeVideo(of: id, at: seconds, total)
    }
  }

  /// Seconds before the end from which a video counts as seen. The position is asked once a second, and mpv closes its
  /// window at the end.
  private static let endTolerance = 3.0

  private mutating func closeVideo(of id: EpisodeID, at seconds: Double, _ total: Double?) -> [Effect] {
    let isOver = total.map { seconds >= $0 - Self.endTolerance } ?? false
    var effects: [Effect] = []
    // The sound of the same episode goes on where the window was closed.
    if player.episode?.id == id, player.isActive {
      effects += isOver ? stop() : seek(to: seconds, as: .automatic)
    }
    effects += store(seconds, total, of: id)
    if isOver {
      effects += [.note(id, .status(.played)), .note(id, .ended)]
      queue.removeAll { $0 == id }
    } else {
      effects += [.note(id, .status(.paused)), .note(id, .began)]
    }
    showMessage(
      .info, isOver ? "The video was played to its end" : "The video was closed at \(TimeText.clock(seconds))")
    return effects
  }

  private mutating func store(_ seconds: Double, _ total: Double?, of id: EpisodeID) -> [Effect] {
    library.rows[id]?.position = seconds
    discardReadAhead(id)
    return [.note(id, .position(seconds: seconds, total: total))]
  }
}
