import Model
import TerminalKit

/// A list of episodes, or the items of a playlist. `ScreenKind` holds what differs between the screens.
struct EpisodesPane: ListPane {
  /// A filter is before the title, so that it is seen in a narrow pane.
  func title(_ state: State) -> String {
    let title = state.listTitle
    let glyphs = state.glyphs
    return state.screen.filter.map { "\(glyphs.search) \($0.text)\(glyphs.separator)\(title)" } ?? title
  }
  func context(_ state: State) -> Context { state.tab.kind.traits.context }
  func episode(_ state: State) -> EpisodeID? { state.screen.episodes.selected }

  func note(_ state: State, height: Int) -> String {
    let list = state.screen.episodes
    guard !list.ids.isEmpty else { return "" }
    if let selection = state.selectionText { return selection }
    let filter = state.tab.kind.traits.canHidePlayed && state.screens.unplayedOnly ? "unplayed " : ""
    let row = "\(filter)\(list.list.selected + 1)/\(list.ids.count)"
    // The totals are those of the whole list.
    let totals = state.screen.filter == nil ? state.tab.kind.totals(state) : []
    return ([row] + totals).joined(separator: state.glyphs.separator)
  }

  func hints(_ state: State) -> [(CommandName, String)] {
    if !state.screen.episodes.several.isEmpty {
      return [
        (.played, "played"), (.queueLast, "queue"), (.download, "download"), (.help, "help"),
        (.addToPlaylist, "to a playlist"), (.delete, "delete"), (.tags, "tag"), (.back, "leave"),
      ]
    }
    guard state.screen.episodes.ids.isEmpty else {
      let download = downloadWord(state)
      let isDeleted = episode(state).map { state.library.rows[$0]?.status == .deleted } ?? false
      return state.tab.kind.texts(state).hints.compactMap { hint in
        switch hint.0 {
        case .download: download.map { (.download, $0) }
        case .delete where isDeleted && state.screen.filter != nil: (.delete, "bring back")
        case .back where state.screen.filter != nil: (.back, "show all")
        default: hint
        }
      }
    }
    if group(state) != nil { return PodcastsPane().hints(state) + [(.back, "back")] }
    // No hints that need an episode.
    return [
      (.find, "search the library"), (.podcasts, "podcasts"), (.help, "help"), (.new, "new"), (.back, "back"),
      (.refreshAll, "refresh"),
    ]
  }

  /// What the download key does with the selected episode; nil if its file is already there.
  private func downloadWord(_ state: State) -> String? {
    guard let id = episode(state) else { return nil }
    switch state.downloads[id]?.phase {
    case .waiting, .running: return "pause"
    case .paused: return "continue"
    case .failed: return "try again"
    case nil: return state.library.rows[id]?.isDownloaded == true ? nil : "download"
    }
  }

  func list(_ state: State) -> ListState { state.screen.episodes.list }
  func setList(_ list: ListState, _ state: inout State) { state.screen.episodes.list = list }
  func matches(_ words: String, _ state: State) -> [Int] {
    guard let search = state.screen.search else { return [] }
    let (ids, entries) = (state.screen.episodes.ids, state.listedEntries)
    return ids.indices.filter { search.finds(ids[$0], entries.indices.contains($0) ? entries[$0].clip : nil) }
  }

  func open(_ state: inout State) -> [Effect] {
    guard group(state) != nil else { return state.perform(.play) }
    state.screen.focus = .podcasts
    return state.foldGroup()
  }

  /// The group whose heading is selected in the list of podcasts. It has no episodes, and its text says what the key
  /// that opens does.
  private func group(_ state: State) -> PodcastGroup? {
    state.tab == .podcasts ? state.selectedPodcastLine?.group : nil
  }

  private func emptyText(_ state: State) -> [String] {
    guard let filter = state.screen.filter else {
      let isLoading = state.tab.kind.query(state) != nil && !state.screen.episodes.hasLoaded
      return isLoading ? [] : state.tab.kind.texts(state).empty
    }
    guard !state.isListPending else { return [] }
    return ["Nothing here matches “\(filter.text)”.", "\(state.keymap.press(.back)) to show all."]
  }

  func page(_ state: State, _ size: Size) -> LinearPage {
    let texts = state.tab.kind.texts(state)
    let ids = state.screen.episodes.ids
    let selected = Set(state.selectedRows)
    let filter = state.screen.filter.map { "filter \($0.text)" }
    let name = Sanitize.line(texts.spokenTitle ?? texts.title ?? state.tab.title)
    let title = [name, filter, state.selectionText].compactMap(\.self)
    return LinearPage(title.joined(separator: ", "), list(state), size, else: emptyText(state)) {
      guard ids.indices.contains($0) else { return "" }
      return AccessibleText.episode(
        ids[$0], clip: state.entry(at: $0)?.clip, isInSelection: selected.contains($0), width: size.width, state)
    }
  }

  func draw(_ state: State, isFocused: Bool, into frame: inout Frame, _ rect: Rect) {
    let traits = state.tab.kind.traits
    let ids = state.screen.episodes.ids
    guard !ids.isEmpty else {
      return EmptyText(theme: state.theme, lines: emptyText(state)).draw(into: &frame, rect)
    }
    let list = list(state)
    let visible = list.visibleRange(height: rect.height).filter(ids.indices.contains)
    let columns = RowColumns(
      paneWidth: rect.width, namesPodcast: traits.namesPodcasts,
      marksQueue: state.screen.episodes.query.scope != .queue, showsSize: traits.showsFileSize,
      isNarrow: state.size.width < Layout.medium)
    let selected = Set(state.selectedRows)
    for (line, index) in visible.enumerated() {
      let base = RowStyle(theme: state.theme, isSelected: index == list.selected, isFocused: isFocused)
      EpisodeRowView(
        state: state, id: ids[index], base: base, clip: state.entry(at: index)?.clip,
        isInSelection: selected.contains(index), columns: columns
      ).draw(into: &frame, rect.row(line))
    }
  }
}
