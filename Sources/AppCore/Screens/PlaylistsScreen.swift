import TerminalKit

/// The playlists on the left, the items of the selected one beside them.
struct PlaylistsScreen: ScreenKind {
  let title = "Playlists"
  let command = CommandName.playlists
  let panes: [Pane] = [.playlists, .episodes, .detail]
  let listContext = Context.queue

  func sideWidth(_ state: State) -> Int { max(24, state.playlistTitleWidth + 7) }

  func isListPending(_ state: State) -> Bool {
    if state.screen.question.isPending(state.awaited.contains(.playlists)) { return true }
    guard state.focusedPane != .playlists, let playlist = state.selectedPlaylist else { return false }
    let entries = state.screens.playlists.entries
    return entries.playlist != playlist.id
      && (entries.wanted != playlist.id || state.awaited.contains(.playlist))
  }

  func listTitle(_ state: State) -> String { state.selectedPlaylist?.title ?? "Playlist" }

  func emptyText(_ keymap: Keymap) -> [String] {
    let clip = "\(keymap.hint(.clipStart)) and \(keymap.hint(.clipEnd)) mark a clip while you listen."
    return ["Nothing is in this playlist.", "\(keymap.hint(.addToPlaylist)) on an episode adds it; \(clip)"]
  }

  func emptyText(_ state: State) -> [String] {
    if let problem = state.screens.playlists.entries.problem {
      return [problem, "\(state.keymap.hint(.rename)) changes the filter."]
    }
    if state.selectedPlaylist == nil || state.awaited.contains(.playlist) { return [] }
    return emptyText(state.keymap)
  }

  let listHints: [(CommandName, String)] = [
    (.open, "play"), (.details, "read"), (.delete, "take out"), (.help, "help"), (.moveDown, "down"),
    (.moveUp, "up"), (.queueLast, "queue"), (.back, "back"), (.undo, "undo"),
  ]

  /// The selection in the list of playlists, and the items of the selected playlist. There is one entry for each id in
  /// the list of episodes.
  struct Place: Equatable, Sendable {
    var list = ListState()
    var entries = PlaylistEntries()
  }
}
