import Foundation
import Model

/// A column on the right of a list of episodes. To add a column, add a case.
enum RowColumn: CaseIterable {
  case date, length
  /// The size of the file, on the Downloads screen.
  case size

  var width: Int {
    switch self {
    // Such as `13 Jul`, `Jul'21` or `14:05`.
    case .date: 6
    // Such as `1:02:03` or `-59:59`.
    case .length: 7
    // Such as `4.2 MB` or `812 kB`.
    case .size: 6
    }
  }

  /// The text in the row of an episode or a clip. At most `width` columns.
  func text(_ episode: EpisodeRow, clip: Clip?, _ state: State) -> String {
    switch self {
    case .date:
      if let clip { return state.calendar.rowDay(clip.dateCreated, now: state.now) }
      // In the history, when the episode was heard.
      if Self.showsWhenHeard(state) {
        return episode.heardAt.map { state.calendar.rowMoment($0, now: state.now) } ?? ""
      }
      return episode.pubDate.map { state.calendar.rowDay($0, now: state.now) } ?? ""
    case .length:
      return clip.map { clip in clip.endTime.map { RowText.length(TimeText.span(clip.startTime, $0)) } ?? "" }
        ?? RowText.length(episode)
    case .size:
      return (state.downloads[episode.id]?.total ?? episode.fileBytes).map(SizeText.bytes) ?? ""
    }
  }

  /// The words in linear mode; nil for nothing.
  func words(_ episode: EpisodeRow, isPlaying: Bool, width: Int, _ state: State) -> String? {
    switch self {
    case .date:
      let calendar = state.calendar
      guard Self.showsWhenHeard(state), let date = episode.heardAt else {
        return episode.pubDate.map { calendar.listDay($0, now: state.now) }
      }
      let device = episode.otherDevice.map { " on \(AccessibleText.name($0, width / 2))" } ?? ""
      return "heard \(calendar.listDay(date, now: state.now)) \(calendar.timeOfDay(date))\(device)"
    case .length:
      guard let left = RowText.seconds(episode), let duration = episode.duration else { return nil }
      // The remaining time of the playing episode would change constantly.
      return left < duration && !isPlaying ? AccessibleText.words(left) + " left" : AccessibleText.words(duration)
    case .size:
      guard state.listening == nil, state.tab.kind.traits.showsFileSize else { return nil }
      return episode.fileBytes.map(SizeText.bytes)
    }
  }

  private static func showsWhenHeard(_ state: State) -> Bool {
    state.listening == nil && state.tab.kind.traits.showsWhenHeard
  }
}

/// The columns of a list of episodes: the podcast's name, the title, the marks, and those of `RowColumn`. The width of
/// the pane decides which ones are shown and how wide they are, for all rows alike, so that scrolling does not move
/// them.
struct RowColumns: Equatable {
  /// From left to right.
  let shown: [RowColumn]
  /// The columns of marks, between the title and `shown`.
  let marks: [RowMark.Column]
  /// The width of the podcasts' names. Nil if all episodes are of one podcast, or if the pane is too narrow.
  let nameWidth: Int?

  /// The column of the title. The sign of the state is before it.
  static let titleStart = 3
  static let gap = 2
  /// Free columns before the border or the edge of the screen.
  static let rightMargin = 1
  /// The minimum width of a title. If it has less room, columns are left out, beginning with the first.
  let minimumTitle: Int
  /// The widths of a podcast's name.
  private static let (minimumName, maximumName) = (10, 20)

  /// - Parameters:
  ///   - width: of the pane, in columns.
  ///   - namesPodcast: the list has episodes of several podcasts.
  ///   - marksQueue: the list is not the queue, whose rows need no mark of it.
  ///   - showsSize: the list has the sizes of files. On a wide screen the titles make room for them.
  ///   - isNarrow: the screen has no room for a pane beside the list, so the titles get more of it.
  init(
    paneWidth: Int, namesPodcast: Bool = false, marksQueue: Bool = true, showsSize: Bool = false, isNarrow: Bool = false
  ) {
    minimumTitle = isNarrow ? 24 : 21
    marks = marksQueue ? RowMark.Column.allCases : [.file]
    let width = paneWidth - marks.count - 1 - Self.rightMargin
    let nameRoom = Self.minimumName + Self.gap
    let size: [RowColumn] = showsSize ? [.size] : []
    let least = minimumTitle - (showsSize && !isNarrow ? RowColumn.size.width + Self.gap : 0)
    let titleRoom = width - Self.titleStart - least
    let columns = Self.width(([.date, .length] + size)[...])
    // Date and length come first if both fit. On a narrower pane the podcast says more than the length.
    let hasName = namesPodcast && titleRoom >= nameRoom + (titleRoom >= columns ? columns : Self.width(size[...]))
    let room = hasName ? titleRoom - nameRoom : titleRoom
    var shown = [.date, .length] + size
    while shown.count > size.count, Self.width(shown[...]) > room { shown.removeFirst() }
    self.shown = shown
    let rest = width - Self.titleStart - Self.width(shown[...])
    // Titles distinguish the rows, so they get most of it.
    let preferred = min(Self.maximumName, rest * 3 / 10, rest - Self.gap - least)
    nameWidth = hasName ? max(Self.minimumName, preferred) : nil
  }

  /// The width of all columns of `shown`, with the space before them.
  var width: Int { Self.width(shown[...]) }

  private static func width(_ columns: ArraySlice<RowColumn>) -> Int {
    columns.isEmpty ? 0 : 1 + columns.reduce(0) { $0 + $1.width } + (columns.count - 1) * gap
  }

  /// How far the end of the column is from the right edge of the pane; nil if the column is not shown.
  func distanceFromRight(_ column: RowColumn) -> Int? {
    shown.firstIndex(of: column).map { shown[($0 + 1)...].reduce(0) { $0 + $1.width + Self.gap } }
  }

  func texts(_ episode: EpisodeRow, clip: Clip?, _ state: State) -> [(column: RowColumn, text: String)] {
    shown.map { ($0, $0.text(episode, clip: clip, state)) }
  }
}
