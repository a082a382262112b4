import Model
import Session

/// The state of the full-screen player: the session and the data that the screen shows of it.
public typealias PlayerState = ListeningSession<EpisodeRow>

extension EpisodeRow: Playable {
  public var podcastID: PodcastID? { podcast }
  public var episodeID: EpisodeID? { id }
}

extension ListeningSession where Item == EpisodeRow {
  public var episode: EpisodeRow? { item }
}

extension EpisodeRow {
  /// The stored state of the episode.
  var storedState: PlayerState.StoredState {
    PlayerState.StoredState(position: position, isPlayed: status == .played, isDeleted: status == .deleted)
  }
}
