import Model

/// Commands from media keys and `earshot ctl`, and the state that they are told.
extension State {
  mutating func handle(remote command: RemoteCommand) -> [Effect] {
    switch command {
    case .play: return player.phase == .playing || player.phase == .loading ? [] : togglePause()
    case .pause: return player.phase == .playing ? togglePause() : []
    case .toggle: return togglePause()
    case .stop: return stop()
    case .next: return playNext()
    case .previous: return updateSession { player, _ in player.goBack() }
    case .seek(let second): return second.isFinite ? seek(to: second, as: .jump) : []
    case .seekBy(let delta): return delta.isFinite ? seek(by: delta) : []
    case .speed(let speed): return speed.isFinite ? setSpeed(speed) : []
    case .volume(let percent): return percent.isFinite ? setVolume(percent) : []
    case .quit: return quit()
    case .playEpisode, .enqueue, .sleep, .chapter, .clipStart, .clipEnd: return handle(request: command)
    }
  }

  /// The state for MPRIS and `earshot ctl`, without addresses, which State does not know. It is cheap, because it is
  /// made after every batch of actions.
  public var nowPlaying: NowPlaying {
    var now = player.nowPlaying
    now.episode = player.episode?.id
    now.title = player.episode?.title
    now.podcast = player.episode?.podcastTitle
    now.pubDate = player.episode?.pubDate
    now.queued = queue.count
    now.hasNext = queue.contains { $0 != player.episode?.id }
    now.hasPrevious = player.isActive
    describeRequests(in: &now)
    return now
  }
}
