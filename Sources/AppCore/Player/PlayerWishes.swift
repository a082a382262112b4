import Foundation
import Model
import TerminalKit

/// What the listener asks of the player.
extension State {
  /// Plays an episode: from `second`, else from where the store says that it was left.
  mutating func play(_ id: EpisodeID, from second: Double? = nil) -> [Effect] {
    if player.episode?.id == id, player.isActive {
      let resuming = player.phase == .paused ? want(paused: false) : []
      return (second.map { seek(to: $0) } ?? []) + resuming
    }
    var effects = player.isActive ? silence(recording: .pause) : []
    player.fallSilent()
    player.generation += 1
    player.phase = .loading
    player.episode = rows[id]
    // What the store has may be older than its own checks.
    player.position = positive(second ?? rows[id]?.position ?? 0) ?? 0
    player.duration = rows[id]?.duration.flatMap(positive)
    player.chapters = []
    player.savedSeconds = 0
    player.chosenSkips = [:]
    player.leftTotal = nil
    player.leftChapters = []
    effects.append(
      .player(.play(id, from: second, generation: player.generation, speed: player.generalSpeed, volume: player.volume))
    )
    return effects
  }

  /// The store has looked the episode up; sound is on its way.
  mutating func playing(_ generation: Int, _ row: EpisodeRow, chapters: [Chapter], from second: Double) {
    guard generation == player.generation, player.phase == .loading else { return }
    player.episode = row
    player.position = second.isFinite ? max(0, second) : 0
    player.duration = row.duration.flatMap(positive) ?? player.duration
    player.chapters = PlayerState.visible(chapters)
    player.leftChapters = player.chapters
    rows[row.id] = row
  }

  mutating func togglePause() -> [Effect] {
    switch player.phase {
    case .playing, .paused: return want(paused: !(player.wantedPause ?? (player.phase == .paused)))
    case .loading: return sayStillOpening()
    case .stopped:
      if let episode = player.episode, episode.hasMedia { return play(episode.id) }
      if let id = selectedEpisode { return play(id) }
      if let next = queue.first { return play(next) }
      say(.note, "Nothing to play yet: choose an episode and press \(keymap.hint(.open))")
      return []
    }
  }

  mutating func stop() -> [Effect] { player.isActive ? silence(recording: .pause) : [] }

  mutating func seek(to target: Double) -> [Effect] {
    if player.phase == .loading { return sayStillOpening() }
    guard player.isActive, let episode = player.episode else {
      say(.note, "Nothing is playing")
      return []
    }
    let limit = player.duration ?? .greatestFiniteMagnitude
    let second = min(place(target), limit)
    var effects = recordStretch()
    player.position = second
    player.newestSeek = player.newestSeek.next
    player.seeks += 1
    player.stretchStart = second
    effects += [
      .player(.seek(to: second, player.newestSeek)),
      .write(.savePosition(episode.id, seconds: second, total: player.duration)),
    ]
    return effects
  }

  mutating func seek(by delta: Double) -> [Effect] { seek(to: player.position + delta) }

  mutating func setVolume(_ percent: Double) -> [Effect] {
    player.volume = min(150, max(0, percent.rounded()))
    say(.note, "Volume \(Int(player.volume)) %")
    return [.player(.setVolume(player.volume)), .write(.saveSetting(.volume, String(player.volume)))]
  }

  mutating func seekChapter(_ step: Int) -> [Effect] {
    guard !player.chapters.isEmpty else {
      say(.note, "This episode has no chapters")
      return []
    }
    let current = player.chapterIndex ?? -1
    // Going back within the first seconds of a chapter means the one before, as players do.
    let intoChapter = current >= 0 ? player.position - player.chapters[current].start : 0
    let target = step < 0 && intoChapter > 3 ? current : current + step
    guard target < player.chapters.count else {
      say(.note, "This is the last chapter")
      return []
    }
    return seek(to: target < 0 ? 0 : player.chapters[target].start)
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
  mutating func quit() -> [Effect] {
    (player.isActive ? silence(recording: .pause) : []) + [.terminal(.quit)]
  }

  /// Asks the player for it. Until it reports, the key that does the opposite goes by what was asked.
  mutating func want(paused: Bool) -> [Effect] {
    player.wantedPause = paused
    guard !paused, preferences.rewindsAfterPause, let since = player.pausedAt else {
      return [.player(.setPaused(paused))]
    }
    let back = ResumePlace.rewind(after: now.timeIntervalSince(since))
    return (back > 0 ? seek(to: player.position - back) : []) + [.player(.setPaused(false))]
  }

  private mutating func sayStillOpening() -> [Effect] {
    say(.note, "Still opening “\(player.episode?.title ?? "the episode")”…")
    return []
  }

  /// A place that can be saved, whatever a file or a library says.
  private func place(_ seconds: Double) -> Double { seconds.isFinite ? max(0, seconds) : 0 }
}
