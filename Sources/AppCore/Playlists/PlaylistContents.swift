import Model

extension Playlist {
  /// Every library has these two. They can be neither renamed nor deleted.
  var isFixed: Bool { isMyEpisodes || isMyClips }
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
