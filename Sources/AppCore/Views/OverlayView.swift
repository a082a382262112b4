import Model
import TerminalKit

/// Draws what lies over the screen.
struct OverlayView {
  let state: State

  func draw(_ overlay: Overlay, into frame: inout Frame) {
    switch overlay {
    case .prompt(let prompt): PromptView(state: state).draw(prompt, into: &frame)
    case .confirm(let confirm): draw(confirm, into: &frame)
    case .picker(let picker): draw(picker, into: &frame)
    case .help(let help): draw(help, into: &frame)
    case .log(let log): draw(log, into: &frame)
    }
  }

  private var theme: Theme { state.theme }

  private func draw(_ confirm: Confirm, into frame: inout Frame) {
    let layout = OverlayLayout.question(confirm.question, in: frame.size)
    box(layout, into: &frame)
    // The answers are always seen; of a long question on a small screen, the beginning.
    let room = max(0, layout.content.height - 1)
    for (index, line) in OverlayLayout.lines(of: confirm.question, in: layout).prefix(room).enumerated() {
      frame.put(
        line, x: layout.content.x, y: layout.content.y + index, width: layout.content.width, style: theme[.overlay])
    }
    for (answer, place) in OverlayLayout.answers(in: layout) {
      let used = frame.put(answer.key, x: place.x, y: place.y, style: theme[.key].over(theme[.overlay]))
      frame.put(answer.word, x: place.x + used + 1, y: place.y, style: theme[.overlay])
    }
  }

  private func draw(_ picker: Picker, into frame: inout Frame) {
    let layout = OverlayLayout.list(rows: picker.items.count, in: frame.size)
    var list = picker.list
    list.fit(count: picker.items.count, height: max(1, layout.content.height))
    let isWhole = picker.items.count <= layout.content.height
    box(
      layout, title: picker.title, note: isWhole ? "" : "\(list.selected + 1)/\(picker.items.count)",
      hints: hints(picker.purpose), into: &frame)
    for (line, index) in list.visibleRange(height: layout.content.height).enumerated() {
      let row = layout.content.row(line)
      let style = index == list.selected ? theme[.selection] : theme[.overlay]
      frame.fill(row, style: style)
      frame.put(picker.items[index], x: row.x, y: row.y, width: row.width, style: style)
    }
  }

  /// What the keys do in a list, the most needed first.
  private func hints(_ purpose: Picker.Purpose) -> [Hint] {
    func key(_ name: CommandName, _ word: String) -> Hint? { state.keymap.key(name).map { ($0, word) } }
    let close = key(.back, "close")
    let all: [Hint?] =
      switch purpose {
      case .chapters: [key(.open, "seek"), close, key(.delete, "skip")]
      case .sleep: [key(.open, "set"), close]
      case .theme: [key(.open, "keep"), key(.back, "as before")]
      case .link: [key(.open, "open"), close, ("1-9", "number"), key(.copyLink, "copy")]
      case .playlist: [key(.open, "add"), close]
      case .show, .device: [key(.open, "choose"), close]
      }
    return all.compactMap { $0 }
  }

  private func draw(_ help: HelpOverlay, into frame: inout Frame) {
    let layout = OverlayLayout.page(in: frame.size)
    let lines = help.lines(state.keymap)
    let top = min(max(0, help.top), max(0, lines.count - 1))
    var content = layout.content
    let seen = min(lines.count, top + content.height)
    box(
      layout, title: "Keys and commands", note: seen - top < lines.count ? "\(seen * 100 / max(1, lines.count)) %" : "",
      hints: help.isFiltering ? [("Enter", "keep"), ("Esc", "show all")] : pageHints(.search, "search"), into: &frame)
    if help.isFiltering || !help.filter.isEmpty {
      let cut = content.splitTop(1)
      content = cut.rest
      let used = frame.put("/", x: cut.top.x, y: cut.top.y, style: theme[.key].over(theme[.overlay]))
      let visible = help.filter.visible(width: max(1, cut.top.width - used - 1))
      frame.put(visible.text, x: cut.top.x + used, y: cut.top.y, style: theme[.overlay], ellipsis: "")
      if help.isFiltering { frame.cursor = Point(cut.top.x + used + visible.cursorColumn, cut.top.y) }
    }
    // On a narrow screen the name, which is typed rarely, gives way to what the keys do.
    let showsNames = content.width >= 60
    for (index, line) in lines.dropFirst(top).prefix(content.height).enumerated() {
      let y = content.y + index
      switch line {
      case .heading(let text):
        frame.put(text, x: content.x, y: y, width: content.width, style: theme[.heading].over(theme[.overlay]))
      case .command(let keys, let name, let text):
        let keyWidth = showsNames ? 18 : 12
        frame.put(keys, x: content.x + 1, y: y, width: keyWidth - 1, style: theme[.key].over(theme[.overlay]))
        let textX = content.x + keyWidth + 1
        let used = frame.put(text, x: textX, y: y, width: content.maxX - textX, style: theme[.overlay])
        // In a column of its own, or behind the text that needs some of it.
        let nameX = max(content.maxX - 25, min(textX + used + 1, content.maxX - Clusters.width(name) - 1))
        if showsNames, nameX > textX + used {
          frame.put(":" + name, x: nameX, y: y, width: content.maxX - nameX, style: theme[.dim].over(theme[.overlay]))
        }
      }
    }
    if lines.isEmpty {
      frame.put(
        "No command matches", x: content.x, y: content.y, width: content.width, style: theme[.dim].over(theme[.overlay])
      )
    }
  }

  private func draw(_ log: LogOverlay, into frame: inout Frame) {
    let layout = OverlayLayout.page(in: frame.size)
    box(layout, title: "Messages", hints: pageHints(nil, ""), into: &frame)
    var y = layout.content.y
    if state.log.isEmpty {
      frame.put("None so far", x: layout.content.x, y: y, style: theme[.dim].over(theme[.overlay]))
    }
    for message in state.log.reversed().dropFirst(max(0, log.top)) {
      let role: Role =
        switch message.kind {
        case .note: .overlay
        case .success: .success
        case .warning: .warning
        case .error: .error
        }
      for line in TextFlow.wrap(message.kind.sign + Sanitize.line(message.text), width: max(1, layout.content.width)) {
        guard y < layout.content.maxY else { return }
        frame.put(
          line, x: layout.content.x, y: y, width: layout.content.width, style: theme[role].over(theme[.overlay]))
        y += 1
      }
    }
  }

  private typealias Hint = (key: String, word: String)

  /// Of a text that is scrolled, with one more command that works in it.
  private func pageHints(_ more: CommandName?, _ word: String) -> [Hint] {
    let commands: [(CommandName?, String)] = [(.back, "close"), (more, word), (.pageDown, "page")]
    return commands.compactMap { name, word in name.flatMap(state.keymap.key).map { ($0, word) } }
  }

  /// A frame with a title, how far one is at its right, and along its foot what the keys do.
  private func box(
    _ layout: OverlayLayout, title: String = "", note: String = "", hints: [Hint] = [], into frame: inout Frame
  ) {
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
