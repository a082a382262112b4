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

/// What differs between the screens. `Tab.kind` has the type of each screen.
protocol ScreenKind {
  var title: String { get }
  /// The command that shows the screen. Its key is shown before the title.
  var command: CommandName { get }
  /// From left to right.
  var panes: [Pane] { get }
  /// The panes at the moment.
  func panes(_ state: State) -> [Pane]
  /// What is always true of its list of episodes.
  var list: ListTraits { get }
  /// The episodes of the list, without the filter of the screen; nil if the store is not asked for them now.
  func query(_ state: State) -> EpisodeQuery?
  /// The items of its list if it shows a playlist.
  func entries(_ state: State) -> [PlaylistEntry]?
  /// What the list contains, as a condition of a filter; nil if there is none for it.
  func filterCondition(_ state: State) -> EpisodeFilter.Condition?
  /// Where the episode matched in the library search; nil in other lists.
  func searchPlace(of id: EpisodeID, _ state: State) -> SearchPlace?
  /// Whether keys that act on the list that has the keys wait, because it is still being read.
  func wait(_ state: State) -> ListWait

  // MARK: Texts of its list of episodes

  func listTitle(_ state: State) -> String
  /// The title in linear mode.
  func spokenListTitle(_ state: State) -> String
  /// The totals of its list, most important first. They follow the number of its rows.
  func listTotals(_ state: State) -> [String]
  /// The text of an empty list: what would be in it, and which key fills it. Not asked for while
  /// the answer to `query` is outstanding.
  func emptyText(_ state: State) -> [String]
  /// The hints for its list, most important first.
  func listHints(_ state: State) -> [(CommandName, String)]

  // MARK: Selection and commands

  func details(_ state: State) -> ScreenDetails
  /// The podcast that commands act on.
  func selectedPodcast(_ state: State) -> PodcastRow?
  /// What the command does on this screen.
  func handling(of command: ScreenCommand, _ state: State) -> Handling

  /// Fits its own lists to their panes, and asks for what they lack. Called before each frame.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect]
}

/// What is always true of the list of episodes of a screen.
struct ListTraits {
  /// The context of its keys.
  var context = Context.episodes
  /// Rows must name the podcast, because the list has episodes of several.
  var namesPodcasts = true
  /// The date of a row is when the episode was heard, not when it was published.
  var showsWhenHeard = false
  /// Rows have the sizes of their files.
  var showsFileSize = false
  /// `u` hides the played episodes.
  var canHidePlayed = false
}

/// Whether keys wait for a list.
enum ListWait {
  case no, yes
  /// It may take many seconds. Keys that leave the screen do not wait.
  case long
}

/// What the details of a screen show.
struct ScreenDetails {
  var subject: ReaderState.Subject?
  /// What they would show after a key that moves down or up.
  var neighbours: [ReaderState.Subject] = []
  /// The context of the keys in the details.
  var context = Context.detail

  /// - Parameter list: has the episodes beside the subject, if it is an episode.
  init(_ subject: ReaderState.Subject?, in list: EpisodeList) {
    self.subject = subject
    if case .episode? = subject { neighbours = list.neighbours.map { .episode($0) } }
  }
}

/// A command that screens handle differently.
enum ScreenCommand {
  case delete, rename(String?), back, cancel
  case move(by: Int)
  /// An address was pasted.
  case paste(String)
}

/// What a command does on a screen.
enum Handling {
  /// What it does on most screens.
  case common
  case unavailable(String)
  case own((inout State) -> [Effect])

  /// Why the command cannot be used; nil if it can.
  /// - Parameter common: why it cannot be used on most screens.
  func reason(common: @autoclosure () -> String?) -> String? {
    switch self {
    case .common: common()
    case .unavailable(let reason): reason
    case .own: nil
    }
  }
}

extension State {
  /// Does what the command does on this screen; nil if it does what it does on most.
  mutating func handleOnScreen(_ command: ScreenCommand) -> [Effect]? {
    switch tab.kind.handling(of: command, self) {
    case .common: nil
    case .unavailable(let reason): tell(.note, reason)
    case .own(let handle): handle(&self)
    }
  }
}

extension ScreenKind {
  var panes: [Pane] { [.episodes, .detail] }
  func panes(_ state: State) -> [Pane] { panes }
  var list: ListTraits { ListTraits() }
  func query(_ state: State) -> EpisodeQuery? { nil }
  func entries(_ state: State) -> [PlaylistEntry]? { nil }
  func filterCondition(_ state: State) -> EpisodeFilter.Condition? { nil }
  func searchPlace(of id: EpisodeID, _ state: State) -> SearchPlace? { nil }
  func wait(_ state: State) -> ListWait { state.areEpisodesPending ? .yes : .no }

  func listTitle(_ state: State) -> String { title }
  func spokenListTitle(_ state: State) -> String { listTitle(state) }
  func listTotals(_ state: State) -> [String] { [] }
  func listHints(_ state: State) -> [(CommandName, String)] {
    [
      (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
      (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
    ]
  }

  func details(_ state: State) -> ScreenDetails {
    let list = state.screen.episodes
    return ScreenDetails(list.selected.map { .episode($0) }, in: list)
  }
  func selectedPodcast(_ state: State) -> PodcastRow? { state.podcastOfSelectedEpisode }
  func handling(of command: ScreenCommand, _ state: State) -> Handling { .common }
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] { [] }
}
