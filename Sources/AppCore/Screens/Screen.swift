import Model
import TerminalKit

/// Where the listener is on a screen: what all of them have.
public struct Screen: Equatable, Sendable {
  public let tab: Tab
  public var focus: Pane
  public var episodes: EpisodeList
  public var detail = DetailPane()
  /// The details have the whole screen.
  public var isReading = false
  /// The words of the last `/`, and what they match.
  public var search: ListSearch?
  /// Asked again when the library has changed.
  var question = QueryState()

  public init(_ tab: Tab) {
    self.tab = tab
    focus = tab.panes[0]
    episodes = EpisodeList(EpisodeQuery(tab.kind.scope ?? .podcast(PodcastID(0))))
  }
}

/// All screens: what each has in common with the others, and what only one of them has.
public struct Screens: Equatable, Sendable {
  private var all = Tab.allCases.map { Screen($0) }
  var inPodcasts = PodcastsScreen.Place()
  var inPlaylists = PlaylistsScreen.Place()
  var inFind = FindScreen.Place()
  var inDiscover = DiscoverScreen.Place()

  public init() {}

  public subscript(tab: Tab) -> Screen {
    get { all[tab.rawValue - 1] }
    _modify { yield &all[tab.rawValue - 1] }
  }
}

/// A search in a list: `/`, then n and N.
public struct ListSearch: Equatable, Sendable {
  public var words: String
  /// Ids of the episodes that match, in no order; nil until the store has said. Podcasts and details are searched
  /// in place.
  public var matches: Set<EpisodeID>?
  /// Where the search began, to go back there on Esc.
  public var origin: Int
  public init(words: String, origin: Int) {
    self.words = words
    self.origin = origin
  }
}
