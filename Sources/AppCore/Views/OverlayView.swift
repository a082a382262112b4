import Model
import TerminalKit

/// Draws what lies over the screen.
struct OverlayView {
  let state: State

  func draw(_ overlay: Overlay, into frame: inout Frame) {
    switch overlay {
    case .prompt(let prompt): draw(prompt, into: &frame)
    case .confirm(let confirm): draw(confirm, into: &frame)
    case .picker(let picker): draw(picker, into: &frame)
    case .help(let help): draw(help, into: &frame)
    case .log(let log): draw(log, into: &frame)
    }
  }

  private var theme: Theme { state.theme }

  /// On the status line, with what Tab offers above it.
  private func draw(_ prompt: Prompt, into frame: inout Frame) {
    let row = state.layout.status
    guard row.width > 2 else { return }
    frame.fill(row, style: theme[.input])
    let label = frame.put(prompt.label, x: row.x, y: row.y, style: theme[.key].over(theme[.input]))
    let visible = prompt.editor.visible(width: max(1, row.width - label - 1))
    frame.put(visible.text, x: row.x + label, y: row.y, style: theme[.input], ellipsis: "")
    frame.cursor = Point(min(row.maxX - 1, row.x + label + visible.cursorColumn), row.y)
    drawCompletions(prompt, above: row, into: &frame)
    if let problem = prompt.problem { draw(problem, prompt, above: row, label: label, into: &frame) }
  }

  /// What is wrong, and a line under the words that are meant.
  private func draw(_ problem: FilterError, _ prompt: Prompt, above row: Rect, label: Int, into frame: inout Frame) {
    let line = Rect(x: row.x, y: row.y - 1, width: row.width, height: 1)
    guard line.y > 0 else { return }
    let style = theme[.error].over(theme[.overlay])
    frame.fill(line, style: theme[.overlay])
    let text = prompt.editor.text
    let start = label + Clusters.width(text.prefix(max(0, problem.offset)))
    let width = max(1, Clusters.width(text.dropFirst(max(0, problem.offset)).prefix(max(0, problem.length))))
    // Only while the whole query is seen does the place in it mean a place on the screen.
    if label + Clusters.width(text) < row.width {
      frame.restyle(Rect(x: row.x + start, y: row.y, width: width, height: 1)) { $0.with([.underline, .bold]) }
      let mark = String(repeating: state.preferences.ascii ? "v" : "▾", count: width)
      let end = row.x + start + frame.put(mark, x: row.x + start, y: line.y, style: style)
      let behind = line.maxX - end - 1
      if Clusters.width(problem.description) <= behind {
        frame.put(problem.description, x: end + 1, y: line.y, width: behind, style: style)
      } else {
        frame.put(problem.description, x: row.x + 1, y: line.y - 1, width: row.width - 1, style: style)
      }
    } else {
      frame.put(problem.description, x: row.x + 1, y: line.y, width: row.width - 1, style: style)
    }
  }

  private func drawCompletions(_ prompt: Prompt, above row: Rect, into frame: inout Frame) {
    guard prompt.completions.count > 1 else { return }
    let room = min(8, row.y - 1)
    guard room > 0 else { return }
    let selected = prompt.completion ?? 0
    let first = max(0, min(selected - room + 1, prompt.completions.count - room))
    let shown = prompt.completions[first...].prefix(room)
    let top = row.y - shown.count
    for (index, text) in shown.enumerated() {
      let isSelected = first + index == prompt.completion
      let style = isSelected ? theme[.selection] : theme[.overlay]
      let line = Rect(x: row.x, y: top + index, width: min(row.width, 72), height: 1)
      frame.fill(line, style: style)
      let used = frame.put(text, x: line.x + 1, y: line.y, width: line.width - 2, style: style)
      if let name = CommandName(rawValue: text) {
        let x = max(line.x + 22, line.x + used + 3)
        let help = isSelected ? style : theme[.dim].over(style)
        frame.put(Command.row(name).help, x: x, y: line.y, width: line.maxX - x - 1, style: help)
      }
    }
  }

  private func draw(_ confirm: Confirm, into frame: inout Frame) {
    let width = min(frame.size.width, 60)
    let lines = TextFlow.wrap(confirm.question, width: max(1, width - 4))
    let layout = OverlayLayout.centered(width: width, height: lines.count + 4, in: frame.size)
    box(layout, title: "", into: &frame)
    for (index, line) in lines.prefix(layout.content.height).enumerated() {
      frame.put(
        line, x: layout.content.x, y: layout.content.y + index, width: layout.content.width, style: theme[.overlay])
    }
    let foot = layout.content.maxY - 1
    guard layout.content.height > lines.count else { return }
    var x = layout.content.x
    for (key, word) in [("y", "yes"), ("n", "no")] {
      x += frame.put(key, x: x, y: foot, style: theme[.key].over(theme[.overlay])) + 1
      x += frame.put(word, x: x, y: foot, style: theme[.overlay]) + 3
    }
  }

  private func draw(_ picker: Picker, into frame: inout Frame) {
    let layout = OverlayLayout.list(rows: picker.items.count, title: picker.title, in: frame.size)
    box(layout, title: picker.title, into: &frame)
    var list = picker.list
    list.fit(count: picker.items.count, height: max(1, layout.content.height))
    for (line, index) in list.visibleRange(height: layout.content.height).enumerated() {
      let row = layout.content.row(line)
      let style = index == list.selected ? theme[.selection] : theme[.overlay]
      frame.fill(row, style: style)
      frame.put(picker.items[index], x: row.x, y: row.y, width: row.width, style: style)
    }
  }

  private func draw(_ help: HelpOverlay, into frame: inout Frame) {
    let layout = OverlayLayout.page(in: frame.size)
    box(layout, title: "Keys and commands", into: &frame)
    var content = layout.content
    if help.isFiltering || !help.filter.isEmpty {
      let cut = content.splitTop(1)
      content = cut.rest
      let used = frame.put("/", x: cut.top.x, y: cut.top.y, style: theme[.key].over(theme[.overlay]))
      let visible = help.filter.visible(width: max(1, cut.top.width - used - 1))
      frame.put(visible.text, x: cut.top.x + used, y: cut.top.y, style: theme[.overlay], ellipsis: "")
      if help.isFiltering { frame.cursor = Point(cut.top.x + used + visible.cursorColumn, cut.top.y) }
    }
    let lines = help.lines(state.keymap)
    let top = min(max(0, help.top), max(0, lines.count - 1))
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
        let textEnd = showsNames ? content.maxX - 24 : content.maxX
        frame.put(text, x: textX, y: y, width: textEnd - textX, style: theme[.overlay])
        if showsNames {
          frame.put(":" + name, x: content.maxX - 23, y: y, width: 23, style: theme[.dim].over(theme[.overlay]))
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
    box(layout, title: "Messages", into: &frame)
    var y = layout.content.y
    for message in state.log.reversed().dropFirst(max(0, log.top)) {
      let role: Role =
        switch message.kind {
        case .note: .overlay
        case .success: .success
        case .warning: .warning
        case .error: .error
        }
      for line in TextFlow.wrap(Sanitize.line(message.text), width: max(1, layout.content.width)) {
        guard y < layout.content.maxY else { return }
        frame.put(
          line, x: layout.content.x, y: y, width: layout.content.width, style: theme[role].over(theme[.overlay]))
        y += 1
      }
    }
  }

  private func box(_ layout: OverlayLayout, title: String, into frame: inout Frame) {
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
    if !title.isEmpty {
      frame.put(" \(title) ", x: box.x + 2, y: box.y, width: box.width - 4, style: theme[.overlayTitle].over(style))
    }
  }
}
