import Model
import TerminalKit

/// The playlists on the left, the items of the selected one beside them.
struct PlaylistsScreen: ScreenKind {
  let traits = ScreenTraits(
    title: "Playlists", command: .playlists, panes: [.playlists, .episodes, .detail], context: .queue)

  func wait(_ state: State) -> ListWait {
    if state.screen.listQuery.isPending(state.awaited.contains(PlaylistRowsQuestion.self)) { return .yes }
    return state.focusedPane != .playlists && state.arePlaylistEntriesPending ? .yes : .no
  }

  func texts(_ state: State) -> ListTexts {
    ListTexts(
      title: state.selectedPlaylist?.title ?? "Playlist", empty: emptyText(state), hints: hints(state))
  }

  private func emptyText(_ state: State) -> [String] {
    if let problem = state.screens.playlists.problem {
      return [problem, "Type :\(CommandName.editFilter) to change the filter."]
    }
    if state.selectedPlaylist == nil || state.awaited.contains(PlaylistContentsQuestion.self) { return [] }
    if state.selectedPlaylist?.isSmart == true {
      return ["No episode matches its filter.", "Type :\(CommandName.editFilter) to change it."]
    }
    let keymap = state.keymap
    let (pressAdd, pressStart) = (keymap.press(.addToPlaylist), keymap.press(.clipStart))
    return [
      "Nothing is in this playlist.",
      "\(pressAdd) on an episode to add it. \(pressStart) and \(keymap.hint(.clipEnd)) to mark a clip while you listen.",
    ]
  }

  private func hints(_ state: State) -> [(CommandName, String)] {
    let hints: [(CommandName, String)] = [
      (.open, "play"), (.details, "read"), (.delete, state.clipToDelete == nil ? "remove" : "delete"),
      (.help, "help"), (.moveDown, "down"), (.moveUp, "up"), (.queueLast, "queue"), (.back, "back"), (.undo, "undo"),
    ]
    let changes: [CommandName] = [.delete, .moveDown, .moveUp]
    return state.editablePlaylist == nil ? hints.filter { !changes.contains($0.0) } : hints
  }

  // MARK: Commands

  func handling(of command: ScreenCommand, _ state: State) -> Handling {
    let (isList, entry) = (state.focusedPane == .playlists, state.selectedEntry)
    switch command {
    case .delete:
      if isList, state.selectedPlaylist == nil { return .unavailable("Choose a playlist first") }
      return isList || entry != nil ? .own { $0.removeFromPlaylist() } : .common
    case .move(let step):
      return state.movesOnlyWholeList.map { .unavailable($0) } ?? .own { $0.moveInPlaylist(by: step) }
    case .rename(let title):
      let isThere = state.selectedPlaylist != nil || (!isList && entry?.clip != nil)
      return isThere ? .own { $0.rename(title) } : .common
    case .back, .cancel, .paste: return .common
    }
  }

  func filter(_ state: State) -> EpisodeFilter? {
    guard let filter = state.selectedPlaylist?.filter else { return nil }
    return try? EpisodeFilter(parsing: filter)
  }

  /// Asks for the playlists and for the contents of the selected one.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    var effects: [Effect] = []
    effects += state.askIfStale(\.screen.listQuery, PlaylistRowsQuestion())
    if !effects.isEmpty { state.screens.playlists.asked = nil }
    state.screens.playlists.list.fit(count: state.library.playlists.count, height: layout.listHeight(.playlists))
    guard let question = state.playlistQuestion else {
      if state.screen.listQuery.hasAnswer { state.showEntries([], of: nil) }
      return effects
    }
    guard state.screens.playlists.asked != question else { return effects }
    state.screens.playlists.asked = question
    return effects + [state.ask(question)]
  }

  /// The selection in the list of playlists, and the items of the selected playlist. There is one entry for each id in
  /// the list of episodes.
  struct Content: Equatable, Sendable {
    var list = ListState()
    var entries: [PlaylistEntry] = []
    /// Why a smart playlist is empty.
    var problem: String?
    /// The question for the items that was asked last; nil: it must be asked. And the one that they answer.
    var asked: PlaylistContentsQuestion?
    var shown: PlaylistContentsQuestion?
  }
}

extension State {
  /// The items of the list if it shows a playlist; empty in other lists.
  var listedEntries: [PlaylistEntry] { tab == .playlists ? screens.playlists.entries : [] }
}
