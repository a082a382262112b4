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
      try db.rows(
        "SELECT label, timestamp FROM undo WHERE isUndone = ? ORDER BY id DESC LIMIT ?",
        [direction == .forward, max(0, limit)]
      ).map { try UndoEntry(label: $0[0], timestamp: Date(timeIntervalSince1970: $0[1])) }
    }
  }
}
