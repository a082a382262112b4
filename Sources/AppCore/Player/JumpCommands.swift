import Model
import Session
import TerminalKit

/// A step through the jump list that the player has not reached yet.
struct StepOnTheWay: Equatable, Sendable {
  var place: EpisodePlace
  var isBack: Bool
  /// The load that it belongs to.
  var generation: Int
}

/// The commands `jump-back` and `jump-forward`, which step through the jump list.
extension State {
  mutating func stepThroughJumps(back: Bool) -> [Effect] {
    if let cannotPlay {
      showMessage(.error, cannotPlay)
      return []
    }
    guard player.phase != .loading, let place = player.step(back: back) else { return [] }
    let effects = play(place.episode, from: place.seconds, as: .step)
    stepOnTheWay = StepOnTheWay(place: place, isBack: back, generation: player.generation)
    return effects
  }

  /// Stores the jump list when it has changed. Called after every action.
  mutating func reconcileJumps() -> [Effect] {
    guard player.jumps.places != storedJumps else { return [] }
    storedJumps = player.jumps.places
    return [.write(.saveSetting(.jumps, player.jumps.text))]
  }

  /// Restores the jump list of the last run.
  public mutating func remember(jumps text: String) {
    player.jumps = JumpList(text)
    storedJumps = player.jumps.places
  }

  /// Moves the loaded or offered episode to the position that an undo restored.
  mutating func follow(undone place: EpisodePlace?) -> [Effect] {
    guard let place, let episode = player.episode, episode.id == place.episode else { return [] }
    rows[place.episode]?.position = place.seconds
    if player.phase == .playing || player.phase == .paused { return seek(to: place.seconds, as: .short) }
    if !player.isActive { player.offer(episode, at: place.seconds, duration: player.duration) }
    return []
  }
}
