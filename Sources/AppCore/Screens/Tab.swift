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

/// What differs between the screens: title, panes and list of episodes.
protocol ScreenKind {
  var title: String { get }
  /// The command that shows the screen. Its key is shown before the title.
  var command: CommandName { get }
  /// From left to right.
  var panes: [Pane] { get }
  /// The panes at the moment.
  func panes(_ state: State) -> [Pane]
  /// The width of the pane on the left, in columns: for the longest title and a count.
  func sideWidth(_ state: State) -> Int
  /// The query of its list; nil if something else fills the list.
  var scope: EpisodeQuery.Scope? { get }
  /// Rows must name the podcast, because the list has episodes of several.
  var namesPodcasts: Bool { get }
  /// The date of a row is when the episode was heard, not when it was published.
  var showsWhenHeard: Bool { get }
  /// The context of keys in its list.
  var listContext: Context { get }
  func listTitle(_ state: State) -> String
  /// The text of an empty list: what would be in it, and which key fills it.
  func emptyText(_ keymap: Keymap) -> [String]
  /// As above, for the current state. Empty while an answer is outstanding.
  func emptyText(_ state: State) -> [String]
  /// Whether the list that has the keys is still being read. Keys that act on it wait.
  func isListPending(_ state: State) -> Bool
  /// The hints for its list, most important first.
  var listHints: [(CommandName, String)] { get }
}

extension ScreenKind {
  var panes: [Pane] { [.episodes, .detail] }
  func panes(_ state: State) -> [Pane] { panes }
  func sideWidth(_ state: State) -> Int { max(24, state.podcastTitleWidth + 7) }
  var scope: EpisodeQuery.Scope? { nil }
  var namesPodcasts: Bool { true }
  var showsWhenHeard: Bool { false }
  var listContext: Context { .episodes }
  func listTitle(_ state: State) -> String { title }
  func emptyText(_ state: State) -> [String] { state.screen.episodes.hasLoaded ? emptyText(state.keymap) : [] }
  func isListPending(_ state: State) -> Bool { state.areEpisodesPending }
  var listHints: [(CommandName, String)] {
    [
      (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
      (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
    ]
  }
}
