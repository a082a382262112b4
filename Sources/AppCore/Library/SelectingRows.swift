import Model

/// Selecting several rows of a list of episodes: `V`, `*` and `%`.
extension State {
  /// The item of a row of the list of episodes.
  func item(at row: Int) -> Playlist.Item {
    entry(at: row)?.item ?? .episode(screen.episodes.ids[row])
  }

  var listItems: [Playlist.Item] { screen.episodes.ids.indices.map { item(at: $0) } }

  /// The rows that are selected together; empty if there are none.
  var selectedRows: [Int] {
    guard listening == nil, !screen.episodes.several.isEmpty else { return [] }
    return screen.episodes.several.rows(of: listItems, cursor: screen.episodes.list.selected)
  }

  /// `V`
  mutating func selectRange() -> [Effect] {
    let cursor = screen.episodes.list.selected
    screen.episodes.several.toggleRange(of: listItems, cursor: cursor)
    return []
  }

  /// `*`
  mutating func toggleRow() -> [Effect] {
    let cursor = screen.episodes.list.selected
    screen.episodes.several.toggle(of: listItems, cursor: cursor)
    return moveSelection(.rows(1))
  }

  /// `%`: all rows; none if all are selected.
  mutating func selectAll() -> [Effect] {
    let isAll = selectedRows.count == screen.episodes.ids.count
    screen.episodes.several = MultiSelection()
    if !isAll { screen.episodes.several.select(listItems) }
    return []
  }

  /// The count before a command, such as `5` in `5m`: so many rows from the cursor on.
  mutating func selectRows(count: Int) {
    guard focusedPane == .episodes, selectedRows.isEmpty, count > 0 else { return }
    let cursor = screen.episodes.list.selected
    let end = min(cursor + count, screen.episodes.ids.count)
    screen.episodes.several.select((cursor..<max(cursor, end)).map { item(at: $0) })
  }

  /// - Returns: false if no rows were selected.
  mutating func leaveSelection() -> Bool {
    guard focusedPane == .episodes, !screen.episodes.several.isEmpty else { return false }
    screen.episodes.several = MultiSelection()
    return true
  }

  /// Where rows go that move together: the new row of the first of them. Rows that are apart come together.
  /// - Parameters:
  ///   - step: 1: to behind the row that follows the last of them. -1: before the row that is above the first.
  ///   - count: of all rows.
  /// - Returns: nil if they are at the end already.
  static func row(of rows: [Int], movedBy step: Int, in count: Int) -> Int? {
    guard let first = rows.first, let last = rows.last else { return nil }
    let row = step < 0 ? first + step : last + step - (rows.count - 1)
    let target = min(max(0, row), count - rows.count)
    let areTogether = last - first == rows.count - 1
    return areTogether && target == first ? nil : target
  }

  // MARK: The number and the length

  /// Such as `3 selected · 1h 25m`; nil if no rows are selected.
  var selectionText: String? {
    let rows = selectedRows
    guard !rows.isEmpty else { return nil }
    let length = selectionLength(rows).flatMap { $0 > 0 ? TimeText.short($0) : nil }
    return ["\(rows.count) selected", length].compactMap(\.self)
      .joined(separator: glyphs.separator)
  }

  /// The length of these rows in seconds; nil while the library has not answered.
  private func selectionLength(_ rows: [Int]) -> Double? {
    let ids = screen.episodes.ids
    var sum = 0.0
    for row in rows {
      if let clip = entry(at: row)?.clip {
        sum += clip.endTime.map { TimeText.span(clip.startTime, $0) } ?? 0
      } else if let episode = self.library.rows[ids[row]] {
        sum += RowText.seconds(episode) ?? 0
      } else {
        let measured = screen.episodes.several.measured
        return measured?.episodes == rows.map { ids[$0] } ? measured?.seconds : nil
      }
    }
    return sum
  }

  /// Asks for the length of the selected rows, if State does not have all of them.
  mutating func reconcileSelection() -> [Effect] {
    let rows = selectedRows
    guard !rows.isEmpty, selectionLength(rows) == nil else { return [] }
    let question = LengthQuestion(tab: tab, episodes: rows.map { screen.episodes.ids[$0] })
    return awaited.contains(question) ? [] : [ask(question)]
  }
}

/// Asks for the length of the selected episodes.
struct LengthQuestion: LibraryQuestion {
  var tab: Tab
  var episodes: [EpisodeID]

  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> Double? { try library.length(of: episodes) }

  func receive(_ seconds: Double, _ state: inout State) -> [Effect] {
    state.screens[tab].episodes.several.measured = MeasuredRows(episodes: episodes, seconds: seconds)
    return []
  }
}
