import Model
import TerminalKit

/// The playlists, each with how much is in it.
struct PlaylistsView {
  let state: State
  let isFocused: Bool

  func draw(into frame: inout Frame, _ rect: Rect) {
    guard !state.playlists.isEmpty else {
      let lines =
        state.screen.question.hasAnswer
        ? [
          "No playlists yet.",
          "\(state.keymap.hint(.newPlaylist)) makes one, \(state.keymap.hint(.smartPlaylist)) a smart one.",
        ] : []
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    let list = state.screen.playlists
    let words = state.screen.search.map { SearchText.fold($0.words) } ?? ""
    for (line, index) in list.visibleRange(height: rect.height).enumerated()
    where state.playlists.indices.contains(index) {
      let playlist = state.playlists[index]
      let row = rect.row(line)
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      frame.fill(row, style: base.background)
      if playlist.isSmart { frame.put(glyphs.search, x: row.x + 1, y: row.y, width: 1, style: base.style(.accent)) }
      let count = playlist.count.map { $0 > 0 ? String($0) : "" } ?? ""
      let room = row.width - 3 - (count.isEmpty ? 0 : count.count + 1)
      let isMatch = !words.isEmpty && SearchText.matches(playlist.title, words)
      frame.put(
        playlist.title, x: row.x + 3, y: row.y, width: room, style: base.style(isMatch ? .match : .text),
        ellipsis: glyphs.ellipsis)
      frame.put(count, x: row.maxX - count.count, y: row.y, style: base.style(.dim))
    }
  }
}
