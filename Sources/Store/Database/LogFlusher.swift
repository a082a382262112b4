import Dispatch
import GRDB
import Model
import Synchronization

/// Flushes the write-ahead log to the disk soon after each change, in the background, so that the user never waits
/// for the disk.
///
/// With `synchronous=NORMAL`, SQLite syncs the log only before a checkpoint, usually every 16 MB, so a power cut could
/// lose minutes. `FULL` would sync within each change, and everything that waits for the writer would wait for the
/// disk.
/// Source: https://www.sqlite.org/pragma.html#pragma_synchronous
final class LogFlusher: Sendable {
  /// Seconds between two flushes, and so the most that a power cut can lose. Playback positions are saved every
  /// second.
  static let interval = 1.0

  /// With less free space, in bytes, a flush also copies the log into the file. The file then has the space of all its
  /// pages, and changes that need no others can be written even if the disk becomes full. Four times the largest log.
  private static let littleSpace: Int64 = 64_000_000

  private struct Progress {
    var isScheduled = false
    var last: ContinuousClock.Instant?
    var flushes = 0
    /// The error of the last flush, until it is reported.
    var failure: StoreError?
  }

  private let progress = Mutex(Progress())
  private let queue = DispatchQueue(label: "earshot.flush", qos: .utility)

  /// Called after a commit. The change is on the disk within the interval.
  func schedule(_ pool: DatabasePool, path: String) {
    let delay: Double? = progress.withLock { progress in
      guard !progress.isScheduled else { return nil }
      progress.isScheduled = true
      guard let last = progress.last else { return 0 }
      let elapsed = (ContinuousClock.now - last) / .seconds(1)
      return max(0, Self.interval - elapsed)
    }
    guard let delay else { return }
    // If the library is closed meanwhile, its checkpoint flushes the log.
    queue.asyncAfter(deadline: .now() + delay) { [weak self, weak pool] in
      if let pool { self?.flushIfScheduled(pool, path: path) }
    }
  }

  /// Runs a scheduled flush now, and waits for it.
  func flushNow(_ pool: DatabasePool, path: String) {
    queue.sync { flushIfScheduled(pool, path: path) }
  }

  /// Waits until no flush is running.
  func waitUntilIdle() { queue.sync {} }

  /// The number of flushes.
  var flushes: Int { progress.withLock { $0.flushes } }

  /// The error of the last flush, if it failed. Returned once.
  func takeFailure() -> StoreError? {
    progress.withLock { progress in
      defer { progress.failure = nil }
      return progress.failure
    }
  }

  private func flushIfScheduled(_ pool: DatabasePool, path: String) {
    let isDue = progress.withLock { progress in
      // Later changes schedule the next flush.
      defer { (progress.isScheduled, progress.last) = (false, .now) }
      return progress.isScheduled
    }
    guard isDue else { return }
    do {
      // Uses a reading connection, so that the writer can continue. SQLite opens the log with the first query.
      try pool.unsafeRead { db in
        _ = try Row.fetchOne(db, sql: "SELECT 1 FROM meta LIMIT 1")
        try db.syncLog()
      }
      progress.withLock { $0.flushes += 1 }
      if (DiskState.freeBytes(at: path) ?? .max) < Self.littleSpace { pool.reuseLog(of: path) }
    } catch {
      progress.withLock { $0.failure = StoreError(error, path: path) }
    }
  }
}

extension DatabasePool {
  /// Copies the write-ahead log into the file at `path`, so that the next change reuses its space. SQLite does so by
  /// itself only when the log has reached a limit (`PRAGMA wal_autocheckpoint`). Does nothing if the file would have to
  /// grow, and the disk has no space for that: the copy would fail after writing most of the log.
  func reuseLog(of path: String) {
    _ = try? writeWithoutTransaction { db in
      let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      let size = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0
      let free = DiskState.freeBytes(at: path) ?? 0
      guard pages * size - Int64(clamping: LibraryFile(path: path).bytes) <= free else { return }
      try db.checkpoint(.passive)
    }
  }
}
