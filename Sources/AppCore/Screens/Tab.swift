import Model

/// The screens in the order of the tab row. To add one, add a case, its `kind`, and a type for it.
public enum Tab: Int, CaseIterable, Sendable {
  case podcasts = 1
  case new = 2
  case queue = 3
  case downloads = 4
  case playlists = 5
  case history = 6
  case find = 7
  case discover = 8

  /// The behaviour of the screen.
  var kind: any ScreenKind {
    switch self {
    case .podcasts: PodcastsScreen()
    case .new: NewScreen()
    case .queue: QueueScreen()
    case .downloads: DownloadsScreen()
    case .playlists: PlaylistsScreen()
    case .history: HistoryScreen()
    case .find: FindScreen()
    case .discover: DiscoverScreen()
    }
  }

  public var title: String { kind.title }
  var panes: [Pane] { kind.panes }
}

/// What differs between the screens: title, panes, the list of episodes, and what some commands do there. `Tab.kind`
/// has the type of each screen.
protocol ScreenKind {
  var title: String { get }
  /// The command that shows the screen. Its key is shown before the title.
  var command: CommandName { get }

  // MARK: Panes

  /// From left to right.
  var panes: [Pane] { get }
  /// The panes at the moment.
  func panes(_ state: State) -> [Pane]
  /// The width of the pane on the left, in columns: for the longest title and a count.
  func sideWidth(_ state: State) -> Int
  /// What the details show.
  func detailSubject(_ state: State) -> ReaderState.Subject?
  /// What the details would show after a key that moves down or up.
  func detailNeighbours(_ state: State) -> [ReaderState.Subject]
  /// The context of the keys in the details.
  var detailContext: Context { get }

  // MARK: The list of episodes

  /// The query of its list; nil if something else fills the list.
  var scope: EpisodeQuery.Scope? { get }
  /// Whether the store is asked for the list. If not, the screen fills the list itself.
  func asksForEpisodes(_ state: State) -> Bool
  /// Rows must name the podcast, because the list has episodes of several.
  var namesPodcasts: Bool { get }
  /// The date of a row is when the episode was heard, not when it was published.
  var showsWhenHeard: Bool { get }
  /// Rows have the sizes of their files.
  var showsFileSize: Bool { get }
  /// `u` hides the played episodes.
  var canHidePlayed: Bool { get }
  /// The context of keys in its list.
  var listContext: Context { get }
  func listTitle(_ state: State) -> String
  /// The totals of its list, most important first. They follow the number of its rows.
  func listTotals(_ state: State) -> [String]
  /// The title in linear mode.
  func spokenListTitle(_ state: State) -> String
  /// The text of an empty list: what would be in it, and which key fills it.
  func emptyText(_ keymap: Keymap) -> [String]
  /// The text of an empty list in the current state. Empty while an answer is outstanding.
  func emptyText(_ state: State) -> [String]
  /// Whether the list that has the keys is still being read. Keys that act on it wait.
  func isListPending(_ state: State) -> Bool
  /// Whether that may take many seconds. Then keys that leave the screen do not wait.
  func isListSlow(_ state: State) -> Bool
  /// The hints for its list, most important first.
  func listHints(_ state: State) -> [(CommandName, String)]
  /// What the list contains, as a condition of a filter; nil if there is none for it.
  func filterCondition(_ state: State) -> EpisodeFilter.Condition?
  /// The item of a playlist in a row of its list; nil in other lists.
  func entry(at row: Int, _ state: State) -> PlaylistEntry?
  /// Where the episode matched in the library search; nil in other lists.
  func searchPlace(of id: EpisodeID, _ state: State) -> SearchPlace?
  /// The episodes of its list that match.
  /// - Parameter words: folded.
  /// - Returns: nil if the store must search, because State does not have all rows.
  func matches(_ words: String, _ state: State) -> Set<EpisodeID>?

  // MARK: Commands

  /// The podcast that commands act on.
  func selectedPodcast(_ state: State) -> PodcastRow?
  /// Why `x` has nothing to delete; nil if it has something.
  func nothingToDelete(_ state: State) -> String?
  /// Deletes what `x` means instead of the selected episode; nil if it means the episode.
  func delete(_ state: inout State) -> [Effect]?
  /// Why `J` and `K` have nothing to move; nil if they have something.
  func nothingToMove(_ state: State) -> String?
  func moveItem(by step: Int, _ state: inout State) -> [Effect]
  func canRename(_ state: State) -> Bool
  /// Opens a prompt for a pasted address.
  func paste(_ text: String, _ state: inout State) -> [Effect]
  /// Goes a step back within the screen, when the focus is on its first pane.
  /// - Returns: false if there is no such step.
  func back(_ state: inout State) -> Bool
  /// Cancels a request of the screen; nil if there is none.
  func cancel(_ state: inout State) -> [Effect]?

  /// Fits its own lists to their panes, and asks for what they lack. Called before each frame.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect]
}

extension ScreenKind {
  var panes: [Pane] { [.episodes, .detail] }
  func panes(_ state: State) -> [Pane] { panes }
  func sideWidth(_ state: State) -> Int { state.library.podcastTitleWidth + 7 }
  func detailSubject(_ state: State) -> ReaderState.Subject? { state.screen.episodes.selected.map { .episode($0) } }
  func detailNeighbours(_ state: State) -> [ReaderState.Subject] {
    guard case .episode? = detailSubject(state) else { return [] }
    return state.screen.episodes.neighbours.map { .episode($0) }
  }
  var detailContext: Context { .detail }

  var scope: EpisodeQuery.Scope? { nil }
  func asksForEpisodes(_ state: State) -> Bool { true }
  var namesPodcasts: Bool { true }
  var showsWhenHeard: Bool { false }
  var showsFileSize: Bool { false }
  var canHidePlayed: Bool { false }
  var listContext: Context { .episodes }
  func listTitle(_ state: State) -> String { title }
  func listTotals(_ state: State) -> [String] { [] }
  func spokenListTitle(_ state: State) -> String { listTitle(state) }
  func emptyText(_ state: State) -> [String] { state.screen.episodes.hasLoaded ? emptyText(state.keymap) : [] }
  func isListPending(_ state: State) -> Bool { state.areEpisodesPending }
  func isListSlow(_ state: State) -> Bool { false }
  func listHints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
      (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
    ]
  }
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? { nil }
  func entry(at row: Int, _ state: State) -> PlaylistEntry? { nil }
  func searchPlace(of id: EpisodeID, _ state: State) -> SearchPlace? { nil }
  func matches(_ words: String, _ state: State) -> Set<EpisodeID>? { nil }

  func selectedPodcast(_ state: State) -> PodcastRow? { state.podcastOfSelectedEpisode }
  func nothingToDelete(_ state: State) -> String? { state.noEpisode }
  func delete(_ state: inout State) -> [Effect]? { nil }
  func nothingToMove(_ state: State) -> String? { state.onlyQueueMoves }
  func moveItem(by step: Int, _ state: inout State) -> [Effect] { [] }
  func canRename(_ state: State) -> Bool { false }
  func paste(_ text: String, _ state: inout State) -> [Effect] { state.open(Prompt(AddPrompt(), text)) }
  func back(_ state: inout State) -> Bool { false }
  func cancel(_ state: inout State) -> [Effect]? { nil }

  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] { [] }
}
