import Model
import TerminalKit

/// The playlists with the number of their items.
struct PlaylistsPane: SidePane {
  func title(_ state: State) -> String { "Playlists" }
  func note(_ state: State, height: Int) -> String {
    state.library.playlists.isEmpty ? "" : "\(state.library.playlists.count)"
  }
  func context(_ state: State) -> Context { .playlists }

  func hints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "open"), (.newPlaylist, "new"), (.smartPlaylist, "smart"), (.help, "help"), (.rename, "rename"),
      (.delete, "delete"), (.queueLast, "queue"), (.back, "back"), (.undo, "undo"),
    ]
  }

  func list(_ state: State) -> ListState { state.screens.playlists.list }
  func setList(_ list: ListState, _ state: inout State) { state.screens.playlists.list = list }
  func sideWidth(_ state: State) -> Int { state.library.playlistTitleWidth + 8 }
  func count(_ state: State) -> Int { state.library.playlists.count }
  func title(of row: Int, _ state: State) -> String { state.library.playlists[row].title }

  func nothing(_ state: State) -> [String] {
    let keys =
      "\(state.keymap.press(.newPlaylist)) to make one, \(state.keymap.hint(.smartPlaylist)) for a smart one."
    return state.screen.listQuery.hasAnswer ? ["No playlists yet.", keys] : []
  }

  func open(_ state: inout State) -> [Effect] {
    state.screen.focus = .episodes
    return []
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let nothing = ["No playlists yet. \(state.keymap.press(.newPlaylist)) to make one."]
    return LinearPage("Playlists", list(state), size, else: nothing) {
      guard let playlist = state.library.playlists[safe: $0] else { return "" }
      return AccessibleText.playlist(playlist, count: state.library.count(of: playlist), width: size.width)
    }
  }

  func row(_ index: Int, _ state: State) -> SideRow {
    let playlist = state.library.playlists[index]
    return SideRow(
      sign: playlist.isSmart ? (state.glyphs.search, .accent) : nil, indent: 3, title: playlist.title,
      count: Totals.shown(state.library.count(of: playlist) ?? 0))
  }
}
