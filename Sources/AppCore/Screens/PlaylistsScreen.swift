import Model
import TerminalKit

/// The playlists on the left, the items of the selected one beside them.
struct PlaylistsScreen: ScreenKind {
  let title = "Playlists"
  let command = CommandName.playlists
  let panes: [Pane] = [.playlists, .episodes, .detail]
  let listContext = Context.queue

  func sideWidth(_ state: State) -> Int { state.library.playlistTitleWidth + 8 }

  func isListPending(_ state: State) -> Bool {
    if state.screen.listQuery.isPending(state.awaited.contains(.playlists)) { return true }
    return state.focusedPane != .playlists && state.arePlaylistEntriesPending
  }

  func listTitle(_ state: State) -> String { state.selectedPlaylist?.title ?? "Playlist" }

  func emptyText(_ keymap: Keymap) -> [String] {
    let clip = "Press \(keymap.hint(.clipStart)) and \(keymap.hint(.clipEnd)) to mark a clip while you listen."
    return ["Nothing is in this playlist.", "Press \(keymap.hint(.addToPlaylist)) on an episode to add it. \(clip)"]
  }

  func emptyText(_ state: State) -> [String] {
    if let problem = state.screens.playlists.entries.problem {
      return [problem, "Press \(state.keymap.hint(.rename)) to change the filter."]
    }
    if state.selectedPlaylist == nil || state.awaited.contains(.playlist) { return [] }
    return emptyText(state.keymap)
  }

  func asksForEpisodes(_ state: State) -> Bool { false }

  func entry(at row: Int, _ state: State) -> PlaylistEntry? {
    let entries = state.screens.playlists.entries.entries
    return entries.indices.contains(row) ? entries[row] : nil
  }

  /// The entries of a playlist are all in memory.
  func matches(_ words: String, _ state: State) -> Set<EpisodeID>? {
    let hits = state.screens.playlists.entries.entries.filter { entry in
      let row = state.library.rows[entry.episode]
      let texts = [entry.clip?.title, row?.title, row?.podcastTitle]
      return texts.contains { SearchText.matches($0 ?? "", words) }
    }
    return Set(hits.map(\.episode))
  }

  func listHints(_ state: State) -> [(CommandName, String)] {
    let hints: [(CommandName, String)] = [
      (.open, "play"), (.details, "read"), (.delete, state.clipToDelete == nil ? "take out" : "delete"),
      (.help, "help"), (.moveDown, "down"), (.moveUp, "up"), (.queueLast, "queue"), (.back, "back"), (.undo, "undo"),
    ]
    let changes: [CommandName] = [.delete, .moveDown, .moveUp]
    return state.editablePlaylist == nil ? hints.filter { !changes.contains($0.0) } : hints
  }

  // MARK: Commands

  func nothingToDelete(_ state: State) -> String? {
    if state.focusedPane == .playlists { return state.selectedPlaylist == nil ? "Choose a playlist first" : nil }
    return state.selectedEntry == nil ? state.noEpisode : nil
  }

  func delete(_ state: inout State) -> [Effect]? { state.removeFromPlaylist() }

  func nothingToMove(_ state: State) -> String? { state.movesOnlyWholeList }

  func filterCondition(_ state: State) -> EpisodeFilter.Condition? {
    guard case .smart(let filter)? = state.selectedPlaylist?.kind else { return nil }
    return (try? EpisodeFilter(parsing: filter))?.condition
  }

  func moveItem(by step: Int, _ state: inout State) -> [Effect] { state.moveInPlaylist(by: step) }

  func canRename(_ state: State) -> Bool {
    state.selectedPlaylist != nil || (state.focusedPane != .playlists && state.selectedEntry?.clip != nil)
  }

  /// Asks for the playlists and for the contents of the selected one.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    var effects: [Effect] = []
    if state.mustAsk(\.screen.listQuery, for: .playlists) {
      effects.append(state.ask(.playlists, for: .playlists))
      state.screens.playlists.entries.wanted = nil
    }
    state.screens.playlists.list.fit(count: state.library.playlists.count, height: layout.listHeight(.playlists))
    guard let selected = state.selectedPlaylist else {
      if state.screen.listQuery.hasAnswer { state.showEntries([], of: nil) }
      return effects
    }
    let filter = state.screen.filter?.filter
    let entries = state.screens.playlists.entries
    if entries.wanted != selected.id || entries.filter != filter {
      state.screens.playlists.entries.wanted = selected.id
      state.screens.playlists.entries.filter = filter
      effects.append(state.ask(.playlist(selected.id, filter), for: .playlist))
    }
    return effects
  }

  /// The selection in the list of playlists, and the items of the selected playlist. There is one entry for each id in
  /// the list of episodes.
  struct Content: Equatable, Sendable {
    var list = ListState()
    var entries = PlaylistEntries()
  }
}
