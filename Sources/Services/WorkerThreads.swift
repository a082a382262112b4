import Foundation
import HTTP
import Synchronization

/// Threads with low priority for expensive work, so that the reaction to keys is not delayed. A limited number runs at
/// once, in the order of arrival. Dispatch threads would keep the low priority for later work.
///
/// No thread exists while there is no work.
final class WorkerThreads: Sendable {
  private struct Queue {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }

  private let name: String
  private let atOnce: Int
  private let queue = Mutex(Queue())

  init(_ name: String, atOnce: Int) {
    self.name = name
    self.atOnce = atOnce
  }

  /// Adds work and returns at once.
  func add(_ work: @escaping @Sendable () -> Void) {
    let needsThread = queue.withLock { queue in
      queue.waiting.append(work)
      guard queue.running < atOnce else { return false }
      queue.running += 1
      return true
    }
    guard needsThread else { return }
    let thread = Thread { [self] in
      ThreadPriority.lower()
      while let work = next() { work() }
    }
    thread.name = name
    thread.start()
  }

  /// Adds work, and returns its result when it is done.
  func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      add { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }

  /// The next work. Nil if none waits; the calling thread then ends.
  private func next() -> (@Sendable () -> Void)? {
    queue.withLock { queue in
      guard !queue.waiting.isEmpty else {
        queue.running -= 1
        return nil
      }
      return queue.waiting.removeFirst()
    }
  }
}
