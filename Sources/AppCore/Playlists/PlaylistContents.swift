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

/// The items of a playlist, the rows of the first ones (others are asked for when they are shown), and why a smart
/// playlist is empty.
public typealias PlaylistContents = (entries: [PlaylistEntry], rows: [EpisodeRow], problem: String?)
