import Model

/// A playlist as the playlists screen lists it.
public struct PlaylistRow: Equatable, Sendable, Identifiable {
  public enum ID: Hashable, Sendable {
    case list(PlaylistID)
    /// A search that stays, by the number that its keeper gave it.
    case smart(Int64)
  }

  public enum Kind: Equatable, Sendable {
    /// "My Episodes" and "My Clips", which always exist.
    case fixed
    case own
    case smart(query: String)
  }

  public var id: ID
  public var title: String
  public var kind: Kind
  /// Of its items; nil where counting would mean to search.
  public var count: Int?

  public init(id: ID, title: String, kind: Kind, count: Int? = nil) {
    self.id = id
    self.title = title
    self.kind = kind
    self.count = count
  }
}

/// One item of a playlist: an episode, or a clip of one.
public struct PlaylistEntry: Equatable, Sendable {
  public var episode: EpisodeID
  public var clip: Clip?
  public var item: Playlist.Item { clip.map { .clip($0.id) } ?? .episode(episode) }
  public init(episode: EpisodeID, clip: Clip? = nil) {
    self.episode = episode
    self.clip = clip
  }
}

/// What is wrong with the words of a smart playlist, and where: characters from the start of the query.
public struct QueryProblem: Error, Equatable, Sendable {
  public var text: String
  public var range: Range<Int>
  public init(_ text: String, at range: Range<Int>) {
    self.text = text
    self.range = range
  }
}

/// The store's answer for one playlist.
public struct PlaylistContents: Equatable, Sendable {
  public var entries: [PlaylistEntry]
  /// Rows of the first of them; the others are asked for when they are shown.
  public var rows: [EpisodeRow]
  public var problem: QueryProblem?
  public init(entries: [PlaylistEntry] = [], rows: [EpisodeRow] = [], problem: QueryProblem? = nil) {
    self.entries = entries
    self.rows = rows
    self.problem = problem
  }
}

/// What the selected playlist holds, as far as it is known.
public struct PlaylistEntries: Equatable, Sendable {
  /// Whose entries these are; nil before the first answer.
  public internal(set) var playlist: PlaylistRow.ID?
  public internal(set) var entries: [PlaylistEntry] = []
  /// Why a smart playlist shows nothing.
  public internal(set) var problem: QueryProblem?
  var awaited: RequestID?
  /// What was asked for last.
  var wanted: PlaylistRow.ID?
  public init() {}
}
