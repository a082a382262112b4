import Model

/// Commands from media keys and `earshot ctl`, and the state that is reported to them.
extension State {
  mutating func handle(remote command: RemoteCommand) -> [Effect] {
    let before = remoteRequests
    let effects = carryOut(command)
    // Nothing else shows that it was carried out, such as a step behind the last chapter. A seek waits until the
    // episode is open.
    if effects.isEmpty, player.phase != .loading { remoteRequests = before + 1 }
    return effects
  }

  private mutating func carryOut(_ command: RemoteCommand) -> [Effect] {
    switch command {
    case .play where player.phase == .stopped, .toggle: return togglePause()
    case .stop: return stop()
    case .next: return playNext()
    case .speed(let speed): return speed.isFinite ? setSpeed(speed) : []
    case .volume(let percent): return percent.isFinite ? setVolume(percent) : []
    case .quit: return quit()
    case .playEpisode, .enqueue, .sleep, .clipStart, .clipEnd, .bookmark: return handle(request: command)
    case .play, .pause, .previous, .seek, .seekBy, .chapter: return updateSession { $0.handle(command, now: $1) }
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
    now.queue = queue
    now.hasNext = queue.contains { $0 != player.episode?.id }
    now.hasPrevious = player.isActive
    // What `earshot ctl` needs before it sends a request.
    now.hasLibrary = true
    now.commands = remoteRequests
    now.unwritable = writeRefusal
    now.clipStart = startedClip?.seconds
    return now
  }
}

/// Requests of `earshot ctl` that need the library, beyond what media keys can do.
extension State {
  private mutating func handle(request command: RemoteCommand) -> [Effect] {
    remoteRequests += 1
    switch command {
    case .playEpisode(let id): return playChosen(id)
    case .enqueue(let ids, let next): return enqueue(ids, isNext: next)
    case .sleep(let text): return sleep(text)
    case .clipStart: return markClipStart()
    case .clipEnd(let title):
      guard let mark = startedClip, canEnd(mark) else { return [] }
      return saveClip(mark, end: player.position, title: title ?? "")
    case .bookmark(let title): return bookmark(title)
    default: return []
    }
  }
}
