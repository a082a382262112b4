import Model
import TerminalKit

/// Directories of podcasts: what they find is looked at before it is kept.
struct DiscoverScreen: ScreenKind {
  let title = "Discover"
  let command = CommandName.discover
  let panes: [Pane] = [.results, .detail]
  let namesPodcasts = false
  let listContext = Context.discover

  /// The episodes of a podcast that was opened stand beside it.
  func panes(_ state: State) -> [Pane] { state.openedPodcast == nil ? panes : [.results, .episodes, .detail] }

  func listTitle(_ state: State) -> String { state.selectedResult?.podcast?.title ?? "Episodes" }

  func emptyText(_ keymap: Keymap) -> [String] { ["No episodes here."] }

  let listHints: [(CommandName, String)] = [
    (.open, "play"), (.subscribe, "subscribe"), (.details, "read"), (.queueLast, "queue"), (.back, "back"),
    (.help, "help"), (.download, "download"), (.discover, "search again"),
  ]

  /// What is looked for and what was found.
  struct Place: Equatable, Sendable {
    /// The line that was typed last.
    var line = ""
    /// nil: nothing is looked for.
    var query: DiscoverQuery?
    var results = DiscoverResults()
    var rows: [DiscoverRow] = []
    /// What the rows are: those of the search before stay until the first of another one come.
    var rowsQuery: DiscoverQuery?
    var list = ListState()
    /// Has moved in the list since it began to fill: the selection stays on its row.
    var hasMoved = false
    /// Podcasts that were opened in this run, by the keys of their rows.
    var opened: [String: PodcastID] = [:]
    /// Subscriptions, by every name under which a directory may list them.
    var subscribed: [String: PodcastID] = [:]
    var suggestions: [Suggestion] = []
    var question = QueryState()
    /// The episode that a link named is selected once it is in the list.
    var wanted: EpisodeID?

    init() {}

    mutating func show(_ rows: [DiscoverRow]) {
      rowsQuery = query
      let key = list.selection.flatMap { self.rows.indices.contains($0) ? self.rows[$0].key : nil }
      self.rows = rows
      list.fit(count: rows.count, height: 1)
      // What comes in later ranks anew; whoever looks at a row keeps it.
      let kept = hasMoved ? rows.firstIndex { $0.key == key } : nil
      list.moveTo(kept ?? (hasMoved ? list.selected : 0))
    }
  }
}
