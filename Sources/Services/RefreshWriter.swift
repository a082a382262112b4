import Foundation
import Model
import Store
import Synchronization

/// Stores refreshed feeds. All feeds that have arrived are stored in one transaction, because that costs less per feed.
final class RefreshWriter: Sendable {
  typealias Answer = Result<ApplyResult, StoreError>

  private struct Waiting {
    var arrival: RefreshArrival
    var completion: @Sendable (Answer) -> Void
  }
  private struct Queue {
    var waiting: [Waiting] = []
    var isWriting = false
  }

  private let library: Library
  private let clock: @Sendable () -> Date
  private let queue = Mutex(Queue())
  private let writing = WorkerThreads("store", atOnce: 1)

  /// The maximum number of episodes in one transaction. Other writers, such as the position every second, wait for it,
  /// which takes some 0.1 s.
  private static let maxWeight = 1500

  init(library: Library, clock: @escaping @Sendable () -> Date) {
    self.library = library
    self.clock = clock
  }

  /// Stores a feed, and returns when that is done.
  func store(_ arrival: RefreshArrival) async -> Answer {
    await withCheckedContinuation { continuation in
      add(Waiting(arrival: arrival) { continuation.resume(returning: $0) })
    }
  }

  private func add(_ waiting: Waiting) {
    let mustStart = queue.withLock { queue in
      queue.waiting.append(waiting)
      defer { queue.isWriting = true }
      return !queue.isWriting
    }
    if mustStart { writing.add { self.writeAll() } }
  }

  private func writeAll() {
    while let batch = next() {
      let answers = library.store(batch.map(\.arrival), now: clock())
      for (waiting, answer) in zip(batch, answers) { waiting.completion(answer) }
    }
  }

  /// The feeds of the next transaction. Nil if none waits; the writer is idle from then on.
  private func next() -> [Waiting]? {
    queue.withLock { queue in
      guard !queue.waiting.isEmpty else {
        queue.isWriting = false
        return nil
      }
      var weight = 0
      let fitting = queue.waiting.prefix { waiting in
        weight += waiting.arrival.weight
        return weight <= Self.maxWeight
      }
      let count = max(1, fitting.count)
      defer { queue.waiting.removeFirst(count) }
      return Array(queue.waiting.prefix(count))
    }
  }
}
