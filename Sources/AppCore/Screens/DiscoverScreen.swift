import Model
import TerminalKit

/// The Discover screen: searches directories. Podcasts can be opened before the listener subscribes.
struct DiscoverScreen: ScreenKind {
  let traits = ScreenTraits(
    title: "Discover", command: .discover, panes: [.results, .detail], context: .discover, namesPodcasts: false)

  /// Keys wait for the results of the newest search. They are not meant for the rows of the one before.
  func wait(_ state: State) -> ListWait {
    if state.focusedPane != .results, state.openedPodcast != nil { return state.areEpisodesPending ? .yes : .no }
    // The directories have not found anything yet for the newest search, so the rows belong to another one.
    let content = state.screens.discover
    let isOutdated = content.rowsQuery != content.query || content.rows.isEmpty
    return state.awaited.contains(.directories) && isOutdated ? .long : .no
  }

  /// An opened podcast has a separate pane for its episodes.
  func panes(_ state: State) -> [Pane] { state.openedPodcast == nil ? traits.panes : [.results, .episodes, .detail] }

  /// The podcast in the details can be subscribed to.
  func details(_ state: State) -> ScreenDetails {
    let list = state.screen.episodes
    let isEpisode = state.screen.focus != .results && state.openedPodcast != nil
    let episode: ReaderState.Subject? = isEpisode ? list.selected.map { .episode($0) } : nil
    let podcast = state.openedPodcast.map { ReaderState.Subject.podcast($0) }
    var details = ScreenDetails(episode ?? podcast ?? state.selectedResult.map { .found($0.key) }, in: list)
    details.context = .discover
    return details
  }

  func query(_ state: State) -> EpisodeQuery? { state.openedPodcast.map { EpisodeQuery(.podcast($0)) } }

  /// The title in the library, which a directory may have otherwise.
  func filter(_ state: State) -> EpisodeFilter? {
    guard let podcast = state.openedPodcast else { return nil }
    let rows = state.screen.episodes.ids.lazy.compactMap { state.library.rows[$0] }
    let title = rows.first { $0.podcast == podcast }?.podcastTitle ?? state.selectedResult?.podcast?.title
    return title.map { EpisodeFilter(.text(.podcast, .equals, $0)) }
  }

  func texts(_ state: State) -> ListTexts {
    let hints: [(CommandName, String)] = [
      (.open, "play"), (.subscribe, "subscribe"), (.details, "read"), (.queueLast, "queue"), (.back, "back"),
      (.help, "help"), (.download, "download"), (.discover, "search again"),
    ]
    return ListTexts(
      title: state.selectedResult?.podcast?.title ?? "Episodes", empty: ["No episodes here."],
      hints: hints.filter { $0.0 != .subscribe || state.canSubscribe })
  }

  // MARK: Commands

  /// In the list of results: the subscription to the selected podcast.
  func selectedPodcast(_ state: State) -> PodcastRow? {
    guard state.focusedPane == .results else { return state.podcastOfSelectedEpisode }
    let id = state.selectedResult?.podcast.flatMap { state.subscription($0) }
    return state.library.podcasts.first { $0.id == id }
  }

  func handling(of command: ScreenCommand, _ state: State) -> Handling {
    switch command {
    // The screen shows the podcast before it is added.
    case .paste(let text): return .own { $0.open(Prompt(DiscoverPrompt(), text)) }
    case .back where state.screens.discover.query != nil:
      return .own { state in
        state.showStart()
        return []
      }
    case .cancel where state.awaited.contains(.directories):
      return .own { state in
        state.screens.discover.results.waiting = []
        state.showMessage(.info, "Stopped asking the directories")
        return state.stopDiscovering()
      }
    case .delete, .rename, .move, .back, .cancel: return .common
    }
  }

  /// Fits the results to their pane, and shows the episodes of the opened podcast.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] {
    let effects = state.askIfStale(SuggestionsQuestion())
    if state.screens.discover.query == nil, state.screens.discover.rows.isEmpty { state.showStart() }
    let size = layout.area(.results)?.content.size ?? Size(1, layout.listHeight(.results))
    let height = max(1, size.height - ResultsPane.notes(state, width: size.width).count)
    state.screens.discover.list.fit(count: state.screens.discover.rows.count, height: height)
    if !panes(state).contains(state.screen.focus) { state.screen.focus = .results }
    // The list may still be that of another podcast.
    guard let podcast = state.openedPodcast, state.screen.episodes.query.scope == .podcast(podcast) else {
      return effects
    }
    if let wanted = state.screens.discover.wanted, state.screen.episodes.ids.contains(wanted) {
      state.screen.episodes.select(wanted)
      state.screens.discover.wanted = nil
    }
    return effects
  }

  /// The state of the search and its results.
  struct Content: Equatable, Sendable {
    /// The last typed line.
    var line = ""
    /// nil: no search.
    var query: DiscoverQuery?
    var results = DiscoverResults()
    var rows: [DiscoverRow] = []
    /// The query of the rows. Rows of the previous search stay until the first result of the new one.
    var rowsQuery: DiscoverQuery?
    var list = ListState()
    /// The listener has moved the selection since the list began to fill, so the selection stays on its row.
    var hasMoved = false
    /// Ids of the podcasts that were opened in this run, by the keys of their rows.
    var opened: [String: PodcastID] = [:]
    /// The subscriptions, by every name under which a directory may list them.
    var subscribed: [String: PodcastID] = [:]
    var suggestions: [Suggestion] = []
    /// The episode to select once it is in the list: a link named it.
    var wanted: EpisodeID?

    mutating func show(_ rows: [DiscoverRow]) {
      rowsQuery = query
      let key = self.rows[safe: list.selected]?.key
      self.rows = rows
      list.fit(count: rows.count, height: 1)
      // New results change the ranking. The selected row is kept if the listener has chosen it.
      let kept = hasMoved ? rows.firstIndex { $0.key == key } : nil
      list.moveTo(kept ?? (hasMoved ? list.selected : 0))
    }
  }
}
