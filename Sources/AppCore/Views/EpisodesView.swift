import Model
import TerminalKit

/// A list of episodes, or of what is in a playlist.
struct EpisodesView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    let screen = state.screen
    guard !screen.episodes.ids.isEmpty else {
      return EmptyText(theme: state.theme, lines: emptyText).draw(into: &frame, rect)
    }
    let visible = screen.episodes.list.visibleRange(height: rect.height).filter(screen.episodes.ids.indices.contains)
    let figures = visible.map { RowFigures(of: screen.episodes.ids[$0], clip: clip($0), state) }
    let widths = RowFigures.widths(of: figures)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(
        theme: state.theme, isSelected: index == screen.episodes.list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: screen.episodes.ids[index], namesPodcast: state.tab.namesPodcasts, base: base,
        clip: clip(index), figures: figures[line], widths: widths
      ).draw(into: &frame, rect.row(line))
    }
  }

  /// The clip that a row of a playlist stands for.
  private func clip(_ index: Int) -> Clip? {
    let entries = state.screen.entries.entries
    return state.tab == .playlists && entries.indices.contains(index) ? entries[index].clip : nil
  }

  private var emptyText: [String] {
    let screen = state.screen
    if state.tab == .podcasts {
      guard !state.podcasts.isEmpty, screen.episodes.hasLoaded else { return [] }
      if state.unplayedOnly {
        return ["Everything here is heard.", "\(state.keymap.hint(.unplayedOnly)) shows the played ones."]
      }
    } else if state.tab == .find, !screen.words.isEmpty {
      if state.awaited.contains(.found) { return [] }
      return ["Nothing was found for “\(screen.words)”.", "\(state.keymap.hint(.find)) searches again."]
    } else if state.tab == .playlists {
      if let problem = screen.entries.problem { return [problem, "\(state.keymap.hint(.rename)) changes the filter."] }
      if state.selectedPlaylist == nil || state.awaited.contains(.playlist) { return [] }
    } else if state.tab != .find, !screen.episodes.hasLoaded {
      return []
    }
    return state.tab.emptyText(state.keymap)
  }
}
