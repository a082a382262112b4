import Foundation
import Model
import TerminalKit

/// What the player reports. Every way in which the position can change ends in `Effect.savePosition`, so that the place is
/// never lost.
extension State {
  mutating func handle(_ event: PlayerEvent) -> [Effect] {
    switch event {
    case .started(let generation, let duration, _):
      // It was stopped while the store was still looking it up: the sound that has come is not wanted.
      if generation == player.generation, !player.isActive { return [.player(.stop)] }
      guard isCurrent(generation) else { return [] }
      return started(duration: duration)
    case .position(let generation, let seconds, let seek):
      // Before the file has started, no report is of the place that was left; nor is one that is older than a seek.
      guard isCurrent(generation), player.phase != .loading, seek == player.newestSeek, seconds.isFinite else {
        return []
      }
      return moved(to: seconds)
    case .duration(let generation, let seconds):
      guard isCurrent(generation) else { return [] }
      player.duration = seconds.flatMap(positive) ?? player.duration
      return []
    case .paused(let generation, let isPaused):
      guard isCurrent(generation), player.phase == .playing || player.phase == .paused else { return [] }
      player.wantedPause = nil
      return isPaused ? pausedByPlayer() : resumedByPlayer()
    case .stalled(let generation, let isStalled):
      guard isCurrent(generation) else { return [] }
      stalled(isStalled)
      return []
    case .waitsForNetwork(let generation, let wait):
      if isCurrent(generation) { waits(wait) }
      return []
    case .buffered(let generation, let until):
      guard isCurrent(generation) else { return [] }
      player.bufferedUntil = until.isFinite ? until : nil
      return []
    case .chapters(let generation, let chapters):
      guard isCurrent(generation) else { return [] }
      // Shown at once where there are more of them; which are the better ones is found out aside.
      let visible = PlayerState.visible(chapters)
      if visible.count > player.chapters.count { player.chapters = visible }
      return [.player(.mergeChapters(generation, chapters))]
    case .speed(let speed):
      if speed.isFinite { player.speed = min(4, max(0.5, speed)) }
      return []
    case .volume(let volume):
      if volume.isFinite { player.volume = min(150, max(0, volume)) }
      return []
    case .saved(let generation, let seconds):
      if isCurrent(generation), seconds.isFinite { player.savedSeconds += max(0, seconds) }
      return []
    case .devices(let devices, let chosen):
      receiveDevices(devices, chosen: chosen)
      return []
    case .deviceGone(let name):
      say(.warning, PlayerText.deviceGone(name))
      return []
    case .ended(let generation, let seconds, let atEnd):
      guard isCurrent(generation) else { return [] }
      return ended(at: seconds, atEnd: atEnd)
    case .failed(let generation, let seconds, let message):
      guard isCurrent(generation) else { return [] }
      return failed(at: seconds, message)
    case .shutDown:
      let effects = player.isActive ? silence(recording: .pause) : []
      return effects
    }
  }

  private func isCurrent(_ generation: Int) -> Bool { generation == player.generation && player.isActive }

  private mutating func started(duration: Double?) -> [Effect] {
    guard let episode = player.episode else { return [] }
    player.duration = duration.flatMap(positive) ?? player.duration
    stalled(false)
    guard player.phase == .loading else { return [] }
    player.phase = .playing
    player.stretchStart = player.position
    if let duration = duration.flatMap(positive) { compareFile(duration) }
    return [
      .write(.record(ListeningEvent(episode: episode.id, kind: .start, timestamp: now))),
      .write(.setPlayerStatus(episode.id, .playing)), .write(.saveSetting(.lastPlayed, episode.id.description)),
      .terminal(.setTitle("▶ \(episode.title)")),
    ]
  }

  private mutating func moved(to seconds: Double) -> [Effect] {
    guard let episode = player.episode else { return [] }
    let before = player.position
    let step = max(0, seconds) - before
    var effects: [Effect] = []
    if step < 0 || step >= PlayerState.jump {
      // Not heard, but skipped: a seek that landed elsewhere, or one that could not be done.
      effects += recordStretch()
      player.stretchStart = max(0, seconds)
      player.seeks += 1
    }
    player.position = max(0, seconds)
    rows[episode.id]?.position = player.position
    effects.append(.write(.savePosition(episode.id, seconds: player.position, total: player.duration)))
    guard player.phase == .playing, step > 0, step < PlayerState.jump else { return effects }
    effects += countDown(step, from: before)
    if player.currentShow.reachesOutro(from: before, to: player.position, of: player.duration) {
      effects += ended(at: player.position, atEnd: true)
      // What comes next takes its place.
      return player.isActive ? effects : effects + [.player(.stop)]
    }
    return effects + skipChapter(from: before)
  }

  private mutating func stalled(_ isStalled: Bool) {
    player.isStalled = isStalled
    guard !isStalled, let wait = player.networkWait else { return }
    player.networkWait = nil
    guard player.hasToldWait, player.phase == .playing else { return }
    player.hasToldWait = false
    say(.note, "The sound is back after \(TimeText.clock(wait.seconds))")
  }

  /// The figures tell for how long; what for is said once, when it is likely to be known and not over at once.
  private mutating func waits(_ wait: NetworkWait) {
    guard wait.seconds.isFinite else { return }
    player.networkWait = wait
    guard wait.seconds >= Self.waitToTell, !player.hasToldWait else { return }
    player.hasToldWait = true
    say(.warning, "Waiting: \(Sanitize.line(wait.cause))")
  }

  /// Seconds.
  private static let waitToTell = 2.0

  private mutating func pausedByPlayer() -> [Effect] {
    guard player.phase == .playing else { return [] }
    player.phase = .paused
    player.pausedAt = now
    return closeStretch(recording: .pause) + [.terminal(.setTitle("Ⅱ \(player.episode?.title ?? "")"))]
  }

  private mutating func resumedByPlayer() -> [Effect] {
    guard player.phase == .paused, let episode = player.episode else { return [] }
    player.phase = .playing
    player.pausedAt = nil
    return [
      .write(.record(ListeningEvent(episode: episode.id, kind: .start, timestamp: now))),
      .write(.setPlayerStatus(episode.id, .playing)), .terminal(.setTitle("▶ \(episode.title)")),
    ]
  }

  private mutating func ended(at seconds: Double, atEnd: Bool) -> [Effect] {
    guard let episode = player.episode else { return [] }
    guard player.phase != .loading else { return failed(at: nil, "it ended before it began") }
    if seconds.isFinite { player.position = max(0, seconds) }
    guard atEnd else { return silence(recording: .pause) }
    // The last chapter ends with the episode.
    let sleeps = sleepsAfterEpisode()
    var effects = closeStretch(recording: nil)
    effects += [.write(.setPlayerStatus(episode.id, .played)), .write(.dequeue(episode.id)), .terminal(.setTitle(""))]
    player.fallSilent()
    player.position = 0
    queue.removeAll { $0 == episode.id }
    if sleeps {
      say(.note, "Good night: the sleep timer stopped after “\(episode.title)”")
    } else if let next = queue.first {
      effects += play(next)
    } else {
      say(.note, "Played to the end: “\(episode.title)”")
    }
    return effects
  }

  private mutating func failed(at seconds: Double?, _ message: String) -> [Effect] {
    if let seconds, seconds.isFinite, player.phase != .loading { player.position = max(0, seconds) }
    let title = player.episode?.title ?? "the episode"
    // A file that never started has moved nothing: its stored place stays as it is.
    let effects = player.phase == .loading ? abandonLoad() : silence(recording: .pause)
    say(.error, "Cannot play “\(title)”: \(message)")
    return effects
  }
}
