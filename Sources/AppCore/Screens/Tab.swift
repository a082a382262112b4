import Model

/// The screens, in the order of the first row. To add one: a case here, what it is in `kind`, and a type for that.
public enum Tab: Int, CaseIterable, Sendable {
  case podcasts = 1
  case new = 2
  case queue = 3
  case downloads = 4
  case playlists = 5
  case history = 6
  case find = 7
  case discover = 8

  /// What it is and shows.
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

/// What tells one screen from another: its name, its panes, its list of episodes.
protocol ScreenKind {
  var title: String { get }
  /// Shows it; its key stands before its title.
  var command: CommandName { get }
  /// From left to right.
  var panes: [Pane] { get }
  /// Those that are there now.
  func panes(_ state: State) -> [Pane]
  /// What its list asks of the store; nil when something else fills it.
  var scope: EpisodeQuery.Scope? { get }
  /// Whose episodes these are must be said in a list that mixes podcasts.
  var namesPodcasts: Bool { get }
  /// The date of a row says when the episode was heard, not when it was published.
  var showsWhenHeard: Bool { get }
  /// What the keys mean in its list.
  var listContext: Context { get }
  func listTitle(_ state: State) -> String
  /// What an empty list would hold, and which key brings it.
  func emptyText(_ keymap: Keymap) -> [String]
  /// The same, where more is known; nothing while an answer is awaited.
  func emptyText(_ state: State) -> [String]
  /// The keys that matter in its list, the most needed first.
  var listHints: [(CommandName, String)] { get }
}

extension ScreenKind {
  var panes: [Pane] { [.episodes, .detail] }
  func panes(_ state: State) -> [Pane] { panes }
  var scope: EpisodeQuery.Scope? { nil }
  var namesPodcasts: Bool { true }
  var showsWhenHeard: Bool { false }
  var listContext: Context { .episodes }
  func listTitle(_ state: State) -> String { title }
  func emptyText(_ state: State) -> [String] { state.screen.episodes.hasLoaded ? emptyText(state.keymap) : [] }
  var listHints: [(CommandName, String)] {
    [
      (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
      (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
    ]
  }
}
