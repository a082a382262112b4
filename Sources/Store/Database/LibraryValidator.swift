import Foundation
import GRDB
import Synchronization

/// Checks that a database is a library of Earshot, before it is changed, migrated or trusted.
///
/// A library has Earshot's application id and exactly the tables, indexes and triggers that its migrations create. A
/// foreign trigger would run with each change, and a view could replace a table.
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
    let found = try SchemaObjects(db)
    let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isOurs = id == Schema.applicationID
    // GRDB creates its migrations table before the first migration.
    let applied = found.has("table", "grdb_migrations") ? try identifiers(db) : []
    if found.isEmpty, applied.isEmpty, isOurs || id == 0 { return .empty }
    guard isOurs else { throw StoreError.notALibrary(path: path, detail: "the database of another program") }
    guard applied.isSubset(of: migrator.migrations) else { throw StoreError.newer(path: path) }
    guard let last = migrator.migrations.last(where: applied.contains) else {
      throw StoreError.notALibrary(path: path, detail: "it does not say which Earshot made it")
    }
    let expected = try SchemaObjects.expected(of: migrator, upTo: last)
    if let unexpected = found.firstUnexpected(to: expected) {
      throw StoreError.notALibrary(path: path, detail: "\(unexpected) was not made by Earshot")
    }
    if let missing = expected.firstMissing(in: found) {
      throw StoreError.damaged(path: path, detail: "\(missing) is missing")
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

  private func identifiers(_ db: Database) throws -> Set<String> {
    do {
      return try migrator.appliedIdentifiers(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw StoreError.notALibrary(path: path, detail: "the table “grdb_migrations” was not made by Earshot")
    }
  }
}

/// The tables, indexes, triggers and views of a database.
struct SchemaObjects {
  private struct Name: Hashable {
    var type: String
    var name: String
    /// The object in words, for error messages.
    var text: String { "the \(type) “\(name)”" }
  }

  /// Internal objects of SQLite have no SQL text.
  private var objects: [Name: SQLText?] = [:]

  /// - Parameter lines: in the form of the property `lines`.
  init(lines: String) {
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      objects[Name(type: parts[0], name: parts[1])] = .some(parts.count > 2 ? SQLText(parts[2]) : nil)
    }
  }

  /// One line per object, sorted: type, name and, for Earshot's own objects, the SQL.
  var lines: String {
    objects.map { name, text in
      let statement = Self.isThirdParty(name) ? nil : text?.line
      return [name.type, name.name, statement].compactMap { $0 }.joined(separator: " ")
    }.sorted().joined(separator: "\n")
  }

  init(_ db: Database) throws {
    for row in try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master").map(CheckedRow.init) {
      let (name, sql) = (try Name(type: row[0], name: row[1]), try row[2] as String?)
      if Self.isInternal(name, sql) { continue }
      objects[name] = sql.map(SQLText.init)
    }
  }

  /// Whether there is nothing except the migrations table.
  var isEmpty: Bool { objects.keys.allSatisfy { $0.name == "grdb_migrations" && $0.type == "table" } }

  func has(_ type: String, _ name: String) -> Bool { objects[Name(type: type, name: name)] != nil }

  /// The first object that is not expected, in words. Nil if there is none.
  func firstUnexpected(to expected: SchemaObjects) -> String? {
    objects.filter { name, text in
      guard let wanted = expected.objects[name] else { return true }
      return wanted != text && !Self.isThirdParty(name)
    }.keys.map(\.text).min()
  }

  func firstMissing(in found: SchemaObjects) -> String? {
    objects.keys.filter { found.objects[$0] == nil }.map(\.text).min()
  }

  /// Objects that SQLite creates internally: https://www.sqlite.org/fileformat2.html#intschema
  private static func isInternal(_ name: Name, _ sql: String?) -> Bool {
    switch name.type {
    case "index": sql == nil && name.name.hasPrefix("sqlite_autoindex_")
    case "table": ["sqlite_sequence", "sqlite_stat1", "sqlite_stat4"].contains(name.name)
    default: false
    }
  }

  /// Tables that full-text search and GRDB create, with SQL that depends on their version. They are recognised by
  /// name.
  /// Source: https://www.sqlite.org/fts5.html#fts5_data_structures
  private static func isThirdParty(_ name: Name) -> Bool {
    let names = ["search_data", "search_idx", "search_docsize", "search_config", "grdb_migrations"]
    return name.type == "table" && names.contains(name.name)
  }

  // MARK: Expected schema

  /// The schema after all migrations. Stored as text, because running the migrations takes 20 ms at every start.
  private static let current = SchemaObjects(lines: Schema.current)

  /// The schema after the migrations up to `last`.
  static func expected(of migrator: DatabaseMigrator, upTo last: String) throws -> SchemaObjects {
    let all = Schema.migrator.migrations
    return last == all.last && migrator.migrations == all ? current : try made(by: migrator, upTo: last)
  }

  /// Runs the migrations up to `last` in memory and returns the schema. The result is cached.
  static func made(by migrator: DatabaseMigrator, upTo last: String) throws -> SchemaObjects {
    let key = migrator.migrations.joined(separator: " ") + ": " + last
    if let known = cache.withLock({ $0[key] }) { return known }
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: last)
    let objects = try queue.read { db in try SchemaObjects(db) }
    cache.withLock { $0[key] = objects }
    return objects
  }

  private static let cache = Mutex<[String: SchemaObjects]>([:])
}
