import Model

/// The date and the duration of a row, as they are written.
struct RowFigures {
  var date = ""
  var duration = ""

  init(of id: EpisodeID, clip: Clip? = nil, _ state: State) {
    guard let episode = state.rows[id] else { return }
    date = (clip?.dateCreated ?? episode.pubDate).map { state.calendar.listDay($0, now: state.now) } ?? ""
    duration = clip.map { TimeText.clock($0.duration) } ?? RowText.duration(episode)
  }

  /// The columns that they take in the rows that are seen together: no more than the longest needs, so that titles have
  /// the rest.
  struct Widths: Equatable {
    var date = 0
    var duration = 0

    /// The columns from the end of the date on: the duration's, and a gap.
    var behindDate: Int { duration > 0 ? duration + 2 : 0 }
    /// Of both.
    var all: Int { date > 0 ? behindDate + date : duration }
  }

  /// `30 Sep` and `59:59`: most rows have no more, and columns that stay do not jump while one scrolls.
  private static let usual = (date: 6, duration: 5)

  static func widths(of rows: [RowFigures]) -> Widths {
    let date = rows.map(\.date.count).max() ?? 0
    let duration = rows.map(\.duration.count).max() ?? 0
    return Widths(
      date: date > 0 ? max(usual.date, date) : 0, duration: duration > 0 ? max(usual.duration, duration) : 0)
  }
}
