import Model

/// An item that a session plays, as its client represents it.
public protocol Playable: Equatable, Sendable {
  /// Nil for a file or an address that belongs to no podcast.
  var podcastID: PodcastID? { get }
  /// Nil for an item that is not in the library.
  var episodeID: EpisodeID? { get }
}
