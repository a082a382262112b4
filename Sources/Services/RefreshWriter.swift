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

  private let library: Library
  private let clock: @Sendable () -> Date
  private let waiting = Mutex<[Waiting]>([])
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
      waiting.withLock { $0.append(Waiting(arrival: arrival) { continuation.resume(returning: $0) }) }
      writing.add { self.writeNext() }
    }
  }

  /// Stores the next feeds. None waits if an earlier transaction had room for them.
  private func writeNext() {
    let batch = takeBatch()
    guard !batch.isEmpty else { return }
    let answers = library.store(batch.map(\.arrival), now: clock())
    for (waiting, answer) in zip(batch, answers) { waiting.completion(answer) }
  }

  /// The feeds of the next transaction.
  private func takeBatch() -> [Waiting] {
    waiting.withLock { waiting in
      var weight = 0
      let fitting = waiting.prefix {
        weight += $0.arrival.weight
        return weight <= Self.maxWeight
      }
      let batch = Array(waiting.prefix(max(1, fitting.count)))
      waiting.removeFirst(batch.count)
      return batch
    }
  }
}
