import Model

/// A playlist in the list of playlists.
public struct PlaylistRow: Equatable, Sendable, Identifiable {
  public enum Kind: Equatable, Sendable {
    /// Every library has these two.
    case myEpisodes, myClips
    /// Made by the listener.
    case own
    /// A smart playlist, with the text of its `EpisodeFilter`.
    case smart(filter: String)
  }

  public var id: PlaylistID
  public var title: String
  public var kind: Kind
  /// The number of items; nil for a smart playlist that is not counted yet (`SmartPlaylistCounts`).
  public var count: Int?

  /// Whether it can be neither renamed nor deleted.
  public var isFixed: Bool { kind == .myEpisodes || kind == .myClips }

  public var isSmart: Bool { if case .smart = kind { true } else { false } }

  public init(id: PlaylistID, title: String, kind: Kind, count: Int? = nil) {
    self.id = id
    self.title = title
    self.kind = kind
    self.count = count
  }
}

/// An item of a playlist: an episode, or a clip of one.
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
  /// The rows of the first entries. Others are asked for when they are shown.
  public var rows: [EpisodeRow]
  /// Why a smart playlist is empty.
  public var problem: String?
  public init(entries: [PlaylistEntry] = [], rows: [EpisodeRow] = [], problem: String? = nil) {
    self.entries = entries
    self.rows = rows
    self.problem = problem
  }
}
