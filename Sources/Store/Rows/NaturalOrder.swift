import GRDB
import GRDBSQLite
import Model

/// The SQL function `naturalKey(text)`: the `NaturalKey` of a text. Only `ORDER BY` uses it. The database does not
/// store it.
enum NaturalOrder {
  static func add(to db: Database) throws {
    // SQLITE_DIRECTONLY: views and triggers in a database file must not call it.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, "naturalKey", 1, flags, nil,
      { context, _, values in
        guard let context, let value = values?[0] else { return }
        let count = Int(sqlite3_value_bytes(value))
        guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else {
          return sqlite3_result_value(context, value)
        }
        let bytes = UnsafeBufferPointer(start: text, count: count)
        guard bytes.contains(where: NaturalKey.isDigit) else { return sqlite3_result_value(context, value) }
        // SQLITE_TRANSIENT: SQLite copies the text.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let key = NaturalKey.key(bytes)
        key.withUnsafeBytes { key in
          sqlite3_result_text64(
            context, key.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(key.count), copies, UInt8(SQLITE_UTF8)
          )
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
