import GRDB
import GRDBSQLite

/// The SQL function `naturalKey(text)`: a key that sorts numbers inside a text by their value, so that "Part 9" comes
/// before "Part 10". Only `ORDER BY` uses it. The database does not store it.
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
        guard bytes.contains(where: NaturalOrder.isDigit) else { return sqlite3_result_value(context, value) }
        // SQLITE_TRANSIENT: SQLite copies the text.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let key = NaturalOrder.key(bytes)
        key.withUnsafeBytes { key in
          sqlite3_result_text64(
            context, key.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(key.count), copies, UInt8(SQLITE_UTF8)
          )
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Numbers lose their leading zeros and are preceded by a character for their count of digits, because a longer
  /// number is a larger one.
  static func key(_ text: some Collection<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    var rest = text[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix(while: isDigit)
      rest = rest.dropFirst(number.count)
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      // At most `o`. Numbers with 63 or more digits are compared digit by digit.
      key.append(UInt8(ascii: "0") + UInt8(min(digits.count, 63)))
      key += digits
    }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
