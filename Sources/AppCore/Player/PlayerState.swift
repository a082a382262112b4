import Model
import Session

/// What is playing, and how.
public typealias PlayerState = ListeningSession<EpisodeRow>

extension EpisodeRow: Playable {
  public var podcastID: PodcastID? { podcast }
  public var episodeID: EpisodeID? { id }
}

extension ListeningSession where Item == EpisodeRow {
  public var episode: EpisodeRow? { item }
}

extension EpisodeRow {
  /// How it was left, as the store says.
  var left: PlayerState.Left { PlayerState.Left(place: position, isPlayed: status == .played) }
}

/// What the player makes ready to be heard next.
public struct UpcomingEpisode: Equatable, Sendable {
  public var episode: EpisodeID
  /// Of podcasts that have none of their own.
  public var speed: Double
  /// Percent.
  public var volume: Double

  public init(episode: EpisodeID, speed: Double, volume: Double) {
    self.episode = episode
    self.speed = speed
    self.volume = volume
  }
}
