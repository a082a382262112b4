import Model
import TerminalKit

/// The chapters in the full-screen view. A mark shows the current one.
struct ChaptersPane: ListPane, ListeningPane {
  func title(_ state: State) -> String { state.listeningChapters.heading }

  func note(_ state: State, height: Int) -> String {
    let count = state.listeningChapters.count
    return count == 0 ? "" : state.listeningChapter.map { "\($0 + 1)/\(count)" } ?? "\(count)"
  }

  func list(_ state: State) -> ListState { state.listening?.chapters ?? ListState() }
  func setList(_ list: ListState, _ state: inout State) { state.listening?.chapters = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    let chapters = state.listeningChapters
    return chapters.indices.filter { TextFolding.matches(chapters[$0].title ?? "", words) }
  }

  func hints(_ state: State) -> [(CommandName, String)] {
    guard !state.listeningChapters.isEmpty else { return listeningHints(state, open: nil) }
    return listeningHints(state, open: openWord(state), also: state.canSkipChapters ? [(.delete, "skip")] : [])
  }

  func open(_ state: inout State) -> [Effect] {
    let chapters = state.listeningChapters
    guard let index = list(state).selection, chapters.indices.contains(index) else { return [] }
    return state.goTo(chapters[index].start)
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let chapters = state.listeningChapters
    return LinearPage(chapters.heading, list(state), size, else: ["No chapters."]) {
      guard chapters.indices.contains($0) else { return "" }
      let mark = skippedMark(chapters[$0], state)
      return AccessibleText.chapter($0, of: chapters, width: size.width - mark.count) + mark
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let chapters = state.listeningChapters
    guard !chapters.isEmpty, let list = state.listening?.chapters else {
      return EmptyText(theme: state.theme, lines: [emptyText(state)]).draw(into: &frame, rect)
    }
    let clockWidth = TimeText.clock(chapters.last?.start ?? 0).count
    for (line, index) in list.visibleRange(height: rect.height).enumerated() where chapters.indices.contains(index) {
      let row = rect.row(line)
      let isHeard = index == state.listeningChapter
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      frame.fill(row, style: base.background)
      if isHeard {
        let sign = state.glyphs.player(state.player)
        frame.put(sign.glyph, x: row.x + 1, y: row.y, width: 1, style: base.style(sign.role))
      }
      let clock = TimeText.clock(chapters[index].start)
      frame.put(clock, x: row.x + 3 + clockWidth - clock.count, y: row.y, style: base.style(.dim))
      let x = row.x + 5 + clockWidth
      // A long title is shortened so that the mark stays visible.
      let mark = skippedMark(chapters[index], state)
      let width = frame.put(
        chapters.title(at: index), x: x, y: row.y, width: max(0, row.maxX - x - mark.count),
        style: base.style(isHeard ? .title : .text))
      frame.put(mark, x: x + width, y: row.y, width: max(0, row.maxX - x - width), style: base.style(.dim))
    }
  }

  private func skippedMark(_ chapter: Chapter, _ state: State) -> String {
    state.showsOpenEpisode && state.player.isSkipped(chapter) ? ChapterPicker.skippedMark : ""
  }

  private func emptyText(_ state: State) -> String {
    if state.listeningEpisode == nil { return "Nothing is playing." }
    if state.awaited.contains(.chapters) { return "Fetching…" }
    let problem = state.listeningEpisode == state.player.episode?.id ? nil : state.listening?.chaptersProblem
    return problem.map { "\($0)." } ?? "This episode has no chapters."
  }
}
