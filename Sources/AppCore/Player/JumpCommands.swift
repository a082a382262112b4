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
    if let cannotPlay { return tell(.error, cannotPlay) }
    guard player.phase != .loading, let place = player.step(back: back) else { return [] }
    let effects = play(place.episode, from: place.seconds, as: .step)
    pendingPlayback.step = StepOnTheWay(place: place, isBack: back, generation: player.generation)
    return effects
  }

  /// Says that a step through the jump list has arrived. If it leads elsewhere or fails, another message says so.
  /// Called after every action.
  mutating func reconcileStep() {
    guard let step = pendingPlayback.step else { return }
    guard player.isActive, player.generation == step.generation else {
      pendingPlayback.step = nil
      return
    }
    guard let isThere = player.hasReached(step.place) else { return }
    pendingPlayback.step = nil
    guard isThere else {
      // After a seek the session has said so.
      if player.newestSeek == .none {
        showMessage(.warning, PlayerText.seekedElsewhere(step.place.seconds, player.position))
      }
      return
    }
    let title = player.episode.map { " of “\($0.title)”" } ?? ""
    showMessage(.info, "\(step.isBack ? "Back" : "Forward again") at \(TimeText.clock(step.place.seconds))\(title)")
  }

  /// Stores the jump list when it has changed. Called after every action.
  mutating func reconcileJumps() -> [Effect] {
    guard player.jumps.places != pendingPlayback.storedJumps else { return [] }
    pendingPlayback.storedJumps = player.jumps.places
    return [.setting(.jumps, player.jumps.text)]
  }

  /// Restores the jump list of the last run.
  public mutating func remember(jumps text: String) {
    player.jumps = JumpList(text)
    pendingPlayback.storedJumps = player.jumps.places
  }

  /// Moves the loaded or offered episode to the position that an undo restored. Stops it if it is played or deleted
  /// again.
  /// - Parameter over: episodes that are played or deleted now.
  mutating func follow(undone place: EpisodePlace?, over: Set<EpisodeID>) -> [Effect] {
    guard let episode = player.episode else { return [] }
    if player.isActive, over.contains(episode.id) {
      pendingPlayback.markedLoad = player.generation
      // A position may have been saved since the undo.
      let storing = place.map { [.note($0.episode, .position(seconds: $0.seconds, total: nil))] } ?? [Effect]()
      return stop() + storing
    }
    guard let place, episode.id == place.episode else { return [] }
    library.rows[place.episode]?.position = place.seconds
    if player.phase == .playing || player.phase == .paused { return seek(to: place.seconds, as: .short) }
    if !player.isActive { player.offer(episode, at: place.seconds, duration: player.duration) }
    return []
  }
}
