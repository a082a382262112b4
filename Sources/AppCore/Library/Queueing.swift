import Model

/// Where episodes are queued.
public enum QueuePlace: Equatable, Sendable {
  case end
  /// Behind this episode; at the front if it is nil or not queued.
  case behind(EpisodeID?)
}

/// The queue: its changes, and what plays next.
extension State {
  /// The episode that plays after the current one: the one behind it in the queue. If there is none, the first other
  /// one, so that the queue is played completely from wherever the listener has begun.
  var nextInQueue: EpisodeID? {
    let current = player.episode?.id
    let behind = queue.firstIndex { $0 == current }.map { queue[($0 + 1)...] } ?? []
    return behind.first ?? queue.first { $0 != current }
  }

  mutating func playNext() -> [Effect] {
    // Skipped episodes stay in the queue.
    guard let next = nextInQueue else {
      if let noNextInQueue { showMessage(.note, noNextInQueue) }
      return []
    }
    return play(next)
  }

  /// Queues what is selected: an episode, or all episodes of a playlist. A queued episode is taken out instead, unless
  /// `isNext` is true.
  mutating func enqueueSelection(isNext: Bool) -> [Effect] {
    guard let id = selectedEpisode else { return enqueuePlaylist(isNext: isNext) }
    if !isNext, queue.contains(id) {
      queue.removeAll { $0 == id }
      rows[id]?.isQueued = false
      showMessage(.note, "Removed from the queue")
      return [.write(.dequeue(id))]
    }
    let effects = enqueue([id], isNext: isNext)
    guard !effects.isEmpty else {
      showMessage(.note, "This is the current episode")
      return []
    }
    let whole = selectedEntry?.clip == nil ? "" : ": the whole episode, not only the clip"
    showMessage(.note, (isNext ? "Plays next" : "Queued as number \(queue.count)") + whole)
    return effects
  }

  private mutating func enqueuePlaylist(isNext: Bool) -> [Effect] {
    let episodes = playlistToQueue
    let effects = enqueue(episodes, isNext: isNext)
    let title = selectedPlaylist?.title ?? ""
    guard !effects.isEmpty else {
      showMessage(.note, "All episodes of “\(title)” are queued already")
      return []
    }
    showMessage(.note, isNext ? "“\(title)” plays next" : "Queued the episodes of “\(title)”")
    return effects
  }

  /// The episodes of the selected playlist, if the list of playlists has the keys.
  var playlistToQueue: [EpisodeID] {
    let shown = screens.playlists.entries
    guard focusedPane == .playlists, shown.playlist == selectedPlaylist?.id else { return [] }
    return shown.entries.map(\.episode).uniqued()
  }

  /// Queues episodes in this order. The queue changes at once, so that the next key sees it. The store's answer will be
  /// the same.
  mutating func enqueue(_ ids: [EpisodeID], isNext: Bool) -> [Effect] {
    let queued = Set(queue)
    let current = player.episode.map(\.id).flatMap { queued.contains($0) ? $0 : nil }
    // Queued episodes move if these play next, but the current one keeps its place.
    let added = ids.uniqued().filter { isNext ? $0 != current : !queued.contains($0) }
    guard !added.isEmpty else { return [] }
    let moved = Set(added)
    queue.removeAll(where: moved.contains)
    let index = isNext ? queue.firstIndex { $0 == current }.map { $0 + 1 } ?? 0 : queue.count
    queue.insert(contentsOf: added, at: index)
    for id in added { rows[id]?.isQueued = true }
    return [.write(.enqueue(added, isNext ? .behind(current) : .end))]
  }

  mutating func clearQueue() -> [Effect] {
    for id in queue { rows[id]?.isQueued = false }
    queue = []
    showMessage(.note, "The queue is empty: \(keymap.hint(.undo)) brings it back")
    return [.write(.clearQueue)]
  }

  mutating func moveItem(by step: Int) -> [Effect] {
    listening == nil ? tab.kind.moveItem(by: step, &self) : moveInUpNext(by: step)
  }
}
