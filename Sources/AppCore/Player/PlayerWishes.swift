import Foundation
import Model
import Session
import TerminalKit

/// What the listener asks of the player, and what the player reports.
extension State {
  mutating func handle(_ event: PlayerEvent) -> [Effect] {
    switch event {
    case .devices(let devices, let chosen): receiveDevices(devices, chosen: chosen)
    case .deviceGone(let name): say(.warning, PlayerText.deviceGone(name))
    default: return steer { $0.handle(event, now: $1) }
    }
    return []
  }

  /// Plays an episode: from `second`, else from where the store says that it was left.
  mutating func play(_ id: EpisodeID, from second: Double? = nil) -> [Effect] {
    if player.episode?.id == id, player.isActive {
      let resuming = player.phase == .paused ? steer { $0.want(paused: false, now: $1) } : []
      return (second.map { seek(to: $0) } ?? []) + resuming
    }
    let effects = stop()
    player.load(rows[id], at: second ?? rows[id]?.position ?? 0, duration: rows[id]?.duration)
    return effects + [
      .player(.play(id, from: second, generation: player.generation, speed: player.generalSpeed, volume: player.volume))
    ]
  }

  /// The store has looked the episode up; sound is on its way.
  mutating func playing(_ generation: Int, _ row: EpisodeRow, chapters: [Chapter], from second: Double) {
    let isWanted = player.identify(
      row, at: second, duration: row.duration, chapters: chapters, generation: generation)
    if isWanted { rows[row.id] = row }
  }

  mutating func togglePause() -> [Effect] {
    guard player.phase == .stopped else { return steer { $0.togglePause(now: $1) } }
    if let episode = player.episode, episode.hasMedia { return play(episode.id) }
    if let id = selectedEpisode { return play(id) }
    if let next = queue.first { return play(next) }
    say(.note, "Nothing to play yet: choose an episode and press \(keymap.hint(.open))")
    return []
  }

  mutating func stop() -> [Effect] {
    player.isActive ? steer { player, _ in player.silence(recording: .pause) } : []
  }

  mutating func seek(to target: Double) -> [Effect] { steer { player, _ in player.seek(to: target) } }

  mutating func seek(by delta: Double) -> [Effect] { steer { player, _ in player.seek(by: delta) } }

  mutating func seekChapter(_ step: Int) -> [Effect] { steer { player, _ in player.seekChapter(step) } }

  mutating func correctPlace() -> [Effect] { steer { player, _ in player.correctPlace() } }

  mutating func setVolume(_ percent: Double) -> [Effect] {
    player.setVolume(percent)
    say(.note, "Volume \(Int(player.volume)) %")
    return [.player(.setVolume(player.volume)), .write(.saveSetting(.volume, String(player.volume)))]
  }

  mutating func playNext() -> [Effect] {
    // After the one that is heard, else from the front: those that were passed over stay for later.
    let here = queue.firstIndex { $0 == player.episode?.id } ?? -1
    guard let next = queue.dropFirst(here + 1).first ?? queue.first(where: { $0 != player.episode?.id }) else {
      if let noNextInQueue { say(.note, noNextInQueue) }
      return []
    }
    return play(next)
  }

  /// What must be written before the program ends, in order.
  mutating func quit() -> [Effect] { stop() + [.terminal(.quit)] }
}
