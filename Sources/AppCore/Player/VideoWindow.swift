import Foundation
import Model
import Session

/// The video of an episode in a window of the listener's own player.
extension State {
  /// `Ctrl-v`: opens the video of the selected episode at its place.
  mutating func openVideo() -> [Effect] {
    guard let id = selectedEpisode else { return [] }
    let isLoaded = player.episode?.id == id && player.isActive
    return [.terminal(.openVideo(id, from: isLoaded ? player.position : nil))]
  }

  mutating func receive(_ report: VideoReport) -> [Effect] {
    switch report {
    case .opened:
      showMessage(.note, "The video has its own window. Its place comes back when it is closed.")
      return updateSession { $0.pause(now: $1) }
    case .place(let id, let place, let total): return keep(place, total, of: id)
    // So that undo brings back a place that was lost.
    case .jumped(let id, let from, let place): return [.note(id, .jump(from: from, to: place))]
    case .seen(let id, let start, let end, let total):
      return [.note(id, .event(.play(from: start, to: end, total: total), speed: nil))]
    case .closed(_, nil, _): return []
    case .closed(let id, let place?, let total): return closeVideo(of: id, at: place, total)
    }
  }

  /// Seconds before the end from which a video counts as seen. The place is asked once a second, and mpv closes its
  /// window at the end.
  private static let endTolerance = 3.0

  private mutating func closeVideo(of id: EpisodeID, at place: Double, _ total: Double?) -> [Effect] {
    let isOver = total.map { place >= $0 - Self.endTolerance } ?? false
    var effects: [Effect] = []
    // The sound of the same episode goes on where the window was closed.
    if player.episode?.id == id, player.isActive {
      effects += isOver ? stop() : seek(to: place, as: .automatic)
    }
    effects += keep(place, total, of: id)
    if isOver {
      effects += [.note(id, .status(.played)), .note(id, .ended)]
      queue.removeAll { $0 == id }
    } else {
      effects += [.note(id, .status(.paused)), .note(id, .began)]
    }
    showMessage(.note, isOver ? "The video was seen to its end" : "The video was closed at \(TimeText.clock(place))")
    return effects
  }

  private mutating func keep(_ place: Double, _ total: Double?, of id: EpisodeID) -> [Effect] {
    library.rows[id]?.position = place
    discardReadAhead(id)
    return [.note(id, .position(seconds: place, total: total))]
  }
}
