import Foundation
import Model
import TerminalKit

/// Formats an episode as a line of text.
enum EpisodeLine {
  static func text(_ row: EpisodeRow) -> String {
    let day = row.pubDate.map { DayText.text($0) } ?? ""
    let duration = row.duration.map { TimeText.clock($0) } ?? ""
    let state =
      row.position > 0 && !row.status.isOver ? "at \(TimeText.clock(row.position))" : row.status.rawValue
    let id = String(row.id.rawValue).leftPadded(6)
    return "\(id)  \(day.leftPadded(11))  \(duration.leftPadded(8))  \(state.rightPadded(10))  "
      + "\(row.podcastTitle): \(row.title)"
  }
}
