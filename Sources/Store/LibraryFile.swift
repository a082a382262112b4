import Foundation
import GRDB

/// The database file as a file: what can be said of it before SQLite opens it, and how it is set aside.
struct LibraryFile {
  var path: String

  /// Throws when the file is no SQLite database or shorter than its own header says. A file that is not there, and one
  /// without a byte, pass.
  /// File format: https://www.sqlite.org/fileformat.html#the_database_header
  func check() throws(StoreError) {
    if let problem = kindProblem { throw .cannotOpen(path: path, detail: problem) }
    let header = try header()
    guard !header.isEmpty else { return }
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notALibrary(path: path, detail: "no SQLite database")
    }
    guard header.count == 100 else { throw .damaged(path: path, detail: "cut off in its header") }
    // With a write-ahead log the newest pages are there, and a short file is right.
    guard size(of: path + "-wal") == 0 else { return }
    let stored = bigEndian(header[16..<18])
    let pageSize = stored == 1 ? 65536 : stored
    let expected = pageSize * bigEndian(header[28..<32])
    let actual = size(of: path)
    if actual < expected {
      throw .damaged(path: path, detail: "cut off: \(actual) of \(expected) bytes")
    }
  }

  /// The same of a file that is to be taken over: it must be there, and be more than nothing.
  func checkSource() throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else { throw .cannotOpen(path: path, detail: "it is not there") }
    if let problem = kindProblem { throw .notALibrary(path: path, detail: problem) }
    guard isNotEmpty else { throw .notALibrary(path: path, detail: "it is empty") }
    try check()
  }

  var isNotEmpty: Bool { size(of: path) > 0 }

  /// Nothing is in it, nor in a log beside it.
  var isEmptied: Bool {
    FileManager.default.fileExists(atPath: path) && size(of: path) == 0 && size(of: path + "-wal") == 0
  }

  /// Opens the file without changing it.
  func openToRead() throws -> DatabaseQueue {
    // Only a database with a log can be read beside its log; of the others SQLite's locks take care.
    let access = try header().dropFirst(18).first == 2 ? readOnlyAccess : .shared
    var configuration = Configuration.reading
    if access == .leftLog {
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }
    return try DatabaseQueue(path: address(access), configuration: configuration)
  }

  /// What is there when it is no file; nil when it is one, or nothing is there. A FIFO would keep whoever opens it
  /// waiting, and a device may be endless.
  private var kindProblem: String? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return switch info.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "it is a directory"
    case S_IFIFO: "it is a FIFO"
    case S_IFSOCK: "it is a socket"
    default: "it is a device"
    }
  }

  /// The first 100 bytes, or what there is of them; none when the file is not there.
  private func header() throws(StoreError) -> [UInt8] {
    // Should it have become a FIFO meanwhile, nothing waits.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw .cannotOpen(path: path, detail: reason(String(cString: strerror(errno))))
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .cannotOpen(path: path, detail: reason(String(cString: strerror(errno)))) }
    return Array(bytes.prefix(count))
  }
  /// The file and its companions are its owner's alone: they hold passwords, and what somebody hears.
  func tighten() { for companion in ["", "-wal", "-shm"] { OwnerOnly.tighten(path + companion) } }

  /// How SQLite can read the file without writing.
  enum ReadOnlyAccess: Equatable {
    /// Beside others, who may write: with the log and its index.
    case shared
    /// As a file that nobody changes (https://www.sqlite.org/uri.html#uriimmutable). The log is not looked at.
    case immutable
    /// With a log that somebody left, and without an index: SQLite keeps that in memory, as in exclusive locking mode,
    /// which takes no locks (https://www.sqlite.org/wal.html#noshm, https://www.sqlite.org/vfs.html#standard_unix_vfses).
    case leftLog
  }

  /// Where not even the companions of the log can be made, the file is taken as one that nobody changes: true of a
  /// read-only disk, where there is no other way, and of a full one as long as nobody has the file open: who has, has
  /// made them.
  var readOnlyAccess: ReadOnlyAccess {
    // The log's index has 32 kB at least; less is what was left of one for which there was no room.
    let (hasLog, hasIndex) = (size(of: path + "-wal") > 0, size(of: path + "-shm") >= 32_768)
    if hasLog { return hasIndex || access(directory, W_OK) == 0 ? .shared : .leftLog }
    return hasIndex && access(directory, W_OK) == 0 ? .shared : .immutable
  }

  /// What SQLite is given as the name of the file.
  func address(_ access: ReadOnlyAccess) -> String {
    let unescaped = CharacterSet(charactersIn: "?#%").inverted
    let name = "file:" + (path.addingPercentEncoding(withAllowedCharacters: unescaped) ?? path)
    return switch access {
    case .shared: path
    case .immutable: name + "?immutable=1"
    case .leftLog: name + "?vfs=unix-none"
    }
  }

  /// Why the file cannot be opened or made, as far as the file system knows; SQLite only says that it cannot.
  /// - Parameter detail: what SQLite says, when nothing better is known.
  func reason(_ detail: String) -> String {
    if FileManager.default.fileExists(atPath: path) {
      if let problem = kindProblem { return problem }
      if let why = refusal(path, R_OK) { return "it cannot be read: \(why)" }
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        if let why = refusal(path + companion, R_OK) { return "\(path + companion) cannot be read: \(why)" }
      }
    }
    if let why = refusal(directory, W_OK | X_OK) { return "its directory \(directory) cannot be written: \(why)" }
    return detail
  }

  /// What access(2) says against it; nil when nothing.
  private func refusal(_ path: String, _ mode: Int32) -> String? {
    access(path, mode) == 0 ? nil : String(cString: strerror(errno))
  }

  var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Renames the file and its companions; `earshot.db` becomes `earshot.db.damaged-20250131-235959`.
  /// - Returns: the new path.
  func setAside(now: Date) throws(StoreError) -> String {
    let target = StampedName.free(path + ".damaged", now: now)
    do {
      // The log first: should we be killed in between, the database without it is set aside by the next start.
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        try FileManager.default.moveItem(atPath: path + companion, toPath: target + companion)
      }
      try FileManager.default.moveItem(atPath: path, toPath: target)
    } catch {
      throw .cannotOpen(path: path, detail: "it is damaged and cannot be set aside: \(error.localizedDescription)")
    }
    return target
  }

  /// Puts `other` in the place of the file, which is renamed to `earshot.db.replaced-20250131-235959`. Whenever the
  /// process ends or the power goes, either the old library is there, whole, or the new one.
  /// - Returns: the new name of what was there; nil when nothing was.
  func replace(with other: String, now: Date) throws(StoreError) -> String? {
    guard Self.sync(other) else { throw failure("the copy cannot be written") }
    var target: String?
    if FileManager.default.fileExists(atPath: path) {
      let name = StampedName.free(path + ".replaced", now: now)
      // A log belongs to the old file and must not meet the new one, so it is copied into the old one first. Of a file
      // that is too damaged for that, the log is set aside.
      foldLog()
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        guard rename(path + companion, name + companion) == 0 else { throw failure("it cannot be set aside") }
      }
      // Where the file system has no second names the place is empty for a moment.
      guard link(path, name) == 0 || rename(path, name) == 0 else { throw failure("it cannot be set aside") }
      target = name
    }
    guard rename(other, path) == 0 else { throw failure("it cannot be replaced") }
    // The names are in the directory. Some file systems cannot sync one, and then they order it themselves.
    _ = Self.sync(directory)
    return target
  }

  /// Copies the write-ahead log into the file. The last connection that closes removes it.
  private func foldLog() {
    let queue = try? DatabaseQueue(path: path, configuration: .distrusting)
    _ = try? queue?.inDatabase { db in try db.checkpoint(.truncate) }
    try? queue?.close()
  }

  /// Whether the file, or directory, is on the disk now.
  static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private func failure(_ what: String) -> StoreError { .system(errno, path: path, what) }

  private func size(of path: String) -> Int {
    var info = stat()
    // A file that is not there is as good as an empty one.
    return stat(path, &info) == 0 ? Int(clamping: info.st_size) : 0
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
