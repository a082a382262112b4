import Foundation
import GRDB
import Model

/// A change that can be taken back.
public struct UndoEntry: Sendable, Equatable {
  /// What was done, for people.
  public var label: String
  public var timestamp: Date
}

extension Library {
  /// The changes that `undo` would take back, in its order: the newest first.
  public func undoEntries(limit: Int) throws(StoreError) -> [UndoEntry] {
    try read { db in
      try Row.fetchCursor(
        db, sql: "SELECT label, timestamp FROM undo ORDER BY id DESC LIMIT ?", arguments: [max(0, limit)]
      ).map { row in
        let row = CheckedRow(row)
        return UndoEntry(label: try row[0], timestamp: Date(timeIntervalSince1970: try row[1]))
      }.collect()
    }
  }
}
