import Model
import TerminalKit

/// Draws a prompt instead of the status line, with completions or an error above it.
struct PromptView<Purpose: PromptPurpose> {
  let prompt: Prompt<Purpose>
  let state: State
  private var theme: Theme { state.theme }

  func draw(into frame: inout Frame) {
    let row = state.layout.status
    guard row.width > 2 else { return }
    let label = drawLine(into: &frame)
    drawCompletions(above: row, into: &frame)
    if let problem = prompt.problem { draw(problem, above: row, label: label, into: &frame) }
  }

  /// Draws only the status line.
  /// - Returns: the width of the label in columns.
  @discardableResult
  func drawLine(into frame: inout Frame) -> Int {
    let row = state.layout.status
    guard row.width > 2 else { return 0 }
    frame.fill(row, style: theme[.input])
    // At least a third of the row is for what is typed.
    let label = frame.put(
      prompt.purpose.label, x: row.x, y: row.y, width: row.width * 2 / 3, style: theme[.key].over(theme[.input]))
    // The number of completions is shown because not all of them are visible.
    let count = prompt.completions.count
    let note = count > 1 ? " \(prompt.completion.map { "\($0 + 1)/" } ?? "")\(count) " : ""
    let visible = prompt.editor.visible(width: max(1, row.width - label - note.count - 1))
    // A suggested text is drawn as a selection, because the next letter replaces it.
    let style = prompt.editor.isSelected ? theme[.selection] : theme[.input]
    // Each column of a password is a star, so that the cursor stays right.
    let text =
      prompt.purpose.isHidden ? String(repeating: "*", count: Clusters.width(visible.text)) : visible.text
    frame.put(text, x: row.x + label, y: row.y, style: style, ellipsis: "")
    if prompt.editor.isEmpty {
      let dim = theme[.dim].over(theme[.input])
      frame.put(prompt.purpose.example, x: row.x + label + 1, y: row.y, width: max(0, row.maxX - label - 2), style: dim)
    }
    frame.put(note, x: row.maxX - note.count, y: row.y, style: theme[.dim].over(theme[.input]))
    frame.cursor = Point(min(row.maxX - 1, row.x + label + visible.cursorColumn), row.y)
    return label
  }

  /// Draws an error above the prompt, and marks the characters that it is about.
  private func draw(
    _ problem: FilterError, above row: Rect, label: Int, into frame: inout Frame
  ) {
    let style = theme[.error].over(theme[.overlay])
    var lines = TextFlow.wrap(problem.description, width: max(1, row.width - 2))
    let text = prompt.editor.text
    // The marks are only right while the whole text is visible.
    if label + Clusters.width(text) < row.width {
      let start = label + Clusters.width(text.prefix(max(0, problem.offset)))
      let width = max(1, Clusters.width(text.dropFirst(max(0, problem.offset)).prefix(max(0, problem.length))))
      let mark = String(repeating: state.preferences.ascii ? "v" : "▾", count: min(width, row.width))
      frame.restyle(Rect(x: row.x + start, y: row.y, width: width, height: 1)) { $0.with([.underline, .bold]) }
      lines.append(String(repeating: " ", count: max(0, start - 1)) + mark)
    }
    let room = max(0, row.y - 1)
    for (index, line) in lines.suffix(room).enumerated() {
      let y = row.y - min(room, lines.count) + index
      frame.fill(Rect(x: row.x, y: y, width: row.width, height: 1), style: theme[.overlay])
      frame.put(line, x: row.x + 1, y: y, width: row.width - 1, style: style, ellipsis: "")
    }
  }

  /// The completions that fit above the text field.
  private func visibleCompletions(above row: Rect) -> Range<Int> {
    let room = min(8, row.y - 1)
    guard prompt.completions.count > 1, room > 0 else { return 0..<0 }
    let first = max(0, min((prompt.completion ?? 0) - room + 1, prompt.completions.count - room))
    return first..<min(prompt.completions.count, first + room)
  }

  /// The index of the completion at a point.
  func completion(at point: Point) -> Int? {
    let row = state.layout.status
    let shown = visibleCompletions(above: row)
    let index = shown.upperBound - (row.y - point.y)
    return shown.contains(index) ? index : nil
  }

  private func drawCompletions(above row: Rect, into frame: inout Frame) {
    let shown = visibleCompletions(above: row)
    for index in shown {
      let text = prompt.completions[index]
      let isSelected = index == prompt.completion
      let style = isSelected ? theme[.selection] : theme[.overlay]
      let line = Rect(x: row.x, y: row.y - shown.upperBound + index, width: row.width, height: 1)
      frame.fill(line, style: style)
      let used = frame.put(text, x: line.x + 1, y: line.y, width: line.width - 2, style: style)
      if let words = prompt.purpose.help(of: text) {
        let x = max(line.x + 22, line.x + used + 3)
        let help = isSelected ? style : theme[.dim].over(style)
        frame.put(words, x: x, y: line.y, width: line.maxX - x - 1, style: help)
      }
    }
  }
}
