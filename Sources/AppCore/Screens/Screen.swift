import Model
import TerminalKit

/// The state that all screens have.
public struct Screen: Equatable, Sendable {
  public var focus: Pane
  public var episodes: EpisodeList
  public var detail = ReaderState()
  /// The details fill the whole screen.
  public var isReading = false
  /// The words of the last `/` and their matches.
  public var search: ListSearch?
  /// Narrows its list of episodes.
  public internal(set) var filter: ListFilter?
  /// Invalidated when the library has changed.
  var listQuery = QueryState()

  public init(_ tab: Tab) {
    focus = tab.panes[0]
    episodes = EpisodeList(EpisodeQuery(.podcast(PodcastID(0))))
  }
}

/// The state of all screens: the parts that each has, those that only one has, and what they share.
public struct Screens: Equatable, Sendable {
  private var all = Tab.allCases.map { Screen($0) }
  var podcasts = PodcastsScreen.Content()
  var playlists = PlaylistsScreen.Content()
  var find = FindScreen.Content()
  var discover = DiscoverScreen.Content()
  /// `u`: lists show only unplayed episodes.
  var unplayedOnly = false
  /// How many columns the listener has made the side pane and the details wider (or narrower, if negative).
  var paneWidths = PaneWidths()

  public subscript(tab: Tab) -> Screen {
    get { all[tab.rawValue - 1] }
    _modify { yield &all[tab.rawValue - 1] }
  }
}

/// A search in a list with `/`, `n` and `N`.
public struct ListSearch: Equatable, Sendable {
  public var words: String
  /// The matching episodes, with all of their rows, and the clips that match themselves; nil until the store has
  /// answered. Podcasts and details are searched directly.
  public var matches: Set<Playlist.Item>?
  /// Which match to go to, once the store has answered. Keys wait until then, because they act on the match.
  var wanted: SearchOptions?
  /// The store has answered for this list. It is asked again when rows change, because the list marks the matches.
  var isKnown = false

  /// Whether the row of an episode, or of a clip of it, matches.
  func finds(_ episode: EpisodeID, _ clip: Clip?) -> Bool {
    guard let matches else { return false }
    return matches.contains(.episode(episode)) || clip.map { matches.contains(.clip($0.id)) } ?? false
  }
}

extension TextFolding {
  /// Whether the text has these words, which are folded.
  static func matches(_ text: String, _ foldedWords: String) -> Bool { fold(text).contains(foldedWords) }
}
