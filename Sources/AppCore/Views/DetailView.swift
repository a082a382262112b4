import TerminalKit

/// Draws the reader's visible lines.
struct DetailView {
  let state: State

  /// The text has a blank column on either side.
  static func textSize(in content: Rect) -> Size { Size(max(1, content.width - 2), content.height) }

  func draw(into frame: inout Frame, _ rect: Rect) {
    let detail = state.screen.detail
    let theme = state.theme
    guard !detail.lines.isEmpty else { return }
    let top = min(max(0, detail.top), max(0, detail.lines.count - 1))
    let words = state.screen.search.map { SearchText.fold($0.words) } ?? ""
    for (row, line) in detail.lines[top...].prefix(rect.height).enumerated() {
      let isMatch = !words.isEmpty && state.focusedPane == .detail && SearchText.matches(line.text, words)
      var x = rect.x + 1
      for span in line.spans {
        let style = (isMatch ? theme[.match] : theme[span.role].over(theme[.text])).with(span.attributes)
        x += frame.put(span.text, x: x, y: rect.y + row, width: rect.maxX - x, style: style, ellipsis: "")
      }
    }
  }
}
