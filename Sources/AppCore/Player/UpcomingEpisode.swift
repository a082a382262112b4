import Model
import Session

/// The episode that the player prepares while the current one is ending.
public struct UpcomingEpisode: Equatable, Sendable {
  public var episode: EpisodeID
  /// The speed of podcasts that have no speed setting.
  public var speed: Double
  /// Percent.
  public var volume: Double
}

/// Prepares the next episode of the queue while the current one is ending, so that the queue plays without a gap.
extension State {
  /// The episode that plays next if nothing changes, with its speed and volume. Nil while the end is not near, and if
  /// the sleep timer stops after the current episode.
  private var nearUpcoming: UpcomingEpisode? {
    guard player.isEndNear, let next = nextInQueue else { return nil }
    return UpcomingEpisode(episode: next, speed: player.generalSpeed, volume: player.volume)
  }

  /// Tells the player when the next episode has changed. Called after every action, because nearly every action can
  /// change it.
  mutating func reconcileUpcoming() -> [Effect] {
    let upcoming = nearUpcoming
    guard upcoming != pendingPlayback.upcoming else { return [] }
    pendingPlayback.upcoming = upcoming
    // The episode has ended. The load of the next one replaces the preparation.
    let isOver = !player.isActive || player.phase == .loading
    return isOver ? [] : [.player(.prepare(upcoming))]
  }
}
