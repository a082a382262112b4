import TerminalKit

/// Where a box over the screen stands. Shared by handling and drawing.
struct OverlayLayout {
  /// With its frame.
  var box: Rect
  /// Within the frame.
  var content: Rect

  /// A box as large as the screen allows, for text.
  static func page(in size: Size) -> OverlayLayout {
    centered(width: min(size.width, 84), height: size.height - (size.height > 16 ? 4 : 0), in: size)
  }

  /// A box for a list of `rows` lines.
  static func list(rows: Int, in size: Size) -> OverlayLayout {
    centered(width: min(size.width, 64), height: min(rows + 2, size.height - (size.height > 16 ? 6 : 0)), in: size)
  }

  /// A box for a question and its answers, a blank line between them where there is room.
  static func question(_ text: String, in size: Size) -> OverlayLayout {
    let width = min(size.width, 60)
    let lines = TextFlow.wrap(text, width: max(1, width - 4)).count
    return centered(width: width, height: lines + 4, in: size)
  }

  static func lines(of question: String, in layout: OverlayLayout) -> [String] {
    TextFlow.wrap(question, width: max(1, layout.content.width))
  }

  /// The answers to a question, and where they stand.
  static func answers(in layout: OverlayLayout) -> [(answer: (key: String, word: String), place: Rect)] {
    var x = layout.content.x
    return [("y", "yes"), ("n", "no")].map { answer in
      let width = answer.0.count + 1 + answer.1.count
      defer { x += width + 3 }
      return (answer, Rect(x: x, y: layout.content.maxY - 1, width: width, height: 1))
    }
  }

  static func centered(width: Int, height: Int, in size: Size) -> OverlayLayout {
    let width = min(width, size.width)
    let height = min(max(3, height), size.height)
    let box = Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
    return OverlayLayout(box: box, content: box.inset(left: 2, top: 1, right: 2, bottom: 1))
  }
}
