import Model
import TerminalKit

/// The screens behind the keys 1–7. To add one: a case, and a row in each of these tables.
public enum Tab: Int, CaseIterable, Sendable {
  case podcasts = 1
  case new = 2
  case queue = 3
  case downloads = 4
  case playlists = 5
  case history = 6
  case find = 7

  public var title: String {
    switch self {
    case .podcasts: "Podcasts"
    case .new: "New"
    case .queue: "Queue"
    case .downloads: "Downloads"
    case .playlists: "Playlists"
    case .history: "History"
    case .find: "Search"
    }
  }

  /// What the screen is made of, from left to right.
  var panes: [Pane] {
    switch self {
    case .podcasts: [.podcasts, .episodes, .detail]
    case .playlists: [.playlists, .episodes, .detail]
    default: [.episodes, .detail]
    }
  }

  /// What its list asks of the store; nil when something else fills it.
  var scope: EpisodeQuery.Scope? {
    switch self {
    case .podcasts, .playlists, .find: nil
    case .new: .new
    case .queue: .queue
    case .downloads: .downloads
    case .history: .history
    }
  }

  /// Whose episodes these are must be said in a list that mixes podcasts.
  var namesPodcasts: Bool { self != .podcasts }

  /// What an empty list says: what would be here, and which key brings it.
  func emptyText(_ keymap: Keymap) -> [String] {
    func key(_ name: CommandName) -> String { keymap.hint(name) }
    return switch self {
    case .podcasts:
      ["No episodes here.", "\(key(.unplayedOnly)) shows the played ones, \(key(.refresh)) asks the feed."]
    case .new: ["Everything is heard.", "\(key(.refreshAll)) asks all podcasts for more."]
    case .queue:
      ["The queue is empty.", "\(key(.queueLast)) on an episode adds it at the end, \(key(.queueNext)) plays it next."]
    case .downloads:
      ["Nothing is downloaded.", "\(key(.download)) on an episode fetches it, to be heard without a network."]
    case .playlists:
      [
        "Nothing is in this playlist.",
        "\(key(.addToPlaylist)) on an episode adds it; \(key(.clipStart)) and \(key(.clipEnd)) mark a clip while you listen.",
      ]
    case .history: ["Nothing was played yet.", "\(key(.open)) on an episode plays it."]
    case .find: ["Type words to search the library.", "\(key(.find)) asks for them."]
    }
  }

  /// The command that shows it: its key stands before its name.
  var command: CommandName {
    switch self {
    case .podcasts: .podcasts
    case .new: .new
    case .queue: .queue
    case .downloads: .downloads
    case .playlists: .playlists
    case .history: .history
    case .find: .find
    }
  }
}

/// The parts of a screen that can have the focus.
public enum Pane: Equatable, Sendable {
  case podcasts, playlists, episodes, detail
  // Of the view of what plays; the cover never has the focus.
  case transcript, chapters, notes, upNext, cover
}

/// What is shown behind one of the keys 1–7, and where the listener is in it.
public struct Screen: Equatable, Sendable {
  public let tab: Tab
  public var focus: Pane
  /// Only on the podcasts screen.
  public var podcasts = ListState()
  /// Only on the playlists screen, with what the selected one holds: an entry for each id of `episodes`.
  public var playlists = ListState()
  public var entries = PlaylistEntries()
  public var episodes: EpisodeList
  public var detail = DetailPane()
  /// The details have the whole screen.
  public var isReading = false
  /// The words of the last `/`, and what they match.
  public var search: ListSearch?
  /// Search screen: the words that were looked for, and the place that matched in each episode.
  public var words = ""
  public var places: [EpisodeID: SearchPlace] = [:]
  /// Asked again when the library has changed.
  var question = QueryState()

  public init(_ tab: Tab) {
    self.tab = tab
    focus = tab.panes[0]
    episodes = EpisodeList(EpisodeQuery(tab.scope ?? .podcast(PodcastID(0))))
  }

  /// What the keys mean here.
  var context: Context {
    switch isReading ? .detail : focus {
    case .podcasts: .podcasts
    case .playlists: .playlists
    case .episodes: tab == .queue || tab == .playlists ? .queue : .episodes
    default: .detail
    }
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
