import CZstd
import GRDB
import GRDBSQLite

/// The SQL function `plain(value)`: returns a text unchanged, and decompresses a BLOB made by `NotesPacker`. NULL for
/// a BLOB that cannot be read; those notes are treated as missing.
///
/// Each connection has one, and SQLite calls it on the thread that uses the connection.
final class PlainFunction {
  /// Bytes. A frame that claims to be larger is malicious.
  private static let limit: UInt64 = 64 << 20

  private let context = ZSTD_createDCtx()
  /// By id. Dictionaries in the library never change.
  private var dictionaries: [UInt32: OpaquePointer] = [:]

  deinit {
    ZSTD_freeDCtx(context)
    for dictionary in dictionaries.values { ZSTD_freeDDict(dictionary) }
  }

  static func add(to db: Database) throws {
    let function = Unmanaged.passRetained(PlainFunction())
    // Views and triggers in the file must not call it.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, "plain", 1, flags, function.toOpaque(),
      { context, _, values in
        guard let context, let value = values?[0], let data = sqlite3_user_data(context) else { return }
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return sqlite3_result_value(context, value) }
        Unmanaged<PlainFunction>.fromOpaque(data).takeUnretainedValue().answer(context, value)
      }, nil, nil, { Unmanaged<PlainFunction>.fromOpaque($0!).release() })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private func answer(_ call: OpaquePointer, _ value: OpaquePointer) {
    let count = Int(sqlite3_value_bytes(value))
    // The two largest values mean that the size is unknown, or that this is not a frame.
    guard let source = sqlite3_value_blob(value), case let size = ZSTD_getFrameContentSize(source, count),
      size <= Self.limit
    else { return sqlite3_result_null(call) }
    guard let room = sqlite3_malloc64(size + 1) else { return sqlite3_result_error_nomem(call) }
    let id = ZSTD_getDictID_fromFrame(source, count)
    let read =
      if id == 0 {
        ZSTD_decompressDCtx(context, room, Int(size), source, count)
      } else if let dictionary = dictionary(id, sqlite3_context_db_handle(call)) {
        ZSTD_decompress_usingDDict(context, room, Int(size), source, count, dictionary)
      } else {
        Int.max
      }
    guard read == Int(size) else {
      sqlite3_free(room)
      return sqlite3_result_null(call)
    }
    sqlite3_result_text64(
      call, room.assumingMemoryBound(to: CChar.self), size, { sqlite3_free($0) }, UInt8(SQLITE_UTF8))
  }

  private func dictionary(_ id: UInt32, _ db: OpaquePointer?) -> OpaquePointer? {
    if let known = dictionaries[id] { return known }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard
      sqlite3_prepare_v2(db, "SELECT dictionary FROM notesDictionary WHERE id = ?", -1, &statement, nil) == SQLITE_OK,
      sqlite3_bind_int64(statement, 1, Int64(id)) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW,
      let bytes = sqlite3_column_blob(statement, 0)
    else { return nil }
    let made = ZSTD_createDDict(bytes, Int(sqlite3_column_bytes(statement, 0)))
    dictionaries[id] = made
    return made
  }
}
