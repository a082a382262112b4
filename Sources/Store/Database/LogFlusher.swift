import Dispatch
import GRDB
import Synchronization

/// Flushes the write-ahead log to the disk soon after each change, aside, so that no key waits for the disk.
///
/// With `synchronous=NORMAL` SQLite syncs the log only before it folds it into the file, every 16 MB: a power cut would
/// cost minutes. `FULL` would sync within each change, and everything that waits for the writer would wait for the disk.
/// Source: https://www.sqlite.org/pragma.html#pragma_synchronous
final class LogFlusher: Sendable {
  /// Seconds between two flushes. Places are saved every second; what comes in between waits so long at most.
  static let interval = 1.0

  private struct Progress {
    var isScheduled = false
    var last: ContinuousClock.Instant?
    var flushes = 0
    /// Why the last one failed; nil when it was told.
    var failure: StoreError?
  }

  private let progress = Mutex(Progress())
  private let queue = DispatchQueue(label: "earshot.flush", qos: .utility)

  /// Something was committed: within the interval it is on the disk.
  func schedule(_ pool: DatabasePool, path: String) {
    let delay: Double? = progress.withLock { progress in
      guard !progress.isScheduled else { return nil }
      progress.isScheduled = true
      guard let last = progress.last else { return 0 }
      let elapsed = (ContinuousClock.now - last) / .seconds(1)
      return max(0, Self.interval - elapsed)
    }
    guard let delay else { return }
    // Who closes the library meanwhile folds the log in, and that is a flush.
    queue.asyncAfter(deadline: .now() + delay) { [weak self, weak pool] in
      if let pool { self?.flushIfScheduled(pool, path: path) }
    }
  }

  /// Does at once what is scheduled, and waits for it.
  func flushNow(_ pool: DatabasePool, path: String) {
    queue.sync { flushIfScheduled(pool, path: path) }
  }

  /// Waits until nothing is being flushed.
  func settle() { queue.sync {} }

  /// How often something was flushed.
  var flushes: Int { progress.withLock { $0.flushes } }

  /// Why the disk did not take what was written; told once.
  func takeFailure() -> StoreError? {
    progress.withLock { progress in
      defer { progress.failure = nil }
      return progress.failure
    }
  }

  private func flushIfScheduled(_ pool: DatabasePool, path: String) {
    let isDue = progress.withLock { progress in
      // What is changed from now on is of the next one.
      defer { (progress.isScheduled, progress.last) = (false, .now) }
      return progress.isScheduled
    }
    guard isDue else { return }
    do {
      // On a connection that reads: the writer goes on meanwhile. It opens the log with its first question.
      try pool.unsafeRead { db in
        _ = try Row.fetchOne(db, sql: "SELECT 1 FROM meta LIMIT 1")
        try db.syncLog()
      }
      progress.withLock { $0.flushes += 1 }
    } catch {
      progress.withLock { $0.failure = StoreError(error, path: path) }
    }
  }
}
