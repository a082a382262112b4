import CSQLite
import GRDB

extension Configuration {
  /// The configuration that all connections of the store start from. It does not trust the file.
  ///
  /// A library can come from anyone (a backup, a replaced file). Its schema must not call functions with side
  /// effects, and no statement may damage the file on purpose.
  /// Source: https://www.sqlite.org/security.html
  static var hardened: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.harden() }
    return configuration
  }

  /// The same for a file that is only read.
  static var reading: Configuration {
    var configuration = hardened
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return configuration
  }
}

extension Database {
  /// Turns on SQLite's defensive mode, turns off trust in the schema, and checks each cell that is read.
  func harden() throws {
    let code = earshot_distrust(sqliteConnection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    // Finds damaged pages when they are read. The cost is not measurable.
    try execute(sql: "PRAGMA cell_size_check = ON")
    try PlainFunction.add(to: self)
    try SQLFunctions.add(to: self)
  }

  /// Flushes the write-ahead log to the disk.
  func syncLog() throws {
    let code = earshot_sync_log(sqliteConnection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
