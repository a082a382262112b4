import Model
import TerminalKit

/// Draws the visible lines of the reader, and the picture beside its head.
struct DetailView {
  let state: State
  let detail: ReaderState
  let isFocused: Bool

  /// The area for text. One column stays empty on either side.
  static func textSize(in content: Rect) -> Size { Size(max(1, content.width - 2), content.height) }

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    guard !detail.lines.isEmpty else { return }
    let top = min(max(0, detail.top), max(0, detail.lines.count - 1))
    let words = state.screen.search.map { TextFolding.fold($0.words) } ?? ""
    for (row, line) in detail.lines[top...].prefix(rect.height).enumerated() {
      let isMatch = !words.isEmpty && isFocused && TextFolding.matches(line.text, words)
      var x = rect.x + 1
      for span in line.spans {
        let style = (isMatch ? theme[.match] : theme[span.role].over(theme[.text])).with(span.attributes)
        let used = frame.put(span.text, x: x, y: rect.y + row, width: rect.maxX - x, style: style, ellipsis: "")
        if case .address(let address)? = span.target { frame.link(address, x: x, y: rect.y + row, width: used) }
        x += used
      }
    }
    if let cover = detail.cover, let address = state.covers.best(of: detail.covers, cover.size) {
      let (size, y) = (cover.size, rect.y + cover.line - top)
      let square = Rect(x: rect.x + 1, y: y, width: size.width, height: size.height)
      CoverView(state: state, address: address).draw(into: &frame, square, clippedTo: rect)
    }
  }

  /// The link at `point`, for clicks.
  static func target(at point: Point, in content: Rect, of detail: ReaderState) -> LinkTarget? {
    let index = detail.top + point.y - content.y
    guard content.contains(point), !detail.isTextOutdated, detail.lines.indices.contains(index) else { return nil }
    var x = content.x + 1
    for span in detail.lines[index].spans {
      let end = x + Clusters.width(span.text)
      if point.x >= x, point.x < end { return span.target }
      x = end
    }
    return nil
  }
}
