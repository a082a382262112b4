/// The queue.
extension CommandTable {
  mutating func addQueueCommands() {
    group = .queue
    add(.queueLast, "Queue at the end", keys: ["e"], counts: .rows, unless: \.noTargets, writes: true) {
      $0.enqueueSelection(isNext: false)
    }
    add(.queueNext, "Queue to play next", keys: ["E"], counts: .rows, unless: \.noTargets, writes: true) {
      $0.enqueueSelection(isNext: true)
    }
    add(.named("clear-queue"), "Empty the queue", unless: \.noQueue, needsList: false, writes: true) { $0.clearQueue() }
    add(.next, "Play the next in the queue", keys: ["b"], unless: \.noNextInQueue) { $0.playNext() }
    add(
      .moveDown, "Move the item down the queue, playlist or list", keys: ["J"], contexts: [.queue, .podcasts],
      counts: .repeats, unless: \.nothingToMove, writes: true
    ) { $0.moveItem(by: 1) }
    add(
      .moveUp, "Move the item up the queue, playlist or list", keys: ["K"], contexts: [.queue, .podcasts],
      counts: .repeats, unless: \.nothingToMove, writes: true
    ) { $0.moveItem(by: -1) }
    add(
      .named("queue-top"), "Move to the top of the queue", keys: ["<A-k>"], contexts: [.queue], unless: \.notInQueue,
      writes: true
    ) { $0.moveInQueue(toTop: true) }
    add(
      .named("queue-bottom"), "Move to the bottom of the queue", keys: ["<A-j>"], contexts: [.queue],
      unless: \.notInQueue, writes: true
    ) { $0.moveInQueue(toTop: false) }
    add(
      .named("sort-queue"), "Sort or shuffle the queue", argument: .queueOrder, keys: ["O"], contexts: [.queue],
      unless: \.noQueueToSort, needsList: false, writes: true
    ) { $0.sortQueue($1) }
  }
}

extension CommandName {
  static let queueLast = named("queue-last")
  static let queueNext = named("queue-next")
  static let next = named("next")
  static let moveDown = named("move-down")
  static let moveUp = named("move-up")
}
