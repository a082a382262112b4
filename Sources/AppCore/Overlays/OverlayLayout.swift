import TerminalKit

/// The place of an overlay on the screen. Event handling and drawing share it.
struct OverlayLayout {
  /// The box with its frame.
  var box: Rect
  /// The area inside the frame.
  var content: Rect

  /// A box for text, as large as the screen allows.
  static func page(in size: Size) -> OverlayLayout {
    centered(width: min(size.width, 84), height: size.height - (size.height > 16 ? 4 : 0), in: size)
  }

  /// A box for a list of `rows` lines.
  static func list(rows: Int, in size: Size) -> OverlayLayout {
    centered(width: min(size.width, 64), height: min(rows + 2, size.height - (size.height > 16 ? 6 : 0)), in: size)
  }

  /// Whether the event is a press outside the box.
  func isPressOutside(by event: MouseEvent) -> Bool { event.kind == .press && !box.contains(event.at) }

  static func centered(width: Int, height: Int, in size: Size) -> OverlayLayout {
    let width = min(width, size.width)
    let height = min(max(3, height), size.height)
    let box = Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
    return OverlayLayout(box: box, content: box.inset(left: 2, top: 1, right: 2, bottom: 1))
  }
}
