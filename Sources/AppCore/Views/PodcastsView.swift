import Model
import TerminalKit

/// The podcasts, each with its count of unplayed episodes.
struct PodcastsView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.podcasts.isEmpty else {
      let lines =
        state.podcastsQuery.hasAnswer
        ? [
          "No podcasts yet.", "\(state.keymap.hint(.add)) adds one by its address,", "earshot import FILE",
          "takes an OPML file.",
        ] : []
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    let list = state.screen.podcasts
    let words = state.screen.search.map { SearchText.fold($0.words) }
    for (line, index) in list.visibleRange(height: rect.height).enumerated()
    where state.podcasts.indices.contains(index) {
      draw(
        state.podcasts[index], isSelected: index == list.selected, words: words, into: &frame, rect.row(line))
    }
  }

  private func draw(_ podcast: PodcastRow, isSelected: Bool, words: String?, into frame: inout Frame, _ row: Rect) {
    let theme = state.theme
    let base = RowStyle(theme: theme, isSelected: isSelected, isFocused: isFocused)
    frame.fill(row, style: base.background)
    let count = podcast.unplayed > 0 ? String(podcast.unplayed) : ""
    let isBroken = if case .failed = podcast.health { true } else { podcast.health == .gone }
    let mark = isBroken ? "!" : ""
    let right = [mark, count].filter { !$0.isEmpty }.joined(separator: " ")
    let room = row.width - 1 - (right.isEmpty ? 0 : right.count + 1)
    let isMatch = words.map { !$0.isEmpty && SearchText.matches(podcast.title, $0) } ?? false
    let role: Role = isMatch ? .match : podcast.unplayed > 0 ? .title : .text
    frame.put(podcast.title, x: row.x + 1, y: row.y, width: room, style: base.style(role))
    var x = row.maxX - right.count
    if !mark.isEmpty { x += frame.put(mark + " ", x: x, y: row.y, style: base.style(.error)) }
    frame.put(count, x: x, y: row.y, style: base.style(.new))
  }
}
