import Model

/// The queue goes on without a gap: what will be heard next is made ready while the end is near.
extension State {
  /// Seconds of the listener's time before the end.
  public static let upcomingSeconds = 30.0

  /// What is heard when this episode ends as things are now, how fast and how loud; nil while that is far away, and when
  /// the sleep timer wants silence then.
  private var nearUpcoming: PlayerState.Upcoming? {
    guard player.phase == .playing, let end = player.duration.map({ $0 - (player.currentShow.outro ?? 0) }),
      end - player.position <= Self.upcomingSeconds * max(1, player.speed), !isSilentAfterEpisode,
      let next = queue.first(where: { $0 != player.episode?.id })
    else { return nil }
    return PlayerState.Upcoming(episode: next, speed: player.generalSpeed, volume: player.volume)
  }

  /// Tells the player when that has changed. Called after every action, since nearly all can change it: a seek, the
  /// queue, the timer, a deleted episode.
  mutating func reconcileUpcoming() -> [Effect] {
    let upcoming = nearUpcoming
    guard upcoming != player.upcoming else { return [] }
    // Over: the load of the next one says enough.
    let isOver = !player.isActive || player.phase == .loading
    player.upcoming = upcoming
    return isOver ? [] : [.player(.prepare(upcoming))]
  }
}

extension PlayerState {
  /// What the player makes ready to be heard next.
  public struct Upcoming: Equatable, Sendable {
    public var episode: EpisodeID
    /// Of shows that have none of their own.
    public var speed: Double
    /// Percent.
    public var volume: Double

    public init(episode: EpisodeID, speed: Double, volume: Double) {
      self.episode = episode
      self.speed = speed
      self.volume = volume
    }
  }
}
