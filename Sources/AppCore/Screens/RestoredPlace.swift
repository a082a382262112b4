import Model

/// Where the listener was when the program ended: the screen, the pane, the podcast and the episode.
public struct ScreenPlace: Equatable, Sendable, CustomStringConvertible {
  var tab: Tab
  /// The index of the focused pane.
  var pane = 0
  var podcast: PodcastID?
  var episode: EpisodeID?

  /// The stored form, such as `1 1 12 4711`. 0: none.
  public var description: String {
    "\(tab.rawValue) \(pane) \(podcast?.rawValue ?? 0) \(episode?.rawValue ?? 0)"
  }

  init(_ tab: Tab) { self.tab = tab }

  /// Nil if the text is not valid.
  public init?(_ text: String) {
    let numbers = text.split(separator: " ").compactMap { Int64($0) }
    guard numbers.count == 4, let tab = Tab(rawValue: Int(clamping: numbers[0])) else { return nil }
    self.tab = tab
    pane = Int(clamping: numbers[1])
    podcast = numbers[2] > 0 ? PodcastID(numbers[2]) : nil
    episode = numbers[3] > 0 ? EpisodeID(numbers[3]) : nil
  }
}

extension State {
  /// The place to return to. The screens for searching would be empty, so the first one stands for them.
  public var screenPlace: ScreenPlace {
    guard tab != .find, tab != .discover else { return ScreenPlace(.podcasts) }
    var place = ScreenPlace(tab)
    place.pane = tab.panes.firstIndex(of: screen.focus) ?? 0
    place.podcast = tab == .podcasts ? selectedPodcastLine?.podcast?.id : nil
    place.episode = screen.episodes.selected
    return place
  }

  /// Returns to a place. Its podcast and its episode are selected when their lists have arrived.
  public mutating func restore(_ place: ScreenPlace) {
    tab = place.tab
    if tab.panes.indices.contains(place.pane) { screen.focus = tab.panes[place.pane] }
    selectWhenLoaded = place.podcast
    openingEpisode = place.episode
  }
}
