import Model
import TerminalKit

/// A row of the list of podcasts or playlists: a sign, a title, and a count on the right.
struct SideRow {
  var sign: (glyph: String, role: Role)?
  /// Columns before the title.
  var indent = 1
  var title: String
  var role: Role = .text
  /// The mark before the count.
  var mark: (glyph: String, role: Role)?
  var count = ""
  var countRole: Role = .dim

  /// Draws the row.
  /// - Parameter words: the folded words of a search. A title with a match is highlighted.
  func draw(_ base: RowStyle, words: String?, into frame: inout Frame, _ row: Rect) {
    frame.fill(row, style: base.background)
    let right = [mark?.glyph ?? "", count].filter { !$0.isEmpty }.joined(separator: " ")
    if let sign { frame.put(sign.glyph, x: row.x + 1, y: row.y, width: 1, style: base.style(sign.role)) }
    let end = row.maxX - RowColumns.rightMargin
    let room = end - row.x - indent - (right.isEmpty ? 0 : right.count + 1)
    let isMatch = words.map { !$0.isEmpty && TextFolding.matches(title, $0) } ?? false
    let style = base.style(isMatch ? .match : role)
    frame.put(title, x: row.x + indent, y: row.y, width: room, style: style)
    var x = end - right.count
    if let mark { x += frame.put(mark.glyph + " ", x: x, y: row.y, style: base.style(mark.role)) }
    frame.put(count, x: end - count.count, y: row.y, style: base.style(countRole))
  }
}

/// A list on the left of a screen: podcasts or playlists.
protocol SidePane: ListPane {
  func count(_ state: State) -> Int
  func title(of row: Int, _ state: State) -> String
  func row(_ index: Int, _ state: State) -> SideRow
  /// The text of an empty list.
  func nothing(_ state: State) -> [String]
}

extension SidePane {
  var isSide: Bool { true }
  func episode(_ state: State) -> EpisodeID? { nil }

  func matches(_ words: String, _ state: State) -> [Int] {
    (0..<count(state)).filter { TextFolding.matches(title(of: $0, state), words) }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let count = count(state)
    guard count > 0 else { return EmptyText(theme: state.theme, lines: nothing(state)).draw(into: &frame, rect) }
    let list = list(state)
    let words = state.screen.search.map { TextFolding.fold($0.words) }
    for (line, index) in list.visibleRange(height: rect.height).enumerated() where index < count {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      row(index, state).draw(base, words: words, into: &frame, rect.row(line))
    }
  }
}
