import Model
import Session

/// The queue goes on without a gap: what will be heard next is made ready while the end is near.
extension State {
  /// What is heard when this episode ends as things are now, how fast and how loud; nil while that is far away, and when
  /// the sleep timer wants silence then.
  private var nearUpcoming: UpcomingEpisode? {
    guard player.isEndNear, let next = queue.first(where: { $0 != player.episode?.id }) else { return nil }
    return UpcomingEpisode(episode: next, speed: player.generalSpeed, volume: player.volume)
  }

  /// Tells the player when that has changed. Called after every action, since nearly all can change it: a seek, the
  /// queue, the timer, a deleted episode.
  mutating func reconcileUpcoming() -> [Effect] {
    let upcoming = nearUpcoming
    guard upcoming != preparedUpcoming else { return [] }
    // Over: the load of the next one says enough.
    let isOver = !player.isActive || player.phase == .loading
    preparedUpcoming = upcoming
    return isOver ? [] : [.player(.prepare(upcoming))]
  }
}
