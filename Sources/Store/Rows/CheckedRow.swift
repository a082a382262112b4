import GRDB

/// Columns of a row, by their numbers from 0. A value of another type than the schema says is an error.
protocol CheckedColumns {
  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(index: Int) -> Value { get throws }
}

/// A row whose columns are read with an error instead of a trap. GRDB's own subscripts stop the program when a value
/// is not what the schema says, and in a damaged file it may be anything.
struct CheckedRow: CheckedColumns {
  private let row: Row

  init(_ row: Row) { self.row = row }

  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(index: Int) -> Value {
    get throws {
      do { return try row.decode(Value.self, atIndex: index) } catch { throw Self.damage(error) }
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
