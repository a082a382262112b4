import Model
import TerminalKit

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
