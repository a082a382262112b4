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
      let text = state.player.episode == nil ? ["Nothing is playing.", "Enter on an episode plays it."] : ["Fetching…"]
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

/// The chapters of what plays; the one that is heard has a mark.
struct ChaptersView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    let chapters = state.player.chapters
    guard !chapters.isEmpty, let list = state.listening?.chapters else {
      let text = state.player.isActive ? "This episode has no chapters." : "Chapters are listed while an episode plays."
      return EmptyText(theme: state.theme, lines: [text]).draw(into: &frame, rect)
    }
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    let clockWidth = TimeText.clock(chapters.last?.start ?? 0).count
    for (line, index) in list.visibleRange(height: rect.height).enumerated() where chapters.indices.contains(index) {
      let row = rect.row(line)
      let isHeard = index == state.player.chapterIndex
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      frame.fill(row, style: base.background)
      if isHeard { frame.put(glyphs.play, x: row.x + 1, y: row.y, width: 1, style: base.style(.accent)) }
      let clock = TimeText.clock(chapters[index].start)
      frame.put(clock, x: row.x + 3 + clockWidth - clock.count, y: row.y, style: base.style(.dim))
      let x = row.x + 5 + clockWidth
      frame.put(
        chapters[index].title ?? "Untitled", x: x, y: row.y, width: max(0, row.maxX - x),
        style: base.style(isHeard ? .title : .text), ellipsis: glyphs.ellipsis)
    }
  }
}

/// The queue beside what plays.
struct UpNextView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.queue.isEmpty, let list = state.listening?.upNext else {
      return EmptyText(theme: state.theme, lines: Tab.queue.emptyText).draw(into: &frame, rect)
    }
    let visible = list.visibleRange(height: rect.height).filter(state.queue.indices.contains)
    let figures = visible.map { RowFigures(of: state.queue[$0], state) }
    let widths = RowFigures.widths(of: figures)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: state.queue[index], namesPodcast: true, base: base, figures: figures[line], widths: widths
      ).draw(into: &frame, rect.row(line))
    }
  }
}
