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

  public var title: String { kind.traits.title }
  var panes: [Pane] { kind.traits.panes }
}

/// What differs between the screens. `Tab.kind` has the type of each screen.
protocol ScreenKind {
  /// What is always true of it.
  var traits: ScreenTraits { get }
  /// The number beside its name in the row of tabs; 0: none is shown.
  func count(_ state: State) -> Int
  /// The panes at the moment, from left to right.
  func panes(_ state: State) -> [Pane]

  // MARK: Its list of episodes

  /// The episodes of the list, without the filter of the screen; nil if the store is not asked for them now.
  func query(_ state: State) -> EpisodeQuery?
  /// The filter that finds what the list contains; nil if there is none for it.
  func filter(_ state: State) -> EpisodeFilter?
  /// Whether keys that act on the list that has the keys wait, because it is still being read.
  func wait(_ state: State) -> ListWait
  func texts(_ state: State) -> ListTexts
  /// The totals of the list, most important first. They follow the number of its rows.
  func totals(_ state: State) -> [String]

  // MARK: Selection and commands

  func details(_ state: State) -> ScreenDetails
  /// The podcast that commands act on.
  func selectedPodcast(_ state: State) -> PodcastRow?
  /// What the command does on this screen.
  func handling(of command: ScreenCommand, _ state: State) -> Handling

  /// Fits its own lists to their panes, and asks for what they lack. Called before each frame.
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect]
}

/// What is always true of a screen.
struct ScreenTraits {
  let title: String
  /// The command that shows the screen. Its key is shown before the title.
  let command: CommandName
  /// From left to right.
  var panes: [Pane] = [.episodes, .detail]
  /// The context of the keys in its list of episodes.
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

/// The texts of a list of episodes.
struct ListTexts {
  /// Nil: the title of the screen.
  var title: String?
  /// The title in linear mode. Nil: the same.
  var spokenTitle: String?
  /// The text of an empty list: what would be in it, and which key fills it. Not shown while the answer to the query of
  /// the screen is outstanding.
  var empty: [String]
  /// The hints for the list, most important first.
  var hints: [(CommandName, String)] = [
    (.open, "play"), (.details, "read"), (.help, "help"), (.queueLast, "queue"), (.delete, "delete"),
    (.played, "played"), (.search, "search"), (.back, "back"), (.undo, "undo"),
  ]
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
  /// The title of the list of episodes.
  var listTitle: String { tab.kind.texts(self).title ?? tab.title }

  /// Does what the command does on this screen; nil if it does what it does on most.
  mutating func handleOnScreen(_ command: ScreenCommand) -> [Effect]? {
    switch tab.kind.handling(of: command, self) {
    case .common: nil
    case .unavailable(let reason): tell(.info, reason)
    case .own(let handle): handle(&self)
    }
  }
}

extension ScreenKind {
  func count(_ state: State) -> Int { 0 }
  func panes(_ state: State) -> [Pane] { traits.panes }

  func query(_ state: State) -> EpisodeQuery? { nil }
  func filter(_ state: State) -> EpisodeFilter? { nil }
  func wait(_ state: State) -> ListWait { state.areEpisodesPending ? .yes : .no }
  func totals(_ state: State) -> [String] { [] }

  func details(_ state: State) -> ScreenDetails {
    let list = state.screen.episodes
    return ScreenDetails(list.selected.map { .episode($0) }, in: list)
  }
  func selectedPodcast(_ state: State) -> PodcastRow? { state.podcastOfSelectedEpisode }
  func handling(of command: ScreenCommand, _ state: State) -> Handling { .common }
  func reconcile(_ state: inout State, _ layout: Layout) -> [Effect] { [] }
}
