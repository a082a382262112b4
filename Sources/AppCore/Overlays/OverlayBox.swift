import TerminalKit

/// A key and what it does, for the bottom line of a box and the status line. A click on it presses the key.
public struct Hint: Equatable, Sendable {
  var key: String
  var word: String
  /// The keys that a click presses; empty if the hint stands for several keys.
  private(set) var pressed: [Key]

  init(_ key: String, _ word: String) {
    self.key = key
    self.word = word
    pressed = KeyNotation.parse(key.count == 1 ? key : "<\(key)>") ?? []
  }

  /// Nil if the command has no key.
  init?(_ name: CommandName, _ word: String, _ keymap: Keymap) {
    guard let key = keymap.key(name) else { return nil }
    self.init(key, word)
    pressed = keymap.keys(of: name).first.flatMap(KeyNotation.parse) ?? []
  }

  /// The columns of the key, a space, and the word.
  var width: Int { Clusters.width(key) + 1 + Clusters.width(word) }
}

/// A hint and its area on the screen. Event handling and drawing share it.
struct HintArea {
  var hint: Hint
  var rect: Rect

  /// As many hints as fit into a row, most important first, `gap` columns apart.
  static func row(_ hints: [Hint], x: Int, y: Int, room: Int, gap: Int) -> [HintArea] {
    let end = x + room
    var x = x
    return hints.compactMap { hint in
      guard x + hint.width <= end else { return nil }
      defer { x += hint.width + gap }
      return HintArea(hint: hint, rect: Rect(x: x, y: y, width: hint.width, height: 1))
    }
  }

  func draw(into frame: inout Frame, key: Style, word: Style) {
    let used = frame.put(hint.key, x: rect.x, y: rect.y, style: key)
    frame.put(hint.word, x: rect.x + used + 1, y: rect.y, style: word)
  }
}

/// Draws the frame of an overlay: the title, the scroll position on the right, and the hints in the bottom line.
struct OverlayBox {
  let state: State
  var title = ""
  var note = ""
  var hints: [Hint] = []

  func draw(_ layout: OverlayLayout, into frame: inout Frame) {
    let theme = state.theme
    let box = layout.box
    let style = theme[.overlay]
    let edge = theme[.borderFocused].over(style)
    frame.fill(box, style: style)
    guard box.width >= 2, box.height >= 2 else { return }
    let lines = state.preferences.ascii ? ["-", "|", "+", "+", "+", "+"] : ["─", "│", "╭", "╮", "╰", "╯"]
    frame.fill(Rect(x: box.x, y: box.y, width: box.width, height: 1), with: lines[0], style: edge)
    frame.fill(Rect(x: box.x, y: box.maxY - 1, width: box.width, height: 1), with: lines[0], style: edge)
    frame.fill(Rect(x: box.x, y: box.y, width: 1, height: box.height), with: lines[1], style: edge)
    frame.fill(Rect(x: box.maxX - 1, y: box.y, width: 1, height: box.height), with: lines[1], style: edge)
    let corners = [(box.x, box.y), (box.maxX - 1, box.y), (box.x, box.maxY - 1), (box.maxX - 1, box.maxY - 1)]
    for (index, corner) in corners.enumerated() {
      frame.set(Cell(lines[index + 2], style: edge), x: corner.0, y: corner.1)
    }
    let noteWidth = note.isEmpty ? 0 : Clusters.width(note) + 2
    if !title.isEmpty {
      let room = box.width - 4 - noteWidth
      frame.put(" \(title) ", x: box.x + 2, y: box.y, width: room, style: theme[.overlayTitle].over(style))
    }
    if noteWidth > 0, noteWidth + 4 < box.width {
      frame.put(" \(note) ", x: box.maxX - 2 - noteWidth, y: box.y, style: theme[.dim].over(style))
    }
    for area in Self.areas(of: hints, in: box) {
      frame.fill(area.rect.inset(left: -1, right: -1), style: style)
      area.draw(into: &frame, key: theme[.key].over(style), word: theme[.dim].over(style))
    }
  }

  /// The areas of the hints in the bottom line of a box.
  static func areas(of hints: [Hint], in box: Rect) -> [HintArea] {
    HintArea.row(hints, x: box.x + 3, y: box.maxY - 1, room: box.width - 5, gap: 2)
  }
}

/// The area of an overlay on the screen. Event handling and drawing share it.
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
  /// - Parameter widest: the columns of the longest line. The box is as wide as that, within limits.
  static func list(rows: Int, widest: Int, in size: Size) -> OverlayLayout {
    centered(
      width: min(max(widest + 4, 64), 84), height: min(rows + 2, size.height - (size.height > 16 ? 6 : 0)), in: size)
  }

  /// The columns of the widest list.
  static func widestList(in size: Size) -> Int { list(rows: 1, widest: size.width, in: size).content.width }

  /// Whether the event is a press outside the box.
  func isPressOutside(by event: MouseEvent) -> Bool { event.kind == .press && !box.contains(event.at) }

  static func centered(width: Int, height: Int, in size: Size) -> OverlayLayout {
    let width = min(width, size.width)
    let height = min(max(3, height), size.height)
    let box = Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
    return OverlayLayout(box: box, content: box.inset(left: 2, top: 1, right: 2, bottom: 1))
  }
}
