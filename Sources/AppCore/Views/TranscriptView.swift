import Model
import TerminalKit

/// The transcript, with the time of each line at the left and the one that is heard in another style and with a mark.
struct TranscriptView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    let pane = state.transcript
    switch pane.content {
    case .lines(let lines): draw(lines, pane, into: &frame, rect)
    case .unknown, .awaited:
      let text =
        state.player.episode == nil
        ? ["Nothing is playing.", "\(state.keymap.hint(.open)) on an episode plays it."] : ["Fetching…"]
      EmptyText(theme: state.theme, lines: text).draw(into: &frame, rect)
    case .missing(let reason):
      EmptyText(theme: state.theme, lines: [reason]).draw(into: &frame, rect)
    }
  }

  private func draw(_ lines: [Transcript.Line], _ pane: TranscriptPane, into frame: inout Frame, _ rect: Rect) {
    let indent = TranscriptText.indent(rect.width)
    let words = state.screen.search.map { SearchText.fold($0.words) } ?? ""
    var y = rect.y
    var index = pane.top
    while y < rect.maxY, lines.indices.contains(index) {
      let rows = TranscriptText.wrapped(lines[index], width: rect.width)
      let isHeard = index == pane.heard
      let isSelected = index == pane.selected && !pane.follows && isFocused
      let base = RowStyle(theme: state.theme, isSelected: isSelected, isFocused: isFocused)
      let isMatch = isFocused && !words.isEmpty && SearchText.matches(lines[index].text, words)
      for (number, row) in rows.enumerated() where y + number < rect.maxY {
        let line = Rect(x: rect.x, y: y + number, width: rect.width, height: 1)
        frame.fill(line, style: base.background)
        if number == 0 { drawMark(lines[index], isHeard, base, into: &frame, line, indent) }
        var x = rect.x + indent
        for run in row {
          let role: Role = isMatch ? .match : run.tag == .accent ? .accent : isHeard ? .title : .text
          x += frame.put(run.text, x: x, y: line.y, width: rect.maxX - x, style: base.style(role), ellipsis: "")
        }
      }
      y += rows.count
      index += 1
    }
  }

  private func drawMark(
    _ line: Transcript.Line, _ isHeard: Bool, _ base: RowStyle, into frame: inout Frame, _ row: Rect, _ indent: Int
  ) {
    let mark = Glyphs(ascii: state.preferences.ascii).play
    if isHeard { frame.put(mark, x: row.x, y: row.y, style: base.style(.accent)) }
    guard indent > 2, let start = line.start else { return }
    let clock = TimeText.clock(start)
    frame.put(clock, x: row.x + indent - 1 - clock.count, y: row.y, style: base.style(isHeard ? .accent : .dim))
  }

  /// The line of the transcript in a row of its pane.
  static func line(at row: Int, in pane: TranscriptPane, width: Int) -> Int? {
    let lines = pane.lines
    var rest = row
    var index = pane.top
    while lines.indices.contains(index), rest >= 0 {
      rest -= TranscriptText.rows(lines[index], width: width)
      if rest < 0 { return index }
      index += 1
    }
    return nil
  }
}
