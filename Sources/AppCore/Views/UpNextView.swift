import Model
import TerminalKit

/// The queue beside what plays.
struct UpNextView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.queue.isEmpty, let list = state.listening?.upNext else {
      return EmptyText(theme: state.theme, lines: Tab.queue.emptyText(state.keymap)).draw(into: &frame, rect)
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
