import Model
import TerminalKit

/// Draws one pane: the title line, the border on its left, and the content.
struct PaneView {
  let state: State
  let area: Layout.Area

  func draw(into frame: inout Frame) {
    let isFocused = state.focusedPane == area.pane
    if area.content.x > area.rect.x {
      frame.fill(
        Rect(x: area.rect.x, y: area.rect.y, width: 1, height: area.rect.height), with: state.glyphs.vertical,
        style: state.theme[.border].over(state.theme[.text]))
    }
    drawTitle(into: &frame, isFocused: isFocused)
    area.pane.kind.draw(state, isFocused: isFocused, into: &frame, area.content)
  }

  /// Draws the title and the count. The title line of a pane below another one is also a border.
  private func drawTitle(into frame: inout Frame, isFocused: Bool) {
    let theme = state.theme
    let row = Rect(x: area.content.x, y: area.rect.y, width: area.content.width, height: 1)
    let style = (isFocused ? theme[.borderFocused].with(.bold) : theme[.dim]).over(theme[.text])
    let isBelow = area.rect.y > state.layout.tabs.maxY
    if isBelow { frame.fill(row, with: state.glyphs.horizontal, style: theme[.border].over(theme[.text])) }
    let title = area.pane.kind.title(state)
    var right = area.pane.kind.note(state, height: area.content.height)
    // The parts of the note that do not fit beside the title are left out, from the end.
    let separator = state.glyphs.separator
    while Clusters.width(title) + Clusters.width(right) + 4 > row.width, let cut = right.ranges(of: separator).last {
      right = String(right[..<cut.lowerBound])
    }
    let room = row.width - Clusters.width(right) - 4
    frame.put(isBelow ? " \(title) " : title, x: row.x + (isBelow ? 0 : 1), y: row.y, width: max(0, room), style: style)
    if !right.isEmpty, Clusters.width(right) < row.width {
      let text = isBelow ? " \(right) " : right
      let end = row.maxX - (isBelow ? 0 : RowColumns.rightMargin)
      frame.put(text, x: end - Clusters.width(text), y: row.y, style: theme[.dim].over(theme[.text]))
    }
  }
}

/// Draws the text of an empty pane.
struct EmptyText {
  let theme: Theme
  let lines: [String]

  func draw(into frame: inout Frame, _ rect: Rect) {
    let flowed = lines.flatMap { TextFlow.wrap($0, width: max(1, rect.width - 2)) }
    for (index, line) in flowed.enumerated() where index + 1 < rect.height {
      frame.put(
        line, x: rect.x + 1, y: rect.y + 1 + index, width: rect.width - 1,
        style: theme[.dim].over(theme[.text]))
    }
  }
}
