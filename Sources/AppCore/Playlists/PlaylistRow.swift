import Model

/// A playlist as the playlists screen lists it.
public struct PlaylistRow: Equatable, Sendable, Identifiable {
  public enum Kind: Equatable, Sendable {
    /// "My Episodes" and "My Clips", which always exist.
    case fixed
    case own
    /// A search that stays: the text of an `EpisodeFilter`.
    case smart(filter: String)
  }

  public var id: PlaylistID
  public var title: String
  public var kind: Kind
  /// Of its items; nil where counting would mean to search.
  public var count: Int?

  public var isSmart: Bool { if case .smart = kind { true } else { false } }

  public init(id: PlaylistID, title: String, kind: Kind, count: Int? = nil) {
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

/// The store's answer for one playlist.
public struct PlaylistContents: Equatable, Sendable {
  public var entries: [PlaylistEntry]
  /// Rows of the first of them; the others are asked for when they are shown.
  public var rows: [EpisodeRow]
  /// Why a smart playlist shows nothing.
  public var problem: String?
  public init(entries: [PlaylistEntry] = [], rows: [EpisodeRow] = [], problem: String? = nil) {
    self.entries = entries
    self.rows = rows
    self.problem = problem
  }
}

/// What the selected playlist holds, as far as it is known.
public struct PlaylistEntries: Equatable, Sendable {
  /// Whose entries these are; nil before the first answer.
  public internal(set) var playlist: PlaylistID?
  public internal(set) var entries: [PlaylistEntry] = []
  /// Why a smart playlist shows nothing.
  public internal(set) var problem: String?
  /// What was asked for last.
  var wanted: PlaylistID?
  public init() {}
}
