import GRDB
import GRDBSQLite
import Synchronization

/// Cancels a running search, because the listener has typed on.
public final class SearchTicket: Sendable {
  private let cancellation = Atomic(false)

  public init() {}

  /// The search ends soon with `StoreError.interrupted`. Does nothing if it has ended or not started.
  public func cancel() { cancellation.store(true, ordering: .relaxed) }

  public var isCancelled: Bool { cancellation.load(ordering: .relaxed) }

  func check() throws {
    if isCancelled { throw StoreError.interrupted }
  }

  /// Lets SQLite check for cancellation every thousand steps of its virtual machine while `body` runs.
  func watching<T>(_ db: Database, _ body: () throws -> T) throws -> T {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      db.sqliteConnection, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SearchTicket>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
      }, context)
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    return try withExtendedLifetime(self, body)
  }
}
