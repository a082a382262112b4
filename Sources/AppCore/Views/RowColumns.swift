import Foundation
import Model

/// The columns of a list of episodes: the podcast's name, the title, date and length. The width of the pane decides which
/// ones are shown and how wide they are, for all rows alike, so that scrolling does not move them.
struct RowColumns: Equatable {
  let hasDate: Bool
  let hasLength: Bool
  /// The width of the podcasts' names. Nil if all episodes are of one podcast, or if the pane is too narrow.
  let nameWidth: Int?

  /// Such as `13 Jul`, `Jul'21` or `14:05`.
  static let dateWidth = 6
  /// Such as `1:02:03` or `-59:59`.
  static let lengthWidth = 7
  /// The column of the title. The sign of the state is before it.
  static let titleStart = 3
  static let gap = 2
  /// The least width of a title. In a narrower pane the date is left out first, then the length.
  static let leastTitle = 24
  /// The widths of a podcast's name.
  private static let (leastName, widestName) = (10, 20)

  /// - Parameters:
  ///   - width: of the pane, in columns.
  ///   - namesPodcast: the list has episodes of several podcasts.
  init(paneWidth width: Int, namesPodcast: Bool = false) {
    let room = width - Self.titleStart - Self.leastTitle
    hasLength = room > Self.lengthWidth
    hasDate = room > Self.lengthWidth + Self.gap + Self.dateWidth
    let rest = width - Self.titleStart - Self.width(hasDate: hasDate, hasLength: hasLength)
    // Titles distinguish the rows, so they get most of it.
    let hasName = namesPodcast && rest >= Self.leastName + Self.gap + Self.leastName
    nameWidth = hasName ? max(Self.leastName, min(Self.widestName, rest * 3 / 10)) : nil
  }

  /// The width of date and length, with the space before them.
  var width: Int { Self.width(hasDate: hasDate, hasLength: hasLength) }

  private static func width(hasDate: Bool, hasLength: Bool) -> Int {
    guard hasLength else { return 0 }
    return 1 + (hasDate ? Self.dateWidth + Self.gap : 0) + Self.lengthWidth
  }

  /// Columns from the end of the date to the right edge.
  var behindDate: Int { Self.gap + Self.lengthWidth }
}

/// The texts in the columns of a row.
struct RowFigures: Equatable {
  var date = ""
  var length = ""

  /// The date of the episode or clip. In the history, when the episode was heard.
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
