import Model

/// What was selected when the command line was opened. The list may change while the line is typed: an episode ends
/// and leaves it, or a podcast arrives.
struct CommandSubject: Equatable, Sendable {
  enum Selected: Equatable, Sendable {
    /// Rows of a list of episodes, or the episode that is read.
    case items([Playlist.Item])
    case podcast(PodcastID)
    case playlist(PlaylistID)
    /// A row of the Discover screen, by its key.
    case result(String)
  }

  var selected: Selected
  /// What `:note` is about, if that is not selected.
  var noteOwnerElsewhere: NoteOwner?
  /// Whether `:transcript` and `:chapters` are about the selected episode, not about the one that plays.
  var isRead: Bool
  /// Says that it is not selected any more.
  var goneText: String
}

extension Command {
  /// Whether it always acts on what is selected.
  fileprivate var actsOnSelection: Bool {
    needsList && (group != .move || name == .open) && !Self.withoutSelection.contains(name)
  }

  /// These need a list, but act on all of it or on nothing in it.
  private static let withoutSelection: Set<CommandName> = [
    .add, .visit, .refreshAll, .named("all-played"), .named("import"), .exportSubscriptions, .undo, .redo,
    .unplayedOnly, .newPlaylist, .smartPlaylist, .filter, .saveFilter, .named("rules"), .hidden, .cancel,
    .pauseDownloads, .next, .sortPodcasts,
  ]
}

extension State {
  /// What a line that is typed now is about. Nil: nothing is selected, or the list is still being read.
  var commandSubject: CommandSubject? {
    guard !isListPending, let selected else { return nil }
    let title =
      switch selected {
      case .items: words(targets)
      case .podcast: "“\(selectedPodcast?.title ?? "")”"
      case .playlist: "“\(selectedPlaylist?.title ?? "")”"
      case .result: "“\(selectedResult?.title ?? "")”"
      }
    let verb = if case .items(let items) = selected, items.count > 1 { "are" } else { "is" }
    return CommandSubject(
      selected: selected, noteOwnerElsewhere: noteOwnerElsewhere, isRead: episodeToRead != nil,
      goneText: "\(title) \(verb) no longer selected")
  }

  /// Whether the command acts on what is selected, or would have when the line was opened.
  func acts(_ command: Command, on subject: CommandSubject) -> Bool {
    if [.note, .named("edit-note")].contains(command.name) {
      return subject.noteOwnerElsewhere == nil || subject.noteOwnerElsewhere != noteOwnerElsewhere
    }
    if [.transcript, .chapters].contains(command.name) { return subject.isRead || episodeToRead != nil }
    return command.actsOnSelection
  }

  private var selected: CommandSubject.Selected? {
    if focusedPane == .playlists { return selectedPlaylist.map { .playlist($0.id) } }
    let items = targets.items
    if !items.isEmpty { return .items(items) }
    if tab == .discover, listening == nil { return selectedResult.map { .result($0.key) } }
    return selectedPodcast.map { .podcast($0.id) }
  }

  /// Selects it again, if the selection has moved.
  /// - Returns: false if it is no longer in the list.
  mutating func select(_ subject: CommandSubject) -> Bool {
    if selected == subject.selected { return true }
    guard listening == nil else { return false }
    switch subject.selected {
    case .items(let items):
      let list = listItems
      let rows = list.indexes(of: items)
      if focusedPane == .episodes, !screen.episodes.several.isEmpty {
        // Those that are left. A range could have got rows between them.
        screen.episodes.several = MultiSelection()
        screen.episodes.several.select(rows.map { list[$0] })
        return !rows.isEmpty
      }
      if let row = rows.first { screen.episodes.list.moveTo(row) }
    case .podcast(let id):
      let row = library.podcastLines.firstIndex { $0.podcast?.id == id }
      guard let row else { return false }
      screens.podcasts.list.moveTo(row)
      screens[.podcasts].focus = .podcasts
    case .playlist(let id):
      let row = library.playlists.firstIndex { $0.id == id }
      if let row { screens.playlists.list.moveTo(row) }
    case .result(let key):
      let row = screens.discover.rows.firstIndex { $0.key == key }
      guard let row else { return false }
      screens.discover.list.moveTo(row)
      screens[.discover].focus = .results
    }
    return selected == subject.selected
  }
}
