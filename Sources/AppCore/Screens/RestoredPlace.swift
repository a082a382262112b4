import Model

/// Where the listener was when the program ended: the screen, the pane, the podcast or playlist, and the episode.
public struct ScreenPlace: Equatable, Sendable, CustomStringConvertible {
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
  /// The place to return to. The screens for searching would be empty, so the first one stands for them.
  public var screenPlace: ScreenPlace {
    guard tab != .find, tab != .discover else { return ScreenPlace(.podcasts) }
    var place = ScreenPlace(tab)
    place.pane = tab.panes.firstIndex(of: screen.focus) ?? 0
    switch tab {
    case .podcasts: place.item = selectedPodcastLine?.podcast?.id.rawValue
    case .playlists: place.item = selectedPlaylist?.id.rawValue
    default: break
    }
    // The entries of a playlist are read later than its name.
    place.episode = tab == .playlists ? nil : screen.episodes.selected
    return place
  }

  /// Returns to a place. Its podcast and its episode are selected when their lists have arrived.
  public mutating func restore(_ place: ScreenPlace) {
    tab = place.tab
    if tab.panes.indices.contains(place.pane) { screen.focus = tab.panes[place.pane] }
    pendingSelection.set(place)
  }
}
