import Foundation
import GRDB
import Model

/// A column that holds a value of a feed as it is. It is declared once, in `EpisodeColumns` or `PodcastColumns`: it is
/// read, written, compared and left out of the extras by its index in these lists.
struct FeedColumn<Feed>: Sendable {
  let name: String
  /// What is stored.
  let value: @Sendable (Feed) -> DatabaseValue
  /// Reads the value from a column of a row.
  let read: @Sendable (CheckedRow, _ column: Int, inout Feed) throws -> Void
  /// Adds the value to a hash, from which a refresh sees that it has changed.
  let hash: @Sendable (Feed, inout StableHash) -> Void
  /// Removes the value.
  let clear: @Sendable (inout Feed) -> Void

  init(_ name: String, text path: WritableKeyPath<Feed, String?> & Sendable) {
    self.init(name, path, stored: { $0.withoutNUL.databaseValue }, hash: { $1.combine($0?.withoutNUL) })
  }

  init(_ name: String, number path: WritableKeyPath<Feed, Int?> & Sendable) {
    self.init(name, path, stored: \.databaseValue, hash: { $1.combine($0) })
  }

  init(_ name: String, number path: WritableKeyPath<Feed, Int64?> & Sendable) {
    self.init(name, path, stored: \.databaseValue, hash: { $1.combine($0) })
  }

  init(_ name: String, date path: WritableKeyPath<Feed, Date?> & Sendable) {
    self.name = name
    // A date may be infinite, because feeds are hostile.
    let seconds: @Sendable (Feed) -> Double? = { $0[keyPath: path].map(\.seconds).flatMap { $0.isFinite ? $0 : nil } }
    value = { seconds($0)?.databaseValue ?? .null }
    hash = { $1.combine(seconds($0)) }
    read = { row, column, feed in feed[keyPath: path] = Date(seconds: try row[column]) }
    clear = { $0[keyPath: path] = nil }
  }

  private init<Value: DatabaseValueConvertible & StatementColumnConvertible & Sendable>(
    _ name: String, _ path: WritableKeyPath<Feed, Value?> & Sendable,
    stored: @escaping @Sendable (Value) -> DatabaseValue, hash: @escaping @Sendable (Value?, inout StableHash) -> Void
  ) {
    self.name = name
    value = { $0[keyPath: path].map(stored) ?? .null }
    self.hash = { hash($0[keyPath: path], &$1) }
    read = { row, column, feed in feed[keyPath: path] = try row[column] }
    clear = { $0[keyPath: path] = nil }
  }
}

extension Array {
  /// Reads all values from the first columns of a row.
  func read<Feed>(_ row: CheckedRow, into feed: inout Feed) throws where Element == FeedColumn<Feed> {
    for (index, column) in enumerated() { try column.read(row, index, &feed) }
  }
}

/// SQL for a list of columns.
enum ColumnList {
  /// `INSERT INTO table (…) VALUES (?, …)`
  static func insert(into table: String, _ names: [String]) -> String {
    "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// `insert`, or an update of the row with the same first column.
  static func upsert(into table: String, _ names: [String]) -> String {
    let updates = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return insert(into: table, names) + " ON CONFLICT (\(names[0])) DO UPDATE SET \(updates)"
  }

  /// `UPDATE table SET … = ?, …`
  static func update(_ table: String, _ names: [String]) -> String {
    "UPDATE \(table) SET \(names.map { "\($0) = ?" }.joined(separator: ", "))"
  }
}
