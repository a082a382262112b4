import Model

/// Where the listener was when the program ended: the screen, the pane, the podcast or playlist, and the episode.
public struct SavedScreen: Equatable, Sendable, CustomStringConvertible {
  var tab: Tab
  /// The index of the focused pane.
  var pane = 0
  /// The id of the selected podcast; on Playlists, of the playlist.
  var item: Int64?
  var episode: EpisodeID?

  /// The stored form, such as `1 1 12 4711`. 0: none.
  public var description: String {
    "\(tab.rawValue) \(pane) \(item ?? 0) \(episode?.rawValue ?? 0)"
  }

  init(_ tab: Tab) { self.tab = tab }

  /// Nil if the text is not valid.
  public init?(_ text: String) {
    let numbers = text.split(separator: " ").compactMap { Int64($0) }
    guard numbers.count == 4, let tab = Tab(rawValue: Int(clamping: numbers[0])) else { return nil }
    self.tab = tab
    pane = Int(clamping: numbers[1])
    item = numbers[2] > 0 ? numbers[2] : nil
    episode = numbers[3] > 0 ? EpisodeID(numbers[3]) : nil
  }
}

extension State {
  /// The screen to return to. The screens for searching would be empty, so the first one stands for them.
  public var savedScreen: SavedScreen {
    guard tab != .find, tab != .discover else { return SavedScreen(.podcasts) }
    var saved = SavedScreen(tab)
    saved.pane = tab.panes.firstIndex(of: screen.focus) ?? 0
    switch tab {
    case .podcasts: saved.item = selectedPodcastLine?.podcast?.id.rawValue
    case .playlists: saved.item = selectedPlaylist?.id.rawValue
    default: break
    }
    // The entries of a playlist are read later than its name.
    saved.episode = tab == .playlists ? nil : screen.episodes.selected
    return saved
  }

  /// Restores what the settings of the last run say.
  public mutating func restore(_ settings: [String: String]) {
    func text(_ setting: Setting) -> String? { settings[setting.rawValue] }
    func columns(_ setting: Setting) -> Int { text(setting).flatMap(Int.init) ?? 0 }
    screens.paneWidths = PaneWidths(side: columns(.sideWidth), detail: columns(.detailWidth))
    library.arrangement = PodcastArrangement(
      order: text(.podcastOrder), groups: text(.podcastGroups), folded: text(.foldedTags))
    if let lines = text(.commandHistory) { histories.commands = PromptHistory(lines) }
    sleepMark = text(.sleepMark).flatMap { EpisodePlace($0) }
    if let saved = text(.savedScreen).flatMap({ SavedScreen($0) }) { restore(saved) }
    if let jumps = text(.jumps) { remember(jumps: jumps) }
  }

  /// Returns to a screen. Its podcast and its episode are selected when their lists have arrived.
  public mutating func restore(_ saved: SavedScreen) {
    tab = saved.tab
    if tab.panes.indices.contains(saved.pane) { screen.focus = tab.panes[saved.pane] }
    pendingSelection.set(saved)
  }
}
