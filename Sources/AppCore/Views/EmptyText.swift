import TerminalKit

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
