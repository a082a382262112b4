import Model

/// What State has of the library: a cache of the store for what the screens show. The queue is not in it, because its
/// changes concern the player.
public struct LibraryState: Equatable, Sendable {
  // MARK: Podcasts

  public var podcasts: [PodcastRow] = [] {
    didSet {
      podcastTitleWidth = Layout.titleWidth(podcasts.lazy.map(\.title))
      podcastLines = arrangement.lines(podcasts)
    }
  }
  public var arrangement = PodcastArrangement() {
    didSet { podcastLines = arrangement.lines(podcasts) }
  }
  /// The lines of the list of podcasts, in order, with the headers of groups.
  public private(set) var podcastLines: [PodcastLine] = []
  /// In columns. Computed when the titles change, because every key needs it several times.
  private(set) var podcastTitleWidth = 0
  public var podcastsQuery = QueryState()

  // MARK: Episodes

  /// Rows that lists have asked for, by id.
  public var rows: [EpisodeID: EpisodeRow] = [:]
  /// Rows that could not be read. They are asked for again after the next change of the library.
  private var unreadableRows: Set<EpisodeID> = []
  /// How many episodes rules have hidden lately, for the New screen.
  var hiddenCount = 0
  /// The types of the questions that `State.askIfStale` has asked since the library changed.
  var asked: Set<ObjectIdentifier> = []

  // MARK: Playlists

  public var playlists: [Playlist] = [] {
    didSet { playlistTitleWidth = Layout.titleWidth(playlists.lazy.map(\.title)) }
  }
  private(set) var playlistTitleWidth = 0
  /// How many episodes smart playlists find, as they were last counted (`SmartPlaylistCounts`).
  var smartCounts: [PlaylistID: Int] = [:]
  /// The playlist that something was last added to. The picker selects it.
  var lastPlaylist: String?

  /// The number of items; nil for a smart playlist that is not counted yet.
  func count(of playlist: Playlist) -> Int? { playlist.isSmart ? smartCounts[playlist.id] : playlist.items.count }

  mutating func remember(_ rows: [EpisodeRow]) { for row in rows { self.rows[row.id] = row } }

  mutating func retainRows(_ kept: Set<EpisodeID>) { rows = rows.filter { kept.contains($0.key) } }

  mutating func addUnreadable(_ ids: Set<EpisodeID>) { unreadableRows.formUnion(ids) }

  /// Whether the store has to be asked for the row.
  func lacksRow(_ id: EpisodeID) -> Bool { rows[id] == nil && !unreadableRows.contains(id) }

  /// Marks everything as stale, because the library has changed.
  mutating func invalidate() {
    podcastsQuery.invalidate()
    asked = []
    unreadableRows = []
  }
}
