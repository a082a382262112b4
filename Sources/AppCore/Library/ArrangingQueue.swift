import Model

/// The order of the queue: to the top, to the bottom, and sorting.
extension State {
  var noQueueToSort: String? { notShownQueue ?? (queue.count < 2 ? "The queue has nothing to sort" : nil) }

  /// Playlists have the keys of the queue, but an order of their own.
  private var notShownQueue: String? {
    guard tab == .playlists, listening == nil else { return nil }
    return "This command changes the queue. \(keymap.press(.queue)) to show it."
  }

  var notInQueue: String? {
    if let notShownQueue { return notShownQueue }
    let episodes = targets.episodes
    guard !episodes.isEmpty else { return noEpisode }
    return episodes.contains(where: queue.contains) ? nil : "Only queued episodes can be moved there"
  }

  mutating func moveInQueue(toTop: Bool) -> [Effect] {
    let before = queue
    let indexes = before.indexes(of: targets.episodes)
    let target = toTop ? 0 : before.count - indexes.count
    queue.move(at: indexes, to: target)
    let (what, end) = (indexes.count == 1 ? "It is" : "They are", toTop ? "top" : "bottom")
    guard queue != before else { return tell(.info, "\(what) at the \(end) already") }
    let count = indexes.count == 1 ? "" : " \(indexes.count) episodes"
    showMessage(.info, "Moved\(count) to the \(end) of the queue")
    return [.write(.moveInQueue(indexes.map { before[$0] }, to: target))]
  }

  mutating func sortQueue(_ argument: String?) -> [Effect] {
    guard let argument else { return open(Picker(QueueOrderPicker(), QueueOrder.allCases)) }
    guard let order = QueueOrder(rawValue: argument) else {
      let names = QueueOrder.allCases.map(\.rawValue).joined(separator: ", ")
      return tell(.error, "“\(argument)” is not an order of the queue: there are \(names)")
    }
    return sortQueue(order)
  }

  fileprivate mutating func sortQueue(_ order: QueueOrder) -> [Effect] {
    let first = player.isActive ? player.episode?.id : nil
    return write(.sortQueue(order, first: first), "Queue \(order.words)", .info)
  }

  /// Plays an episode that the listener has chosen, and queues the one that it interrupts.
  mutating func playChosen(_ id: EpisodeID, from second: Double? = nil) -> [Effect] {
    queueInterrupted(by: id) + play(id, from: second)
  }

  /// Queues the loaded episode behind the one that now plays instead, if the listener wants that and the library can be
  /// written: a change that is refused would also refuse the episode. One that is being marked is over.
  private mutating func queueInterrupted(by id: EpisodeID) -> [Effect] {
    guard preferences.queuesInterrupted, player.isActive, let interrupted = player.episode, interrupted.id != id,
      !interrupted.isLive, !isBeingMarked, player.excerptRange == nil, writeRefusal == nil
    else { return [] }
    let inQueue = queue.contains(id) ? id : nil
    queue.removeAll { $0 == interrupted.id }
    queue.insert(interrupted.id, at: inQueue.flatMap { queue.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
    library.rows[interrupted.id]?.isQueued = true
    return [.write(.enqueue([interrupted.id], .behind(inQueue)))]
  }
}

/// The orders of the queue.
struct QueueOrderPicker: PickerPurpose {
  var title: String { "Sort the queue" }
  func text(_ choice: QueueOrder, _ state: State) -> String {
    choice.words.prefix(1).uppercased() + choice.words.dropFirst()
  }
  func choose(_ choice: QueueOrder, _ state: inout State) -> [Effect] { state.sortQueue(choice) }
}
