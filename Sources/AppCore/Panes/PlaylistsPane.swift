import Model
import TerminalKit

/// The playlists, each with how much is in it.
struct PlaylistsPane: ListPane {
  func title(_ state: State) -> String { "Playlists" }
  func note(_ state: State, height: Int) -> String { state.playlists.isEmpty ? "" : "\(state.playlists.count)" }
  func context(_ state: State) -> Context { .playlists }
  func episode(_ state: State) -> EpisodeID? { nil }

  func hints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "open"), (.newPlaylist, "new"), (.smartPlaylist, "smart"), (.help, "help"), (.rename, "rename"),
      (.delete, "delete"), (.back, "back"), (.undo, "undo"),
    ]
  }

  func list(_ state: State) -> ListState { state.screens.inPlaylists.list }
  func setList(_ list: ListState, _ state: inout State) { state.screens.inPlaylists.list = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    state.playlists.indices.filter { SearchText.matches(state.playlists[$0].title, words) }
  }

  func open(_ state: inout State) -> [Effect] {
    state.screen.focus = .episodes
    return []
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let nothing = ["No playlists yet. \(state.keymap.hint(.newPlaylist)) makes one."]
    return LinearPage("Playlists", list(state), size, else: nothing) {
      state.playlists.indices.contains($0) ? AccessibleText.playlist(state.playlists[$0], width: size.width) : ""
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    guard !state.playlists.isEmpty else {
      let keys = "\(state.keymap.hint(.newPlaylist)) makes one, \(state.keymap.hint(.smartPlaylist)) a smart one."
      let lines = state.screen.question.hasAnswer ? ["No playlists yet.", keys] : []
      return EmptyText(theme: state.theme, lines: lines).draw(into: &frame, rect)
    }
    let glyphs = Glyphs(ascii: state.preferences.ascii)
    let list = list(state)
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
