import GRDB

/// Columns of a row, numbered from 0. A value of a wrong type is an error.
protocol CheckedColumns {
  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(index: Int) -> Value { get throws }
}

/// A row whose columns throw an error instead of trapping. GRDB's own subscripts stop the program if a value does not
/// have the expected type, and a damaged file can contain anything.
struct CheckedRow: CheckedColumns, FetchableRecord {
  private let row: Row
  private var first = 0

  /// - Parameter row: of a cursor, which uses it again for the next one.
  init(_ row: Row) { self.row = row }

  init(row: Row) { self.row = row.copy() }

  /// The same row without its first columns.
  func dropFirst(_ count: Int) -> CheckedRow {
    var rest = self
    rest.first += count
    return rest
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(index: Int) -> Value {
    get throws {
      do { return try row.decode(Value.self, atIndex: first + index) } catch { throw Self.damage(error) }
    }
  }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(column: String) -> Value {
    get throws {
      do { return try row.decode(Value.self, forColumn: column) } catch { throw Self.damage(error) }
    }
  }

  private static func damage(_ error: any Error) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: String(describing: error))
  }
}
