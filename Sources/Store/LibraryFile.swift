import Foundation
import GRDB
import Model

/// The database file as a plain file: checks before SQLite opens it, and renaming it.
struct LibraryFile {
  var path: String

  /// SQLite takes a name that begins with `file:` for a URI (https://www.sqlite.org/uri.html). Here it is a file.
  init(path: String) { self.path = path.hasPrefix("file:") ? "./" + path : path }

  /// Throws if the file is not an SQLite database or is shorter than its header says. A missing and an empty file
  /// pass.
  /// File format: https://www.sqlite.org/fileformat.html#the_database_header
  func check() throws(StoreError) {
    if let problem = unsupportedKind { throw .cannotOpen(path: path, detail: problem) }
    let header = try header()
    guard !header.isEmpty else { return }
    guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notALibrary(path: path, detail: "not an SQLite database")
    }
    guard header.count == 100 else { throw .damaged(path: path, detail: "cut off in its header") }
    // With a write-ahead log, the newest pages are in the log, and the file may be shorter.
    guard size(of: path + "-wal") == 0 else { return }
    let stored = bigEndian(header[16..<18])
    let pageSize = stored == 1 ? 65536 : stored
    let expected = pageSize * bigEndian(header[28..<32])
    let actual = size(of: path)
    if actual < expected {
      throw .damaged(path: path, detail: "cut off: \(actual) of \(expected) bytes")
    }
  }

  /// The same check for a file to be imported: it must exist and not be empty.
  func checkSource() throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else { throw .cannotOpen(path: path, detail: "it is not there") }
    if let problem = unsupportedKind { throw .notALibrary(path: path, detail: problem) }
    guard isNotEmpty else { throw .notALibrary(path: path, detail: "it is empty") }
    try check()
  }

  var isNotEmpty: Bool { size(of: path) > 0 }

  /// The size of the file in bytes, without its log.
  var bytes: UInt64 { UInt64(max(0, size(of: path))) }

  /// Whether the file exists, but it and its log are empty.
  var isEmptied: Bool {
    FileManager.default.fileExists(atPath: path) && size(of: path) == 0 && size(of: path + "-wal") == 0
  }

  /// Opens the file without changing it.
  func openToRead() throws -> DatabaseQueue {
    // Only a database in WAL mode needs to be opened together with its log. For others, SQLite's locks are enough.
    let access = try header().dropFirst(18).first == 2 ? readOnlyAccess : .shared
    var configuration = Configuration.reading
    if access == .leftLog {
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    }
    return try DatabaseQueue(path: address(access), configuration: configuration)
  }

  private var unsupportedKind: String? { FileFailure.wrongKind(path).map { "it is \($0)" } }

  /// The first 100 bytes, or fewer if the file is shorter. Empty if it does not exist.
  private func header() throws(StoreError) -> [UInt8] {
    // O_NONBLOCK, in case it has been replaced by a FIFO.
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
  /// Restricts the file, its log and its index to the owner: they contain passwords and a listening history.
  func restrict() { for companion in ["", "-wal", "-shm"] { OwnerOnly.restrict(path + companion) } }

  /// How SQLite can read the file without writing to it.
  enum ReadOnlyAccess: Equatable {
    /// With the log and its index, alongside other processes that may write.
    case shared
    /// As an immutable file (https://www.sqlite.org/uri.html#uriimmutable). The log is ignored.
    case immutable
    /// With a remaining log but without an index, which SQLite then keeps in memory, as in exclusive locking mode. No
    /// locks are taken (https://www.sqlite.org/wal.html#noshm, https://www.sqlite.org/vfs.html#standard_unix_vfses).
    case leftLog
  }

  /// If not even the log's index can be created, the file is treated as immutable. That is right on a read-only disk.
  /// On a full disk it is right while no process has the file open, because such a process would have created the
  /// index.
  var readOnlyAccess: ReadOnlyAccess {
    // The log's index has at least 32 kB. A shorter one is incomplete, because the disk was full.
    let (hasLog, hasIndex) = (size(of: path + "-wal") > 0, size(of: path + "-shm") >= 32_768)
    if hasLog { return hasIndex || canHoldIndex ? .shared : .leftLog }
    return hasIndex && access(directory, W_OK) == 0 ? .shared : .immutable
  }

  /// Whether an index of the log can be created.
  private var canHoldIndex: Bool { access(directory, W_OK) == 0 && DiskState.of(path) == .writable }

  /// The file name for SQLite.
  func address(_ access: ReadOnlyAccess) -> String {
    let unescaped = CharacterSet(charactersIn: "?#%").inverted
    let name = "file:" + (path.addingPercentEncoding(withAllowedCharacters: unescaped) ?? path)
    return switch access {
    case .shared: path
    case .immutable: name + "?immutable=1"
    case .leftLog: name + "?vfs=unix-none"
    }
  }

  /// Why the file cannot be opened or created, according to the file system. SQLite gives no reason.
  /// - Parameter detail: SQLite's message, returned if no better reason is found.
  func reason(_ detail: String) -> String {
    if FileManager.default.fileExists(atPath: path) {
      if let problem = unsupportedKind { return problem }
      if let why = refusal(path, R_OK) { return "it cannot be read: \(why)" }
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        if let why = refusal(path + companion, R_OK) { return "\(path + companion) cannot be read: \(why)" }
      }
    }
    if let why = refusal(directory, W_OK | X_OK) { return "its directory \(directory) cannot be written: \(why)" }
    return detail
  }

  /// The error of access(2). Nil if access is allowed.
  private func refusal(_ path: String, _ mode: Int32) -> String? {
    access(path, mode) == 0 ? nil : String(cString: strerror(errno))
  }

  var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Renames the file and its log; `earshot.db` becomes `earshot.db.damaged-20250131-235959`.
  /// - Returns: the new path.
  func setAside(now: Date) throws(StoreError) -> String {
    let target = StampedName.free(path + ".damaged", now: now)
    do {
      // The log first. If the process is killed in between, the next start renames the database without it.
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        try FileManager.default.moveItem(atPath: path + companion, toPath: target + companion)
      }
      try FileManager.default.moveItem(atPath: path, toPath: target)
    } catch {
      throw .cannotOpen(path: path, detail: "it is damaged and cannot be set aside: \(FileFailure.text(error))")
    }
    return target
  }

  /// Replaces the file with `other`; the old file is renamed to `earshot.db.replaced-20250131-235959`. Whenever the
  /// process is killed or the power fails, either the old or the new library is there, complete.
  /// - Returns: the new name of the old file. Nil if there was none.
  func replace(with other: String, now: Date) throws(StoreError) -> String? {
    guard Self.sync(other) else { throw failure("the copy cannot be written") }
    var target: String?
    if FileManager.default.fileExists(atPath: path) {
      let name = StampedName.free(path + ".replaced", now: now)
      // The log belongs to the old file and must not be used with the new one, so it is checkpointed first. If the
      // old file is too damaged for that, the log is renamed with it.
      checkpointLog()
      for companion in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + companion) {
        guard rename(path + companion, name + companion) == 0 else { throw failure("it cannot be set aside") }
      }
      // On a file system without hard links, there is no file at the path for a moment.
      guard link(path, name) == 0 || rename(path, name) == 0 else { throw failure("it cannot be set aside") }
      target = name
    }
    guard rename(other, path) == 0 else { throw failure("it cannot be replaced") }
    // Flushes the directory, which contains the names. Some file systems cannot, but keep the order themselves.
    _ = Self.sync(directory)
    return target
  }

  /// Checkpoints the write-ahead log into the file. SQLite deletes it when the last connection closes.
  private func checkpointLog() {
    let queue = try? DatabaseQueue(path: path, configuration: .hardened)
    _ = try? queue?.inDatabase { db in try db.checkpoint(.truncate) }
    try? queue?.close()
  }

  /// Flushes a file or directory to the disk. False if that failed.
  static func sync(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private func failure(_ what: String) -> StoreError { .system(errno, path: path, what) }

  private func size(of path: String) -> Int {
    var info = stat()
    // A missing file counts as empty.
    return stat(path, &info) == 0 ? Int(clamping: info.st_size) : 0
  }

  private func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
