import Model
import TerminalKit

/// The transcript in the full-screen view. Each line has its time on the left. The spoken line has a mark and another
/// style.
struct TranscriptPane: ListeningPane {
  /// The player bar names the episode that is loaded. Any other is named here.
  func title(_ state: State) -> String {
    guard let id = state.listeningEpisode, id != state.player.episode?.id, let row = state.library.rows[id] else {
      return "Transcript\(origin(state))"
    }
    return "Transcript of “\(row.title)”\(origin(state))"
  }

  private func origin(_ state: State) -> String {
    state.transcript.origin.map { " (\($0.text(day: state.calendar.day)))" } ?? ""
  }

  func note(_ state: State, height: Int) -> String {
    let pane = state.transcript
    guard !pane.lines.isEmpty else { return "" }
    return pane.follows && pane.spokenLine != nil ? "following" : "\(pane.selected + 1)/\(pane.lines.count)"
  }

  func move(_ step: MoveStep, _ state: inout State, _ size: Size) {
    var rows = step.rows(height: size.height)
    // Half of a page, which keeps one line visible.
    if case .halfPages = step { rows = step.rows(height: size.height - 1) }
    state.transcript.move(by: rows, size: size)
  }

  func scroll(by rows: Int, _ state: inout State, _ size: Size) { state.transcript.move(by: rows, size: size) }

  func select(row: Int, _ state: inout State, _ size: Size) -> Bool {
    guard let line = line(at: row, in: state.transcript, width: size.width) else { return false }
    state.transcript.moveTo(line, size: size)
    return true
  }

  func goToMatch(_ words: String, _ way: SearchOptions, _ state: inout State) -> Bool {
    let size = state.layout.area(.transcript)?.content.size ?? Size(1, 1)
    return state.transcript.find(words, forward: way.forward, includesSelection: way.includesSelection, size: size)
  }

  /// Seeks to the selected line.
  func open(_ state: inout State) -> [Effect] {
    guard let line = state.transcript.selectedLine else { return [] }
    guard let start = line.start else { return state.tell(.info, "This transcript has no times") }
    state.transcript.follows = true
    return state.goTo(start)
  }

  func page(_ state: State, _ size: Size) -> LinearPage { LinearPage(transcript: state, size) }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    switch state.transcript.content {
    case .lines(let lines): draw(lines, state, isFocused: isFocused, into: &frame, rect)
    case .unknown, .awaited:
      let nothing = ["Nothing is playing.", "\(state.keymap.press(.open)) on an episode to play it."]
      let text = state.listeningEpisode == nil ? nothing : ["Fetching…"]
      EmptyText(theme: state.theme, lines: text).draw(into: &frame, rect)
    case .missing(let reason):
      EmptyText(theme: state.theme, lines: [state.words(forMissingTranscript: reason)]).draw(into: &frame, rect)
    }
  }

  private func draw(
    _ lines: [Transcript.Line], _ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect
  ) {
    let pane = state.transcript
    let indent = TranscriptText.indent(rect.width)
    let words = state.screen.search.map { TextFolding.fold($0.words) } ?? ""
    var y = rect.y
    var index = pane.top
    while y < rect.maxY, lines.indices.contains(index) {
      let rows = TranscriptText.wrapped(lines[index], width: rect.width)
      let isHeard = index == pane.spokenLine
      let isSelected = index == pane.selected && !pane.follows && isFocused
      let base = RowStyle(theme: state.theme, isSelected: isSelected, isFocused: isFocused)
      let isMatch = isFocused && !words.isEmpty && TextFolding.matches(lines[index].text, words)
      for (number, row) in rows.enumerated() where y + number < rect.maxY {
        let line = Rect(x: rect.x, y: y + number, width: rect.width, height: 1)
        frame.fill(line, style: base.background)
        if number == 0 {
          let mark = isHeard ? state.glyphs.player(state.player).glyph : nil
          drawMark(mark, lines[index], base, into: &frame, line, indent)
        }
        var x = rect.x + indent
        for piece in row {
          let role: Role = isMatch ? .match : piece.source == 0 ? .accent : isHeard ? .title : .text
          x += frame.put(piece.text, x: x, y: line.y, width: rect.maxX - x, style: base.style(role), ellipsis: "")
        }
      }
      y += rows.count
      index += 1
    }
  }

  /// Draws the mark of the spoken line and the time.
  private func drawMark(
    _ mark: String?, _ line: Transcript.Line, _ base: RowStyle, into frame: inout Frame, _ row: Rect, _ indent: Int
  ) {
    if let mark { frame.put(mark, x: row.x, y: row.y, style: base.style(.accent)) }
    guard indent > 2, let start = line.start else { return }
    let clock = TimeText.clock(start)
    frame.put(clock, x: row.x + indent - 1 - clock.count, y: row.y, style: base.style(mark == nil ? .dim : .accent))
  }

  /// The index of the transcript line in a row of the pane.
  private func line(at row: Int, in pane: TranscriptState, width: Int) -> Int? {
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
