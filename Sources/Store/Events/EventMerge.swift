import Foundation
import GRDB
import Model

/// How events change an episode.
///
/// Status and position are independent registers. Each has the value and the time of the latest event that concerns
/// it, so it does not matter in which order events are stored. Events with the same time (the end of a span
/// and the pause after it) apply in the order they were recorded.
extension Library {
  static func follow(_ db: Database, _ event: ListeningEvent) throws {
    let (time, id) = (event.timestamp.seconds, event.episode.rawValue)
    if let status = event.kind.status {
      let isLater = "id = ? AND coalesce(statusUpdated, 0) <= ?"
      try db.run("UPDATE episode SET status = ?, statusUpdated = ? WHERE \(isLater)", [status.code, time, id, time])
      if status.leavesQueue, db.changesCount > 0 {
        try db.run("DELETE FROM queue WHERE episodeID = ?", [id])
      }
    }
    if let position = event.kind.position {
      let isLater = "id = ? AND coalesce(positionUpdated, 0) <= ?"
      try db.run("UPDATE episode SET position = ?, positionUpdated = ? WHERE \(isLater)", [position, time, id, time])
    }
    if event.kind.isHeard {
      try db.run("UPDATE episode SET heardAt = max(coalesce(heardAt, 0), ?) WHERE id = ?", [time, id])
    }
    if case .play(_, _, let total?) = event.kind, total.isFinite, total > 0 {
      try db.run("UPDATE episode SET measuredDuration = coalesce(measuredDuration, ?) WHERE id = ?", [total, id])
    }
  }
}

extension ListeningEvent.Kind {
  /// The status after the event. Nil if the event does not concern it.
  fileprivate var status: EpisodeStatus? {
    switch self {
    case .play, .start: .playing
    case .pause: .paused
    case .delete: .deleted
    case .new: .new
    case .played: .played
    case .download: nil
    }
  }

  /// The position after the event, in seconds. Nil if the event does not concern it.
  fileprivate var position: Double? {
    switch self {
    case .play(_, let end, _): end.isFinite && end >= 0 ? end : nil
    case .new, .played: 0
    case .start, .pause, .delete, .download: nil
    }
  }

  /// A span without length only sets the position.
  fileprivate var isHeard: Bool {
    switch self {
    case .start: true
    case .play(let start, let end, _): end > start
    case .pause, .delete, .download, .new, .played: false
    }
  }
}
