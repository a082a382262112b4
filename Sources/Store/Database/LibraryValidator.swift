import Foundation
import GRDB

/// Checks that a database is a library of Earshot, before it is changed, migrated or trusted.
///
/// A library has Earshot's application id and a list of its migrations. It has no view, because a view could replace a
/// table, and no foreign trigger, because a trigger runs with each change.
struct LibraryValidator {
  /// The path, for error messages.
  var path: String
  var migrator: DatabaseMigrator

  enum Verdict: Equatable {
    /// The database is new, or from a first start that was interrupted.
    case empty
    /// - Parameter isCurrent: all migrations have run.
    case library(isCurrent: Bool)
  }

  /// Throws `StoreError.notALibrary`, `.damaged` or `.newer`.
  func validate(_ db: Database) throws -> Verdict {
    // Of the objects that SQLite makes, only tables and indexes: https://www.sqlite.org/fileformat2.html#intschema
    let objects = try db.rows(
      """
      SELECT type, name, sql FROM sqlite_master
      WHERE type NOT IN ('table', 'index') OR name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ).map { try (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String?) }
    let tables = Set(objects.filter { $0.type == "table" }.map(\.name))
    let hasMigrations = tables.contains(Self.migrations)
    let applied = hasMigrations ? try identifiers(db) : []
    let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isOurs = id == Schema.applicationID
    // GRDB creates its migrations table before the first migration.
    let isEmpty = applied.isEmpty && objects.count == (hasMigrations ? 1 : 0)
    if isEmpty, isOurs || id == 0 { return .empty }
    guard isOurs else { throw StoreError.notALibrary(path: path, detail: "the database of another program") }
    guard applied.isSubset(of: migrator.migrations) else { throw StoreError.newer(path: path) }
    guard !applied.isEmpty else {
      throw StoreError.notALibrary(path: path, detail: "it does not say which Earshot made it")
    }
    for (type, name, sql) in objects where type != "table" && type != "index" {
      guard type == "trigger", let sql, Schema.triggers.contains(Schema.lines(sql)) else {
        throw StoreError.notALibrary(path: path, detail: "the \(type) “\(name)” was not made by Earshot")
      }
    }
    // Those that a start reads. Without them, it is better to begin with a backup.
    for table in ["meta", "podcast", "episode", "setting"] where !tables.contains(table) {
      throw StoreError.damaged(path: path, detail: "the table “\(table)” is missing")
    }
    return .library(isCurrent: applied.count == migrator.migrations.count)
  }

  /// Validates a file before SQLite may write to it, because opening a pool already changes it. A file that cannot be
  /// read this way (with a journal, or while another process opens it) is validated after it is open.
  func validateBeforeOpening(_ file: LibraryFile) throws {
    guard file.isNotEmpty else { return }
    do {
      _ = try file.openToRead().read(validate)
    } catch is DatabaseError {}
  }

  /// GRDB's table.
  private static let migrations = "grdb_migrations"

  private func identifiers(_ db: Database) throws -> Set<String> {
    do {
      return try migrator.appliedIdentifiers(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw StoreError.notALibrary(path: path, detail: "the table “\(Self.migrations)” was not made by Earshot")
    }
  }
}
