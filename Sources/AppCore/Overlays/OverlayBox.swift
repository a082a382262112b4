import TerminalKit

/// A key and what it does, for the bottom line of a box and the status line.
public struct Hint: Equatable, Sendable {
  var key: String
  var word: String

  init(_ key: String, _ word: String) {
    self.key = key
    self.word = word
  }

  /// Nil if the command has no key.
  init?(_ name: CommandName, _ word: String, _ keymap: Keymap) {
    guard let key = keymap.key(name) else { return nil }
    self.init(key, word)
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
    var x = box.x + 2
    for hint in hints {
      let width = Clusters.width(hint.key) + Clusters.width(hint.word) + 3
      guard x + width <= box.maxX - 1 else { continue }
      x += frame.put(" " + hint.key, x: x, y: box.maxY - 1, style: theme[.key].over(style))
      x += frame.put(" \(hint.word) ", x: x, y: box.maxY - 1, style: theme[.dim].over(style))
    }
  }
}
