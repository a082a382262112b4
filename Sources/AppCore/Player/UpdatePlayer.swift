import Foundation
import Model
import TerminalKit

/// What the player reports, and what the listener asks of it. Every way in which the position can change ends in
/// `Effect.savePosition`, so that the place is never lost.
extension State {
  // MARK: Reports

  mutating func handle(_ event: PlayerEvent) -> [Effect] {
    switch event {
    case .started(let generation, let duration, _):
      // It was stopped while the store was still looking it up: the sound that has come is not wanted.
      if generation == player.generation, !player.isActive { return [.stopPlayer] }
      guard isCurrent(generation) else { return [] }
      return started(duration: duration)
    case .position(let generation, let seconds):
      // Before the file has started, no report is of the place that was left.
      guard isCurrent(generation), player.phase != .loading, seconds.isFinite else { return [] }
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
      player.isStalled = isStalled
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
      return [.mergeChapters(generation, chapters)]
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
    player.isStalled = false
    guard player.phase == .loading else { return [] }
    player.phase = .playing
    player.stretchStart = player.position
    if let duration = duration.flatMap(positive) { compareFile(duration) }
    return [
      .record(ListeningEvent(episode: episode.id, kind: .start, timestamp: now)),
      .setPlayerStatus(episode.id, .playing), .saveSetting(.lastPlayed, episode.id.description),
      .setTitle("▶ \(episode.title)"),
    ]
  }

  private mutating func moved(to seconds: Double) -> [Effect] {
    if let wanted = player.pendingSeek,
      PlayerState.isLate(seconds, sought: wanted, lateReports: player.lateReports)
    {
      // Reported before the player has reached the seek: the place shown is the one that was asked for.
      player.lateReports += 1
      return []
    }
    player.forgetSeek()
    guard let episode = player.episode else { return [] }
    let before = player.position
    let step = max(0, seconds) - before
    var effects: [Effect] = []
    if step < 0 || step >= Self.jump {
      // Not heard, but skipped: a seek that landed elsewhere, or one that could not be done.
      effects += recordStretch()
      player.stretchStart = max(0, seconds)
      player.seeks += 1
    }
    player.position = max(0, seconds)
    rows[episode.id]?.position = player.position
    effects.append(.savePosition(episode.id, seconds: player.position, total: player.duration))
    guard player.phase == .playing, step > 0, step < Self.jump else { return effects }
    effects += countDown(step, from: before)
    if let outro = player.currentShow.outro, let duration = player.duration, player.position >= duration - outro,
      before < duration - outro
    {
      return effects + [.stopPlayer] + ended(at: player.position, atEnd: true)
    }
    return effects + skipChapter(from: before)
  }

  private mutating func pausedByPlayer() -> [Effect] {
    guard player.phase == .playing else { return [] }
    player.phase = .paused
    player.pausedAt = now
    return closeStretch(recording: .pause) + [.setTitle("Ⅱ \(player.episode?.title ?? "")")]
  }

  private mutating func resumedByPlayer() -> [Effect] {
    guard player.phase == .paused, let episode = player.episode else { return [] }
    player.phase = .playing
    player.pausedAt = nil
    return [
      .record(ListeningEvent(episode: episode.id, kind: .start, timestamp: now)),
      .setPlayerStatus(episode.id, .playing), .setTitle("▶ \(episode.title)"),
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
    effects += [.setPlayerStatus(episode.id, .played), .dequeue(episode.id), .setTitle("")]
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

  private mutating func abandonLoad() -> [Effect] {
    player.fallSilent()
    return [.stopPlayer, .setTitle("")]
  }

  // MARK: Wishes

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
      .play(id, from: second, generation: player.generation, speed: player.generalSpeed, volume: player.volume))
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
      say(.note, "Nothing to play yet: choose an episode and press Enter")
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
    player.forgetSeek()
    player.pendingSeek = second
    player.seeks += 1
    player.stretchStart = second
    effects += [.seek(to: second), .savePosition(episode.id, seconds: second, total: player.duration)]
    return effects
  }

  mutating func seek(by delta: Double) -> [Effect] { seek(to: (player.pendingSeek ?? player.position) + delta) }

  mutating func setVolume(_ percent: Double) -> [Effect] {
    player.volume = min(150, max(0, percent.rounded()))
    say(.note, "Volume \(Int(player.volume)) %")
    return [.setVolume(player.volume), .saveSetting(.volume, String(player.volume))]
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
      say(.note, queue.isEmpty ? "The queue is empty: e adds the selected episode" : "Nothing else is in the queue")
      return []
    }
    return play(next)
  }

  /// What must be written before the program ends, in order.
  mutating func farewell() -> [Effect] {
    (player.isActive ? silence(recording: .pause) : []) + [.quit]
  }

  // MARK: Pieces

  /// Ends the sound: the place is saved, the stretch that was heard is recorded.
  private mutating func silence(recording end: ListeningEvent.Kind?) -> [Effect] {
    guard player.phase != .loading else { return abandonLoad() }
    let effects = closeStretch(recording: player.phase == .playing ? end : nil)
    player.fallSilent()
    return effects + [.stopPlayer, .setTitle("")]
  }

  /// Asks the player for it. Until it reports, the key that does the opposite goes by what was asked.
  mutating func want(paused: Bool) -> [Effect] {
    player.wantedPause = paused
    guard !paused, preferences.rewindsAfterPause, let since = player.pausedAt else { return [.setPaused(paused)] }
    let back = ResumePlace.rewind(after: now.timeIntervalSince(since))
    return (back > 0 ? seek(to: player.position - back) : []) + [.setPaused(false)]
  }

  private mutating func sayStillOpening() -> [Effect] {
    say(.note, "Still opening “\(player.episode?.title ?? "the episode")”…")
    return []
  }

  /// A step of the position as long as this, in seconds, or one backwards, was not heard. Reports come once a second,
  /// and speed is 4 at most.
  private static let jump = 10.0

  /// Records what was heard since the last record, start or seek.
  private mutating func recordStretch() -> [Effect] {
    guard let episode = player.episode, let from = player.stretchStart, player.position > from else { return [] }
    player.stretchStart = player.position
    let heard = ListeningEvent.Kind.play(from: from, to: player.position, total: player.duration)
    return [.record(ListeningEvent(episode: episode.id, kind: heard, timestamp: now, speed: player.speed))]
  }

  /// Saves the place and records what was heard.
  private mutating func closeStretch(recording end: ListeningEvent.Kind?) -> [Effect] {
    guard let episode = player.episode else { return [] }
    var effects: [Effect] = [.savePosition(episode.id, seconds: player.position, total: player.duration)]
    effects += recordStretch()
    if let end {
      effects.append(.record(ListeningEvent(episode: episode.id, kind: end, timestamp: now)))
      effects.append(.setPlayerStatus(episode.id, .paused))
    }
    return effects
  }

  /// A place that can be saved, whatever a file or a library says.
  private func place(_ seconds: Double) -> Double { seconds.isFinite ? max(0, seconds) : 0 }

  private func positive(_ seconds: Double) -> Double? { seconds.isFinite && seconds > 0 ? seconds : nil }
}
