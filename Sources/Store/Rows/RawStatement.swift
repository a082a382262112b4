import Foundation
import GRDB
import GRDBSQLite

/// A statement for tens of thousands of runs in a row, with values bound directly through SQLite. GRDB's arguments
/// box every value and copy every text twice, which in a first refresh took as long as SQLite itself.
struct RawStatement {
  private let statement: Statement
  private let handle: OpaquePointer
  private let database: Database

  /// Compiled once per connection.
  init(_ db: Database, _ sql: String) throws {
    database = db
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  /// Runs a statement without result rows, with the values of its parameters in order.
  func run<each Value: BoundValue>(_ values: repeat each Value) throws {
    try run { bound in repeat bound.add(each values) }
  }

  /// The same with values from lists, which `bind` adds in order.
  func run(_ bind: (inout Values) -> Void) throws {
    defer {
      sqlite3_reset(handle)
      // Cached statements should not keep large values.
      sqlite3_clear_bindings(handle)
    }
    try self.bind(bind)
    _ = try step()
  }

  /// GRDB does not reset a statement after its last row, and has the same one for equal SQL. Such a statement would
  /// refuse the values, and run without them.
  private func bind(_ bind: (inout Values) -> Void) throws {
    sqlite3_reset(handle)
    var values = Values(handle: handle)
    bind(&values)
    guard values.code == SQLITE_OK else { throw failure(values.code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
  }

  /// The first column of all rows of a query. For one integer per row, GRDB's cursor takes four times as long.
  static func integers(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> [Int64] {
    let query = try RawStatement(db, sql)
    try query.statement.setArguments(arguments)
    defer { sqlite3_reset(query.handle) }
    var integers: [Int64] = []
    while try query.step() { integers.append(sqlite3_column_int64(query.handle, 0)) }
    return integers
  }

  /// Runs a query with one integer argument and returns `read` of its first row. Nil if there is none. GRDB's rows
  /// take ten times as long, and a list runs this for each line.
  func first<Value>(_ id: Int64, _ read: (Columns) throws -> Value) throws -> Value? {
    try bind { $0.add(id) }
    defer { sqlite3_reset(handle) }
    return try step() ? read(Columns(handle: handle)) : nil
  }

  /// Runs a query with one integer argument and calls `read` for each row.
  func each(_ id: Int64, _ read: (Columns) throws -> Void) throws {
    try bind { $0.add(id) }
    defer { sqlite3_reset(handle) }
    while try step() { try read(Columns(handle: handle)) }
  }

  /// - Returns: whether there is a row.
  private func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// The current row of a query.
  struct Columns: CheckedColumns {
    fileprivate let handle: OpaquePointer

    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(index: Int) -> Value {
      get throws {
        guard let value = Value.fromStatement(handle, atUncheckedIndex: Int32(index)) else {
          throw DatabaseError(
            resultCode: .SQLITE_CORRUPT,
            message: "the column \(String(cString: sqlite3_column_name(handle, Int32(index)))) is empty")
        }
        return value
      }
    }
  }

  /// The values of one run.
  struct Values {
    fileprivate let handle: OpaquePointer
    private var index: Int32 = 0
    /// The result of the first call that failed.
    fileprivate private(set) var code = SQLITE_OK

    fileprivate init(handle: OpaquePointer) { self.handle = handle }

    mutating func add(_ value: some BoundValue) {
      index += 1
      let code = value.bind(handle, index)
      if self.code == SQLITE_OK { self.code = code }
    }
  }
}

/// A value that `RawStatement` binds.
protocol BoundValue {
  /// - Returns: the result code of SQLite.
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32
}

extension Optional: BoundValue where Wrapped: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
    if let self { self.bind(statement, index) } else { sqlite3_bind_null(statement, index) }
  }
}

extension Int64: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

extension Int: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 { Int64(self).bind(statement, index) }
}

extension Double: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 { sqlite3_bind_double(statement, index, self) }
}

/// SQLITE_TRANSIENT (-1, a macro that Swift cannot import) makes SQLite copy the value, because it may be used after
/// the call.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension String: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bytes in
      if let start = bytes.baseAddress {
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
        }
      } else {
        sqlite3_bind_text(statement, index, "", 0, transient)
      }
    }
  }
}

extension DatabaseValue: BoundValue {
  func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch storage {
    case .null: sqlite3_bind_null(statement, index)
    case .int64(let number): number.bind(statement, index)
    case .double(let number): number.bind(statement, index)
    case .string(let text): text.bind(statement, index)
    case .blob(let data):
      data.withUnsafeBytes {
        sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), transient)
      }
    }
  }
}
