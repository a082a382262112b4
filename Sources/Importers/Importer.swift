import Foundation
import Model

/// Reads the libraries of other podcast programs. Databases are copied before they are opened, because SQLite may write
/// files beside a database even when it only reads (the index of a write-ahead log).
public struct Importer {
  /// The directory for temporary copies. Created when needed.
  public var scratchDirectory: String

  public init(scratchDirectory: String) { self.scratchDirectory = scratchDirectory }

  /// - Parameter path: a program's file, or the directory that contains it.
  /// - Returns: nil if the file belongs to none of these programs. The caller handles OPML.
  public func read(_ path: String) throws(ImportError) -> ForeignLibrary? {
    let file = try Self.file(at: path)
    if let kind = FileFailure.wrongKind(file) { throw .unknown(path: file, detail: kind) }
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw .unreadable(path: file, why: String(cString: strerror(errno)))
    }
    let head = handle.readData(ofLength: 16)
    handle.closeFile()
    // SQLite would accept an empty file as a new database. A program that was killed early may leave one.
    if head.isEmpty { throw .unknown(path: file, detail: "an empty file") }
    if head.starts(with: Data("SQLite format 3\0".utf8)) { return try readDatabase(file) }
    // Only Podliner's file begins like this.
    if head.drop(while: { [0xEF, 0xBB, 0xBF, 0x20, 0x0A, 0x0D, 0x09].contains($0) }).first == UInt8(ascii: "{") {
      return try PodlinerImport.read(file)
    }
    return nil
  }

  /// The file in a directory of one of the programs.
  private static func file(at path: String) throws(ImportError) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw .unreadable(path: path, why: String(cString: strerror(ENOENT)))
    }
    guard isDirectory.boolValue else { return path }
    for name in knownNames where FileManager.default.fileExists(atPath: "\(path)/\(name)") { return "\(path)/\(name)" }
    throw .unknown(path: path, detail: "it holds none of \(knownNames.joined(separator: ", "))")
  }

  private static let knownNames = [
    "castero.db", "cache.db", "data.db", "Database", "database.sqlite", "library.json", "library/library.json",
    "Antennapod.db",
  ]

  /// A program: the tables that identify its database, and its reader.
  private struct Program: Sendable {
    var tables: Set<String>
    var read: @Sendable (ForeignDatabase) throws -> ForeignLibrary
  }

  private static let programs = [
    Program(tables: ["feed", "episode"], read: CasteroImport.read),
    Program(tables: ["podcasts", "episodes", "files"], read: ShellcasterImport.read),
    Program(tables: ["rss_feed", "rss_item"], read: NewsboatImport.read),
    Program(tables: ["podcast", "episode", "version"], read: GPodderImport.read),
    Program(tables: ["channels", "episodes"], read: GPodderImport.readVersion2),
    Program(tables: ["feeds", "feeditems", "feedmedia"], read: AntennaPodImport.read),
  ]

  /// The tables that identify Earshot's own library.
  private static let ownTables: Set = ["podcast", "episode", "searchdocument"]

  private func readDatabase(_ path: String) throws(ImportError) -> ForeignLibrary {
    try ForeignDatabase.withCopy(of: path, in: scratchDirectory) { database in
      if Self.ownTables.isSubset(of: database.tables) {
        throw ImportError.unknown(path: path, detail: "Earshot's own library. Run “earshot restore” to use it")
      }
      guard let program = Self.programs.first(where: { $0.tables.isSubset(of: database.tables) }) else {
        throw ImportError.unknown(path: path, detail: "a database of another program")
      }
      try database.refuseComputedValues()
      return try program.read(database)
    }
  }
}

/// Why an import failed. Neither library was changed.
public enum ImportError: Error, Sendable, Equatable {
  case unreadable(path: String, why: String)
  /// Not a file of a supported program.
  case unknown(path: String, detail: String)
  case damaged(path: String, detail: String)
  /// It changed during every copy.
  case busy(path: String)
  /// The copy to read from cannot be written in the directory for temporary copies.
  case noCopy(directory: String, why: String)
}

extension ImportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let why): "\(path) cannot be read: \(why)"
    case .unknown(let path, let detail):
      "\(path): \(detail). Earshot reads OPML and the files of castero, shellcaster, hullcaster, newsboat, podliner, gPodder and AntennaPod."
    case .damaged(let path, let detail): "\(path): invalid data: \(detail)"
    case .busy(let path): "Another program is writing to \(path). Quit it, and try again."
    case .noCopy(let directory, let why): "A copy to read from cannot be written in \(directory): \(why)"
    }
  }
}

/// Collects episodes by podcast, in the order of the other program.
struct ForeignCollector<Key: Hashable> {
  private var order: [Key] = []
  private var podcasts: [Key: ForeignPodcast] = [:]

  mutating func add(_ key: Key, _ podcast: ForeignPodcast) {
    if podcasts[key] == nil { order.append(key) }
    podcasts[key] = podcast
  }

  /// Adds an episode. Episodes without data of the listener are left out, because the first refresh adds them. Episodes
  /// of unknown podcasts are dropped.
  mutating func add(_ episode: ForeignEpisode, to key: Key) {
    guard episode.hasListenerData else { return }
    podcasts[key]?.episodes.append(episode)
  }

  var all: [ForeignPodcast] { order.compactMap { podcasts[$0] } }
}

extension ForeignLibrary {
  /// Adds a sentence about something that could not be imported, unless `count` is 0.
  mutating func addNote(_ count: Int, one: String, many: String) {
    guard count > 0 else { return }
    notes.append(Counted.text(count, one, many))
  }
}
