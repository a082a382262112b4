import Model
import TerminalKit

/// Draws a cover, or a placeholder if it is not there.
struct CoverView {
  let state: State
  let address: String?

  /// The size in cells of the largest square that fits. A cell is twice as high as wide.
  static func size(in rect: Rect) -> Size {
    let height = min(rect.height - 1, (rect.width - 2) / 2)
    return height > 0 ? Size(height * 2, height) : Size(0, 0)
  }

  /// Draws in the middle of `rect`.
  func drawCentered(into frame: inout Frame, _ rect: Rect) {
    let size = Self.size(in: rect)
    let square = Rect(
      x: rect.x + (rect.width - size.width) / 2, y: rect.y + (rect.height - size.height) / 2, width: size.width,
      height: size.height)
    draw(into: &frame, square, clippedTo: rect)
  }

  func draw(into frame: inout Frame, _ square: Rect, clippedTo clip: Rect) {
    let area = square.intersection(clip)
    guard !area.isEmpty else { return }
    let entry = address.flatMap { state.covers[CoverRequest(address: $0, size: square.size)] }
    guard case .image(let image) = entry, let own = image.rect(in: square) else {
      return drawPlaceholder(isAwaited: entry == .awaited, into: &frame, square, area)
    }
    if let graphic = image.graphic, own.intersection(clip) == own {
      return frame.place(graphic, at: Point(own.x, own.y), replacement: image.cells, style: state.theme[.text])
    }
    let seen = own.intersection(clip)
    guard !seen.isEmpty else { return }
    for y in seen.y..<seen.maxY {
      for x in seen.x..<seen.maxX { frame.set(image[x - own.x, y - own.y], x: x, y: y) }
    }
  }

  private func drawPlaceholder(isAwaited: Bool, into frame: inout Frame, _ square: Rect, _ area: Rect) {
    let style = state.theme[.dim].over(state.theme[.text])
    let surface = Style(style.foreground, on: state.theme[.player].background, style.attributes)
    frame.fill(area, style: surface)
    // The placeholder is empty while the cover is being loaded, because a text would only flicker.
    let middle = square.y + square.height / 2
    guard !isAwaited, area.y <= middle, middle < area.maxY else { return }
    let note = state.preferences.ascii ? "(no cover)" : "♪"
    frame.put(
      note, x: max(area.x, square.x + (square.width - Clusters.width(note)) / 2), y: middle, width: area.width,
      style: surface, ellipsis: "")
  }
}
