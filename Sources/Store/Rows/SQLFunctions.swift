import Foundation
import GRDB
import GRDBSQLite
import Model

/// SQL functions for orders and filters. Each connection has them. The database does not store their results.
enum SQLFunctions {
  static func add(to db: Database) throws {
    try addNaturalKey(to: db)
    // SQLite itself only folds ASCII.
    db.add(
      function: DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0])?.folded
      })
    // The day of the week of seconds since 1970 in a time zone; 1 is Monday. NULL without a date.
    db.add(
      function: DatabaseFunction("weekday", argumentCount: 2, pure: true) { values in
        guard let seconds = Double.fromDatabaseValue(values[0]), abs(seconds) < 1e11,
          let zone = String.fromDatabaseValue(values[1]).flatMap(TimeZone.init(identifier:))
        else { return nil }
        let local = seconds + Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        let day = Int((local / 86_400).rounded(.down))
        // 1 January 1970 was a Thursday.
        return ((day + 3) % 7 + 7) % 7 + 1
      })
  }

  /// `naturalKey(text)`: the `NaturalKey` of a text. Only `ORDER BY` uses it.
  private static func addNaturalKey(to db: Database) throws {
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
