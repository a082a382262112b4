import Model

/// Where episodes are queued.
public enum QueueTarget: Equatable, Sendable {
  case end
  /// Behind this episode; at the front if it is nil or not queued.
  case behind(EpisodeID?)
}

/// What follows the loaded episode after it has left the queue.
struct QueueSuccessor: Equatable, Sendable {
  var current: EpisodeID
  /// Nil: nothing was behind it, so the queue goes on from its front.
  var next: EpisodeID?
}

/// The queue: its changes, and what plays next.
extension State {
  /// The episode that plays after the current one: the one behind it in the queue. If there is none, the first other
  /// one, so that the queue is played completely from wherever the listener has begun.
  var nextInQueue: EpisodeID? {
    upNext.first
  }

  /// What plays after the current episode, in this order: what is behind it in the queue, then what is before it.
  var upNext: [EpisodeID] {
    guard let current = player.episode?.id else { return queue }
    if let index = queue.firstIndex(of: current) { return Array(queue[(index + 1)...] + queue[..<index]) }
    guard let index = successorIndex else { return queue }
    return Array(queue[index...] + queue[..<index])
  }

  /// Where the queue goes on, if the loaded episode has left it.
  private var successorIndex: Int? {
    guard let successor = queueSuccessor, successor.current == player.episode?.id else { return nil }
    return successor.next.flatMap { queue.firstIndex(of: $0) }
  }

  /// Records what follows the loaded episode when it leaves the queue, so that the queue goes on from there. If that
  /// leaves the queue, too, what is behind it follows.
  mutating func recordLeavingQueue(from before: [EpisodeID]) {
    guard let current = player.episode?.id, !queue.contains(current) else { return }
    let successor = queueSuccessor?.current == current ? queueSuccessor?.next : nil
    let left = successor.flatMap { queue.contains($0) ? nil : $0 }
    guard let index = before.firstIndex(of: current) ?? left.flatMap({ before.firstIndex(of: $0) }) else { return }
    let next = before[(index + 1)...].first(where: queue.contains)
    queueSuccessor = queue.isEmpty ? nil : QueueSuccessor(current: current, next: next)
  }

  /// Whether the loaded episode is in the queue, or was until it was marked.
  var belongsToQueue: Bool {
    player.episode.map { queue.contains($0.id) || queueSuccessor?.current == $0.id } ?? false
  }

  /// Plays the next episode of the queue instead of one that cannot be played. The one that failed stays in the queue
  /// and is marked. Every episode is tried once, so that this ends if none can be played.
  mutating func skipUnplayable(_ episode: EpisodeRow, _ cause: String) -> [Effect] {
    unplayable[episode.id] = cause
    guard queue.contains(episode.id), let next = upNext.first(where: { unplayable[$0] == nil }) else { return [] }
    let title = library.rows[next].map { "“\($0.title)”" } ?? "the next episode"
    showMessage(.error, "Cannot play “\(episode.title)”: \(cause). The queue continues with \(title)")
    return play(next)
  }

  mutating func playNext() -> [Effect] {
    // Skipped episodes stay in the queue.
    guard let next = nextInQueue else {
      if let noNextInQueue { showMessage(.info, noNextInQueue) }
      return []
    }
    return play(next)
  }

  /// Queues what is selected: an episode, several, or all episodes of a playlist. If all of them are queued, they are
  /// taken out instead, unless `isNext` is true.
  mutating func enqueueSelection(isNext: Bool) -> [Effect] {
    let targets = targets
    defer { moveOn(from: targets) }
    let queued = Set(queue)
    if !isNext, targets.episodes.allSatisfy(queued.contains) {
      // The list of playlists does not show what is queued, so that nothing is taken out there by mistake.
      if focusedPane == .playlists {
        return tell(.info, "All episodes of “\(selectedPlaylist?.title ?? "")” are queued already")
      }
      showMessage(.info, "Removed from the queue" + (targets.single == nil ? ": \(words(targets))" : ""))
      return dequeue(targets.episodes)
    }
    let effects = enqueue(targets.episodes, isNext: isNext)
    guard case .write(.enqueue(let added, _))? = effects.first else {
      return tell(.info, "The current episode cannot be queued to play next")
    }
    guard targets.single != nil else {
      let what =
        focusedPane == .playlists
        ? "“\(selectedPlaylist?.title ?? "")”, \(Counted.text(added.count, "episode"))"
        : Counted.text(added.count, "episode")
      showMessage(.info, (isNext ? "Next in the queue: " : "Queued: ") + what)
      return effects
    }
    let whole = selectedEntry?.clip == nil ? "" : ": the whole episode, not only the clip"
    showMessage(.info, (isNext ? "Plays next" : "Queued as number \(queue.count)") + whole)
    return effects
  }

  private mutating func dequeue(_ ids: [EpisodeID]) -> [Effect] {
    let removed = Set(ids)
    queue.removeAll(where: removed.contains)
    for id in ids { library.rows[id]?.isQueued = false }
    return [.write(.dequeue(ids))]
  }

  /// Queues episodes in this order. The queue changes at once, so that the next key sees it. The store's answer will be
  /// the same.
  mutating func enqueue(_ ids: [EpisodeID], isNext: Bool) -> [Effect] {
    let queued = Set(queue)
    let current = player.episode.map(\.id).flatMap { queued.contains($0) ? $0 : nil }
    // Queued episodes move if these play next, but the current one stays where it is.
    let added = ids.uniqued().filter { isNext ? $0 != current : !queued.contains($0) }
    guard !added.isEmpty else { return [] }
    let moved = Set(added)
    queue.removeAll(where: moved.contains)
    let successor = successorIndex
    let index = isNext ? queue.firstIndex { $0 == current }.map { $0 + 1 } ?? successor ?? 0 : queue.count
    queue.insert(contentsOf: added, at: index)
    if isNext, successor != nil { queueSuccessor?.next = added[0] }
    for id in added { library.rows[id]?.isQueued = true }
    return [.write(.enqueue(added, isNext ? .behind(index > 0 ? queue[index - 1] : nil) : .end))]
  }

  mutating func clearQueue() -> [Effect] {
    for id in queue { library.rows[id]?.isQueued = false }
    queue = []
    return write(.clearQueue, "The queue is empty", .info)
  }

  mutating func moveItem(by step: Int) -> [Effect] {
    listening == nil ? handleOnScreen(.move(by: step)) ?? [] : moveInUpNext(by: step)
  }
}
