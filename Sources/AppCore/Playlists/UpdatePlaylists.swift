import Model
import TerminalKit

/// The commands and answers of the Playlists screen.
extension State {
  // MARK: Answers

  mutating func receive(_ playlists: [Playlist]) {
    let selected = selectedPlaylist?.id
    library.playlists = playlists
    screens[.playlists].listQuery.answered()
    let wanted = pendingSelection.takePlaylist(in: playlists)
    screens.playlists.list.fit(count: playlists.count, height: layout.listHeight(.playlists))
    if let index = wanted ?? playlists.firstIndex(where: { $0.id == selected }) {
      screens.playlists.list.moveTo(index)
    }
    // The contents may have changed, too. An outstanding answer was asked for after the change.
    if !awaited.contains(PlaylistContentsQuestion.self) { screens.playlists.asked = nil }
  }

  /// Shows entries. The selection stays on its row if the playlist is the same.
  /// - Parameter question: whose answer they are; nil: no playlist is selected.
  mutating func showEntries(_ entries: [PlaylistEntry], of question: PlaylistContentsQuestion?) {
    let content = screens.playlists
    let isSame = content.shown?.playlist == question?.playlist
    let kept = screens[.playlists].episodes.list.selected
    let before = content.entries.map(\.item)
    if content.shown != question || content.entries != entries {
      forgetMatches(on: .playlists, isSameList: isSame)
    }
    (screens.playlists.shown, screens.playlists.entries) = (question, entries)
    let ids = entries.map(\.episode)
    if isSame {
      let restored = pendingSelection.takeRestored(in: entries, selected: before[safe: kept])
      let row = restored ?? entries.map(\.item).nearest(to: kept, of: before) ?? kept
      screens[.playlists].episodes.refill(ids, selecting: row, height: layout.listHeight(.episodes))
    } else {
      screens[.playlists].episodes.fill(ids)
    }
  }

  // MARK: Selection

  var selectedPlaylist: Playlist? { library.playlists[safe: screens.playlists.list.selected] }

  /// The item of a playlist in a row of the list; nil in other lists.
  func entry(at row: Int) -> PlaylistEntry? { listedEntries[safe: row] }

  /// The question for the items of the selected playlist. Nil: none is selected.
  var playlistQuestion: PlaylistContentsQuestion? {
    selectedPlaylist.map { PlaylistContentsQuestion(playlist: $0.id, filter: screens[.playlists].filter?.filter) }
  }

  /// Whether the items of the selected playlist are still being read.
  var arePlaylistEntriesPending: Bool {
    guard let question = playlistQuestion else { return false }
    let (asked, shown) = (screens.playlists.asked, screens.playlists.shown)
    return shown != question && (asked != question || awaited.contains(PlaylistContentsQuestion.self))
  }

  /// The selected playlist if it can be edited, which smart playlists cannot.
  var editablePlaylist: PlaylistID? {
    guard let playlist = selectedPlaylist, !playlist.isSmart else { return nil }
    return playlist.id
  }

  /// The clip that `x` deletes: the selected one of “My Clips”. In other playlists `x` only takes a clip out.
  var clipToDelete: Clip? { selectedPlaylist?.isMyClips == true ? selectedEntry?.clip : nil }

  /// The selected item if a playlist has the focus; nil elsewhere.
  var selectedEntry: PlaylistEntry? {
    guard listening == nil, focusedPane != .playlists else { return nil }
    return entry(at: screen.episodes.list.selected)
  }

  // MARK: Changes

  /// `a` in the list of playlists, and `:new-playlist TITLE`.
  mutating func newPlaylist(_ title: String?, adding items: [Playlist.Item] = []) -> [Effect] {
    guard let title = title?.trimmingCharacters(in: .whitespaces), !title.isEmpty else {
      return open(Prompt(NewPlaylistPrompt()))
    }
    guard isFreeTitle(title) else { return [] }
    showMessage(
      .success,
      items.isEmpty
        ? "New playlist “\(title)”. \(keymap.press(.addToPlaylist)) on an episode to add it."
        : "Added to the new playlist “\(title)”")
    pendingSelection.set(playlist: title)
    if !items.isEmpty {
      library.lastPlaylist = title
      _ = leaveSelection()
    }
    return [.write(.makePlaylist(title, adding: items))]
  }

  /// Whether no playlist has the title. Shows a warning if one has it, because playlists are found by their titles.
  mutating func isFreeTitle(_ title: String) -> Bool {
    let isFree = !library.playlists.contains { Playlist.isSameTitle($0.title, title) }
    if !isFree { showMessage(.warning, "There is a playlist named “\(title)” already") }
    return isFree
  }

  /// `A`: adds to a playlist. Asks for it if no title was given.
  mutating func addToPlaylist(_ title: String?) -> [Effect] {
    // The list of playlists may be missing or old, so the rest happens with the answer.
    [ask(PlaylistsQuestion(items: targets.items, title: title))]
  }

  /// Adds the items to the playlist with the typed title.
  fileprivate mutating func add(_ items: [Playlist.Item], toPlaylistNamed title: String) -> [Effect] {
    let playlist =
      library.playlists.first { $0.title == title } ?? library.playlists.first { Playlist.isSameTitle($0.title, title) }
    guard let playlist, !playlist.isSmart else {
      return tell(.error, "There is no playlist named “\(title)” to add to")
    }
    return add(items, to: playlist.id, playlist.title)
  }

  mutating func add(_ items: [Playlist.Item], to playlist: PlaylistID, _ title: String) -> [Effect] {
    library.lastPlaylist = title
    _ = leaveSelection()
    let what = items.count == 1 ? "Added" : "Added \(items.count)"
    return write(.addToPlaylist(playlist, items), "\(what) to “\(title)”")
  }

  /// `x`: removes an item from the playlist, deletes a clip in "My Clips", or deletes a playlist after a confirmation.
  /// - Returns: nil if `x` means the episode itself.
  mutating func removeFromPlaylist() -> [Effect] {
    if focusedPane == .playlists { return deletePlaylist() }
    let targets = targets
    guard let id = editablePlaylist, let playlist = selectedPlaylist else {
      return tell(.info, "This is a smart playlist: its episodes cannot be removed")
    }
    defer { moveOn(from: targets) }
    let count = targets.items.count
    if clipToDelete != nil {
      let clips = targets.items.compactMap { if case .clip(let id) = $0 { id } else { nil } }
      return write(.deleteClips(clips), "Deleted \(count == 1 ? "the clip" : "\(count) clips")", .info)
    }
    let what = count == 1 ? "Removed" : "Removed \(count)"
    return write(.removeFromPlaylist(id, targets.items), "\(what) from “\(playlist.title)”", .info)
  }

  private mutating func deletePlaylist() -> [Effect] {
    guard let playlist = selectedPlaylist else { return tell(.info, "Choose a playlist first") }
    guard !playlist.isFixed else { return tell(.info, "“\(playlist.title)” cannot be deleted") }
    return ask(
      "Delete the playlist “\(playlist.title)”? The episodes in it stay.",
      yes: [.write(.deletePlaylist(playlist.id))],
      done: "Deleted the playlist “\(playlist.title)”. \(keymap.press(.undo)) to undo.")
  }

  /// `J` and `K` in a playlist.
  mutating func moveInPlaylist(by step: Int) -> [Effect] {
    guard let id = editablePlaylist, focusedPane == .episodes else {
      return tell(.info, "Only episodes of the queue and of your own playlists can be moved")
    }
    let (rows, entries) = (targetRows, screens.playlists.entries)
    guard rows.allSatisfy(entries.indices.contains),
      let target = Self.row(of: rows, movedBy: step, in: entries.count)
    else { return [] }
    screens.playlists.entries.move(at: rows, to: target)
    screen.episodes.move(rows, to: target)
    return [.write(.moveInPlaylist(id, rows.map { entries[$0].item }, to: target))]
  }

  /// `:rename`: renames the selected playlist or clip.
  mutating func rename(_ title: String?) -> [Effect] {
    if focusedPane != .playlists, let clip = selectedEntry?.clip {
      return rename(.clip(clip), from: clip.title, to: title)
    }
    guard let playlist = selectedPlaylist else { return [] }
    guard !playlist.isFixed else { return tell(.info, "“\(playlist.title)” cannot be renamed") }
    return rename(.playlist(playlist.id), from: playlist.title, to: title)
  }

  private mutating func rename(_ subject: RenameSubject, from old: String?, to title: String?) -> [Effect] {
    title.map { rename(subject, $0) } ?? open(Prompt(RenamePrompt(subject: subject, before: old ?? ""), old ?? ""))
  }

  mutating func rename(_ subject: RenameSubject, _ title: String) -> [Effect] {
    guard !title.isEmpty, title != self.title(of: subject) else { return [] }
    if case .playlist = subject, !Playlist.isSameTitle(self.title(of: subject) ?? "", title), !isFreeTitle(title) {
      return []
    }
    let done = "Renamed to “\(title)”"
    switch subject {
    case .playlist(let id):
      pendingSelection.set(playlist: title)
      return write(.renamePlaylist(id, title), done)
    case .clip(let clip): return write(.changeClip(clip.id, .title(title)), done)
    }
  }

  private func title(of subject: RenameSubject) -> String? {
    switch subject {
    case .playlist(let id): library.playlists.first { $0.id == id }?.title
    case .clip(let clip): clip.title
    }
  }
}

/// The list of the Playlists screen.
struct PlaylistRowsQuestion: LibraryQuestion {
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> [Playlist]? { try library.playlistRows() }

  func receive(_ playlists: [Playlist], _ state: inout State) -> [Effect] {
    state.receive(playlists)
    return playlists.contains(where: \.isSmart) ? [state.ask(SmartPlaylistCounts())] : []
  }
}

/// The contents of the selected playlist.
struct PlaylistContentsQuestion: LibraryQuestion {
  var playlist: PlaylistID
  var filter: EpisodeFilter?
  var destination: AnswerDestination { .screen }

  func read(_ library: any LibraryReader) throws -> PlaylistContents? { try library.contents(of: playlist, filter) }

  func receive(_ contents: PlaylistContents, _ state: inout State) -> [Effect] {
    state.screens.playlists.problem = contents.problem
    state.remember(contents.rows)
    state.showEntries(contents.entries, of: self)
    return []
  }
}

/// Asks for the playlists, to add items to one of them.
struct PlaylistsQuestion: LibraryQuestion {
  var items: [Playlist.Item]
  /// Nil: the listener chooses the playlist.
  var title: String?

  func read(_ library: any LibraryReader) throws -> [Playlist]? { try library.playlistRows() }

  func receive(_ playlists: [Playlist], _ state: inout State) -> [Effect] {
    state.receive(playlists)
    if let title { return state.add(items, toPlaylistNamed: title) }
    state.openPlaylistPicker(items)
    return []
  }

  /// Items with a title are added. Only one picker opens.
  func replaces(_ earlier: PlaylistsQuestion) -> Bool { self == earlier || title == nil && earlier.title == nil }
}

extension Playlist {
  /// Every library has these two. They can be neither renamed nor deleted.
  var isFixed: Bool { isMyEpisodes || isMyClips }
}

/// An item of a playlist: an episode, or a clip of one.
public struct PlaylistEntry: Equatable, Sendable {
  public var episode: EpisodeID
  public var clip: Clip?
  public var item: Playlist.Item { clip.map { .clip($0.id) } ?? .episode(episode) }
  public init(episode: EpisodeID, clip: Clip? = nil) {
    self.episode = episode
    self.clip = clip
  }
}

/// The items of a playlist, the rows of the first ones (others are asked for when they are shown), and why a smart
/// playlist is empty.
public typealias PlaylistContents = (entries: [PlaylistEntry], rows: [EpisodeRow], problem: String?)
