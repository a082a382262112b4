import Foundation
import GRDB
import Model

/// A change that can be undone.
public struct UndoEntry: Sendable, Equatable, Encodable {
  /// What was done, for the user.
  public var label: String
  public var timestamp: Date
}

extension Library {
  /// The changes that `undo` would undo or redo, in its order.
  public func undoEntries(
    _ direction: UndoDirection = .back, limit: Int
  ) throws(StoreError) -> [UndoEntry] {
    try read { db in
      try Row.fetchCursor(
        db, sql: "SELECT label, timestamp FROM undo WHERE isUndone = ? ORDER BY id DESC LIMIT ?",
        arguments: [direction == .forward, max(0, limit)]
      ).map { row in
        let row = CheckedRow(row)
        return UndoEntry(label: try row[0], timestamp: Date(timeIntervalSince1970: try row[1]))
      }.collect()
    }
  }
}
