import Foundation
import Model
import Session
import TerminalKit

/// The listener's requests to the player, and the player's events.
extension State {
  mutating func handle(_ event: PlayerEvent) -> [Effect] {
    switch event {
    case .devices(let devices, let chosen): return receiveDevices(devices, chosen: chosen)
    case .deviceGone(let name): showMessage(.warning, PlayerText.deviceGone(Sanitize.line(name)))
    default: return updateSession { $0.handle(event, now: $1) }
    }
    return []
  }

  /// Plays an episode from `second`, or from the stored position.
  mutating func play(
    _ id: EpisodeID, from second: Double? = nil, as reason: PlayerState.LoadReason = .jump, readsUpTo: Bool = false
  ) -> [Effect] {
    if let cannotPlay { return tell(.error, cannotPlay) }
    pendingPlayback.download = nil
    if player.episode?.id == id, player.isActive, !isBeingMarked {
      if case .excerpt(let range) = reason { return updateSession { player, _ in player.playExcerpt(range) } }
      let seeking = second.map { seek(to: $0, as: reason == .step ? .short : .jump) } ?? []
      return seeking + updateSession { $0.resume(now: $1) }
    }
    let effects = stop()
    let row = library.rows[id]
    player.load(
      row, at: second ?? row?.position ?? 0, duration: row?.duration, as: second == nil ? .resume : reason,
      storedState: row?.storedState)
    let reading: [Effect] = readsUpTo ? [.player(.readUpToPosition(generation: player.generation))] : []
    return effects + reading + [
      .player(.play(id, from: second, generation: player.generation, speed: player.generalSpeed, volume: player.volume))
    ]
  }

  /// Receives the episode that the store has looked up. The player is about to start it.
  mutating func playing(_ generation: Int, _ row: EpisodeRow, chapters: [Chapter], from second: Double) {
    let isWanted = player.identify(
      row, at: second, duration: row.duration, chapters: chapters, storedState: row.storedState, generation: generation)
    if isWanted { library.remember([row]) }
  }

  mutating func togglePause() -> [Effect] {
    guard player.phase == .stopped else { return updateSession { $0.togglePause(now: $1) } }
    if let cannotPlay { return tell(.error, cannotPlay) }
    if let episode = player.episode, episode.hasMedia, !isOver(episode) { return play(episode.id) }
    // After a finished episode the next one of the queue plays, even if the sleep timer stopped playback in between.
    let candidates = player.isFinished ? [queue.first, selectedEpisode] : [selectedEpisode, queue.first]
    if let id = candidates.compactMap({ $0 }).first(where: { !isSkippedByPause($0) }) { return play(id) }
    return tell(.info, nothingToPlay)
  }

  /// Whether the episode was heard to its end, or is deleted. Enter on such an episode plays it again. Space does not
  /// resume it.
  func isOver(_ episode: EpisodeRow) -> Bool {
    if player.isFinished, player.episode?.id == episode.id { return true }
    return (library.rows[episode.id]?.status ?? episode.status).isOver
  }

  /// Whether `togglePause` passes over the episode because it is finished. A finished episode that the listener
  /// selected is played, unless it has just ended.
  private func isSkippedByPause(_ id: EpisodeID) -> Bool {
    guard player.isFinished || player.episode?.id == id, let row = library.rows[id] else { return false }
    return isOver(row)
  }

  private var nothingToPlay: String {
    let open = keymap.hint(.open)
    guard let over = player.episode ?? selectedEpisode.flatMap({ library.rows[$0] }), isOver(over) else {
      return "Nothing to play yet: choose an episode and press \(open)"
    }
    guard (library.rows[over.id]?.status ?? over.status) != .deleted else {
      return "“\(over.title)” was deleted. Choose another episode and press \(open)."
    }
    // A played episode may have been marked, by a key or by another device.
    let wasHeard = player.isFinished && player.episode?.id == over.id
    let how = wasHeard ? "was heard to its end" : "is marked as played"
    return "“\(over.title)” \(how). \(keymap.press(.open)) to play it again."
  }

  mutating func stop() -> [Effect] {
    player.isActive ? updateSession { player, _ in player.stop(recording: .pause) } : []
  }

  mutating func seek(to target: Double, as kind: SeekKind) -> [Effect] {
    updateSession { player, _ in player.seek(to: target, as: kind) }
  }

  mutating func seek(by delta: Double, as kind: SeekKind? = nil) -> [Effect] {
    updateSession { $0.seek(by: delta, as: kind, now: $1) }
  }

  mutating func seekChapter(_ step: Int) -> [Effect] { updateSession { player, _ in player.seekChapter(step) } }

  mutating func correctPosition() -> [Effect] { updateSession { player, _ in player.correctPosition() } }

  mutating func setVolume(_ percent: Double) -> [Effect] {
    player.setVolume(percent)
    showMessage(.info, "Volume \(Int(player.volume)) %")
    return [.player(.setVolume(player.volume)), .setting(.volume, String(player.volume))]
  }

  /// Stops and saves, then quits.
  mutating func quit() -> [Effect] { stop() + [.terminal(.quit)] }

  /// Pauses, and suspends the program. `Action.resumed` follows.
  mutating func suspend() -> [Effect] {
    updateSession { $0.suspend(now: $1) } + [.terminal(.suspend)]
  }
}
