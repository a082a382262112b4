import Model

/// What a session plays, as its client knows it.
public protocol Playable: Equatable, Sendable {
  /// Nil for what belongs to none: a file, an address.
  var podcastID: PodcastID? { get }
  /// Nil for what is not in the library.
  var episodeID: EpisodeID? { get }
}
