import Foundation
import Model
import Sync

/// The files of a folder: `earshot-sync/DEVICE/CATEGORY.NNNNNN.jsonl`.
struct FolderFiles: Sendable {
  private let base: String
  private let path: String
  private let device: String
  private let name: String

  /// The version of the format.
  static let format = 1
  /// When a file has this size in bytes, a new one begins, because the program that syncs the folder copies whole
  /// files.
  private static let segmentSize = 256_000
  /// When a category has this many files, they are packed into one file, which contains the newest entry for each key.
  private static let segmentLimit = 8
  /// The maximum size of a file in bytes. Larger files are ignored.
  private static let maxBytes = 256_000_000

  init(path: String, device: String, name: String) {
    self.path = path
    base = path + "/earshot-sync"
    self.device = device
    self.name = name
  }

  struct File {
    /// The path below the folder, such as "DEVICE/episodes.000001.jsonl".
    var name: String
    var isOwn: Bool
    var size: Int
    var signature: String
  }

  private var own: String { base + "/" + device }

  /// Creates the folder if its parent exists. A missing parent is probably a disk that is not mounted.
  func create() throws(SyncError) {
    let parent = (path as NSString).deletingLastPathComponent
    guard FileManager.default.fileExists(atPath: parent) else {
      throw .cannotCreate(path: parent, cause: "the folder is not there; is its disk mounted?")
    }
    guard Self.isFolder(parent) else { throw .cannotCreate(path: parent, cause: "it is not a folder") }
    for folder in [path, base, own] where mkdir(folder, 0o777) != 0 {
      let failure = errno
      if Self.isFolder(folder) { continue }
      throw .cannotCreate(
        path: folder, cause: failure == EEXIST ? "it is not a folder" : String(cString: strerror(failure)))
    }
    let about = JSONValue.object([
      "earshot": .string("device"), "format": .number(Double(Self.format)), "name": .string(name),
    ])
    let file = own + "/device.json"
    let temporary = file + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    do throws(SyncError) { try write(about.text + "\n", to: temporary, isNew: true) } catch {
      guard case .file(let path, let cause) = error else { throw error }
      throw .cannotCreate(path: path, cause: cause)
    }
    guard rename(temporary, file) == 0 else {
      throw .cannotCreate(path: file, cause: String(cString: strerror(errno)))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// Throws if the folder does not exist. Otherwise a disk that is not mounted would look like an empty folder.
  func list(_ category: SyncCategory) throws(SyncError) -> [File] {
    var files: [File] = []
    for device in try devices() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: base + "/" + device) else { continue }
      // Conflict copies, such as "episodes.000001 (conflicted copy).jsonl" and "episodes.000001.sync-conflict-….jsonl",
      // are read like other files.
      for name in names.sorted() where name.hasPrefix(category.rawValue + ".") && name.hasSuffix(".jsonl") {
        var info = stat()
        let file = device + "/" + name
        guard stat(base + "/" + file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
        let size = Int(clamping: info.st_size)
        files.append(File(name: file, isOwn: device == self.device, size: size, signature: "\(size)-\(info.changed)"))
      }
    }
    return files
  }

  func deviceNames() throws(SyncError) -> [String: String] {
    var names: [String: String] = [:]
    for device in try devices() where device != self.device {
      guard let data = FileManager.default.contents(atPath: base + "/\(device)/device.json"),
        let name = JSONValue(data)?["name"]?.string
      else { continue }
      names[device] = name
    }
    return names
  }

  private func devices() throws(SyncError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: base).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw .file(path: base, cause: "the folder is not there; is its disk mounted?")
    }
  }

  /// The valid lines of a file. A line that is incomplete or still being copied is left for the next sync.
  func read(_ file: File) throws(SyncError) -> [FolderLine] {
    let path = base + "/" + file.name
    guard file.size <= Self.maxBytes, let data = FileManager.default.contents(atPath: path) else {
      throw .file(path: path, cause: "it cannot be read")
    }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    // Without its first line, a file is still being copied.
    guard let first = lines.first.flatMap({ JSONValue($0) }), first["earshot"]?.string == "sync" else { return [] }
    guard let format = first["format"]?.int, format <= Self.format else {
      throw .file(path: path, cause: "a newer Earshot wrote it, and this one cannot read it")
    }
    let device = String(file.name.prefix { $0 != "/" })
    return lines.dropFirst().compactMap { JSONValue($0).map { FolderLine(json: $0, device: device) } }
  }

  // MARK: Writing

  func append(_ lines: [JSONValue], to category: SyncCategory) throws(SyncError) {
    guard FileManager.default.fileExists(atPath: base) else {
      throw .file(path: base, cause: "the folder is not there; is its disk mounted?")
    }
    if !FileManager.default.fileExists(atPath: own + "/device.json") { try create() }
    try pack(category)
    let segments = try segments(category)
    let text = lines.map { $0.text + "\n" }.joined()
    if let last = segments.last, last.size < Self.segmentSize, try isWhole(last) {
      try write(text, to: base + "/" + last.name, isNew: false)
    } else {
      let number = (segments.last.flatMap(Self.number) ?? 0) + 1
      try write(header + text, to: path(category, number), isNew: true)
    }
  }

  private var header: String {
    JSONValue.object(["earshot": .string("sync"), "format": .number(Double(Self.format)), "device": .string(device)])
      .text + "\n"
  }

  /// This device's own files, in order.
  private func segments(_ category: SyncCategory) throws(SyncError) -> [File] {
    try list(category).filter { $0.isOwn && Self.number($0) != nil }.sorted { Self.number($0)! < Self.number($1)! }
  }

  private static func number(_ file: File) -> Int? {
    file.name.wholeMatch(of: /[^\/]+\/[a-z]+\.(\d{6})\.jsonl/).flatMap { Int($0.1) }
  }

  private func path(_ category: SyncCategory, _ number: Int) -> String {
    "\(own)/\(category.rawValue).\(Gregorian.padded(number, 6)).jsonl"
  }

  /// Whether the file begins with Earshot's header and this format. Nothing is appended to a file with a damaged
  /// header.
  private func isWhole(_ file: File) throws(SyncError) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: base + "/" + file.name) else { return false }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: header.utf8.count) else { return false }
    return head == Data(header.utf8)
  }

  /// Writes whole lines and flushes them to the disk. An incomplete line before them is ended first.
  private func write(_ text: String, to path: String, isNew: Bool) throws(SyncError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | (isNew ? O_EXCL : 0) | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, cause: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    // The bytes begin with a line end, because the last line in the file may be incomplete. Empty lines are ignored.
    var bytes = Array((isNew ? text : "\n" + text).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(path: path, cause: String(cString: strerror(errno))) }
      bytes = bytes.dropFirst(count)
    }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw .file(path: path, cause: String(cString: strerror(errno)))
    }
  }

  /// Packs all files into one file, which contains the newest entry for each key. Then the old files are deleted.
  private func pack(_ category: SyncCategory) throws(SyncError) {
    let segments = try segments(category)
    guard segments.count >= Self.segmentLimit, let last = segments.last.flatMap(Self.number) else { return }
    var newest: [String: FolderLine] = [:]
    for segment in segments {
      for line in try read(segment) {
        guard let identity = line.identity else { continue }
        if let old = newest[identity], old.order > line.order { continue }
        newest[identity] = line
      }
    }
    let lines = newest.values.sorted { ($0.order, $0.identity ?? "") < ($1.order, $1.identity ?? "") }
    let target = path(category, last + 1)
    let temporary = target + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    try write(header + lines.map { $0.json.text + "\n" }.joined(), to: temporary, isNew: true)
    guard rename(temporary, target) == 0 else {
      throw .file(path: target, cause: String(cString: strerror(errno)))
    }
    for segment in segments { unlink(base + "/" + segment.name) }
  }
}

extension stat {
  /// The time of the last change, in nanoseconds.
  fileprivate var changed: Int64 {
    #if canImport(Darwin)
      Int64(st_mtimespec.tv_sec) * 1_000_000_000 + Int64(st_mtimespec.tv_nsec)
    #else
      Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec)
    #endif
  }
}
