import Foundation
import HTTP
import Synchronization

/// Threads for work that computes or waits for long. A limited number runs at once, in the order of arrival. Expensive
/// work has a low priority, so that the reaction to keys is not delayed. Dispatch threads would keep it for later work.
///
/// No thread exists while there is no work.
final class WorkerThreads: Sendable {
  private struct Queue {
    var urgent: [@Sendable () -> Void] = []
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }

  private let name: String
  private let atOnce: Int
  private let lowersPriority: Bool
  private let queue = Mutex(Queue())

  /// - Parameter lowersPriority: false for work that waits for programs, because they inherit the priority.
  init(_ name: String, atOnce: Int, lowersPriority: Bool = true) {
    self.name = name
    self.atOnce = atOnce
    self.lowersPriority = lowersPriority
  }

  /// Adds work and returns at once.
  /// - Parameter isUrgent: it comes before all that is not.
  func add(isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void) {
    let needsThread = queue.withLock { queue in
      if isUrgent { queue.urgent.append(work) } else { queue.waiting.append(work) }
      guard queue.running < atOnce else { return false }
      queue.running += 1
      return true
    }
    guard needsThread else { return }
    let thread = Thread { [self] in
      if lowersPriority { ThreadPriority.lower() }
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
      if !queue.urgent.isEmpty { return queue.urgent.removeFirst() }
      guard !queue.waiting.isEmpty else {
        queue.running -= 1
        return nil
      }
      return queue.waiting.removeFirst()
    }
  }
}
