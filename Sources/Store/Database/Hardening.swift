import CSQLite
import GRDB

extension Configuration {
  /// A configuration that does not trust what is in the file: every connection of the store begins with it.
  ///
  /// A library may come from anybody (a backup, a file that somebody put in its place). Its schema must not be able to
  /// call functions with side effects, and no statement may damage the file on purpose.
  /// Source: https://www.sqlite.org/security.html
  static var distrusting: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.distrust() }
    return configuration
  }

  /// The same, for a file that is only read.
  static var reading: Configuration {
    var configuration = distrusting
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return configuration
  }
}

extension Database {
  /// Sets the defensive mode and switches the trust in the schema off, and looks into each cell that is read.
  func distrust() throws {
    let code = earshot_distrust(sqliteConnection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    // A damaged page is found where it is read, at no cost that can be measured.
    try execute(sql: "PRAGMA cell_size_check = ON")
    try PlainFunction.add(to: self)
  }

  /// Whether the file was renamed or deleted since this connection opened it.
  var hasMoved: Bool { earshot_has_moved(sqliteConnection) != 0 }

  /// Flushes the write-ahead log to the disk.
  func syncLog() throws {
    let code = earshot_sync_log(sqliteConnection)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
