import Foundation
import HTTP
import Synchronization

/// Threads for work that takes long while somebody types: first come, first served, so many at once, behind every thread
/// that a key may wait for. Dispatch's own would keep the low priority when they do something else next.
///
/// There are none while there is nothing to do.
final class WorkerThreads: Sendable {
  private struct Line {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
  }

  private let name: String
  private let atOnce: Int
  private let line = Mutex(Line())

  init(_ name: String, atOnce: Int) {
    self.name = name
    self.atOnce = atOnce
  }

  /// Does it later, and returns at once.
  func add(_ work: @escaping @Sendable () -> Void) {
    let needsThread = line.withLock { line in
      line.waiting.append(work)
      guard line.running < atOnce else { return false }
      line.running += 1
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

  /// Nil when nothing waits, and then the thread that asked is gone.
  private func next() -> (@Sendable () -> Void)? {
    line.withLock { line in
      guard !line.waiting.isEmpty else {
        line.running -= 1
        return nil
      }
      return line.waiting.removeFirst()
    }
  }
}
