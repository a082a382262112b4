import Model

/// What reports and wishes both end in: silence, and a record of what was heard.
extension State {
  /// Ends the sound: the place is saved, the stretch that was heard is recorded.
  mutating func silence(recording end: ListeningEvent.Kind?) -> [Effect] {
    guard player.phase != .loading else { return abandonLoad() }
    let effects = closeStretch(recording: player.phase == .playing ? end : nil)
    player.fallSilent()
    return effects + [.player(.stop), .terminal(.setTitle(""))]
  }

  mutating func abandonLoad() -> [Effect] {
    player.fallSilent()
    return [.player(.stop), .terminal(.setTitle(""))]
  }

  /// Records what was heard since the last record, start or seek.
  mutating func recordStretch() -> [Effect] {
    guard let episode = player.episode, let from = player.stretchStart, player.position > from else { return [] }
    player.stretchStart = player.position
    let heard = ListeningEvent.Kind.play(from: from, to: player.position, total: player.duration)
    return [.write(.record(ListeningEvent(episode: episode.id, kind: heard, timestamp: now, speed: player.speed)))]
  }

  /// Saves the place and records what was heard.
  mutating func closeStretch(recording end: ListeningEvent.Kind?) -> [Effect] {
    guard let episode = player.episode else { return [] }
    var effects: [Effect] = [.write(.savePosition(episode.id, seconds: player.position, total: player.duration))]
    effects += recordStretch()
    if let end {
      effects.append(.write(.record(ListeningEvent(episode: episode.id, kind: end, timestamp: now))))
      effects.append(.write(.setPlayerStatus(episode.id, .paused)))
    }
    return effects
  }

  func positive(_ seconds: Double) -> Double? { seconds.isFinite && seconds > 0 ? seconds : nil }
}
