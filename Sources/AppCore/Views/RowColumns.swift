import Foundation
import Model

/// The columns at the right of a list of episodes: date and length. The width of the pane decides which of them there are,
/// for all of its rows, so that nothing moves while one scrolls.
struct RowColumns: Equatable {
  let hasDate: Bool
  let hasLength: Bool

  /// `13 Jul`, `Jul'21`, `14:05`.
  static let dateWidth = 6
  /// `1:02:03`, `-59:59`.
  static let lengthWidth = 7
  /// From the left edge of a row to its title: the sign of its state.
  static let titleStart = 3
  private static let gap = 2
  /// The columns that a title keeps: the date goes first, then the length.
  static let leastTitle = 24

  /// - Parameter width: of the pane, in columns.
  init(paneWidth width: Int) {
    let room = width - Self.titleStart - Self.leastTitle
    hasLength = room > Self.lengthWidth
    hasDate = room > Self.lengthWidth + Self.gap + Self.dateWidth
  }

  /// Of both, with the blank before them.
  var width: Int {
    guard hasLength else { return 0 }
    return 1 + (hasDate ? Self.dateWidth + Self.gap : 0) + Self.lengthWidth
  }

  /// Columns from the right edge of a row to the end of its date.
  var behindDate: Int { Self.gap + Self.lengthWidth }
}

/// What stands in the columns of a row.
struct RowFigures: Equatable {
  var date = ""
  var length = ""

  /// The date is that of the episode, or of the clip; in the history it says when the episode was heard.
  init(_ episode: EpisodeRow, clip: Clip?, _ state: State) {
    if let clip {
      date = state.calendar.rowDay(clip.dateCreated, now: state.now)
      length = RowText.length(clip.duration)
    } else {
      let showsHeard = state.listening == nil && state.tab.kind.showsWhenHeard
      date =
        showsHeard
        ? episode.heardAt.map { state.calendar.rowMoment($0, now: state.now) } ?? ""
        : episode.pubDate.map { state.calendar.rowDay($0, now: state.now) } ?? ""
      length = RowText.length(episode)
    }
  }
}
