import Foundation
import Model
import Sync

/// The files of a folder (`FolderFormat`).
struct SyncFolderFiles: Sendable {
  private let base: String
  private let path: String
  private let device: String
  private let name: String
  /// The id of this library, by which a device recognizes its own directory.
  private let library: String

  /// The version of the format.
  static let format = 1
  /// When a file has this size in bytes, a new one begins, because the program that syncs the folder copies whole
  /// files.
  private static let segmentSize = 256_000
  /// When a category has this many files that are not full, they are packed.
  private static let segmentLimit = 8
  /// Bytes that are written to one file at most, far below `FolderFormat.maxBytes`.
  private static let fileSize = 8_000_000
  /// The maximum size of `device.json` in bytes.
  private static let maxAbout = 16_384

  init(path: String, device: String, name: String, library: String) {
    self.library = library
    self.path = path
    base = path + "/" + FolderFormat.root
    self.device = device
    self.name = name
  }

  struct File {
    /// The path below the folder, such as "DEVICE/episodes.000001.jsonl".
    var name: String
    var isOwn: Bool
    var size: Int
    var signature: String

    /// Whether the next line may need another file.
    var isFull: Bool { size >= SyncFolderFiles.fileSize - FolderReader.maxLine }
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
    try refuseLink()
    try writeAbout()
  }

  /// The own directory must not be a link: who else writes to the folder would choose where our files are written.
  private func refuseLink() throws(SyncError) {
    if Self.isLink(own) { throw .cannotCreate(path: own, cause: "it is a link") }
  }

  private func writeAbout() throws(SyncError) {
    let about = JSONValue.object([
      "earshot": .string("device"), "format": .number(Double(Self.format)), "name": .string(name),
      "library": .string(library),
    ])
    let file = own + "/" + FolderFormat.about
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
  /// - Parameter problems: gets messages for the user about what is not read.
  func list(_ category: SyncCategory, _ problems: inout [String]) throws(SyncError) -> [File] {
    var files: [File] = []
    for device in try devices(&problems) {
      // Conflict copies, such as "episodes.000001 (conflicted copy).jsonl" and "episodes.000001.sync-conflict-….jsonl",
      // are read like other files.
      files += self.files(of: device, category, &problems).filter { file in
        // A link, a directory or a pipe is no file of ours, whatever its name.
        !file.isOwn || !Self.isLink(base + "/" + file.name)
      }
    }
    return files
  }

  private func files(of device: String, _ category: SyncCategory, _ problems: inout [String]) -> [File] {
    let directory = base + "/" + device
    let (names, isCut) = Self.names(in: directory, limit: FolderFormat.maxFiles) {
      FolderFormat.category(of: $0) == category
    }
    if isCut { problems.append("\(directory): only \(FolderFormat.maxFiles) files of \(category.rawValue) are read") }
    return names.compactMap { name in
      var info = stat()
      let file = device + "/" + name
      guard stat(base + "/" + file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
      let size = Int(clamping: info.st_size)
      let changed = Int64(info.written.tv_sec) * 1_000_000_000 + Int64(info.written.tv_nsec)
      return File(name: file, isOwn: device == self.device, size: size, signature: "\(size)-\(changed)")
    }
  }

  /// Makes sure that the device's directory belongs to this library. Earlier versions did not write whose it is.
  /// - Returns: false if it belongs to another library.
  func claim() throws(SyncError) -> Bool {
    try refuseLink()
    guard let about = about(device) else { return true }
    guard let owner = about["library"]?.string else {
      try writeAbout()
      return true
    }
    return owner == library
  }

  /// The directory that belongs to this library. Nil: there is none.
  func ownDevice() throws(SyncError) -> String? {
    guard FileManager.default.fileExists(atPath: base) else { return nil }
    var problems: [String] = []
    return try devices(&problems).first { about($0)?["library"]?.string == library }
  }

  /// A device's `device.json`. Nil if it cannot be read.
  private func about(_ device: String) -> JSONValue? {
    guard let reader = try? FolderReader("\(base)/\(device)/\(FolderFormat.about)"), reader.size <= Self.maxAbout else {
      return nil
    }
    var bytes: [UInt8] = []
    while bytes.count <= Self.maxAbout, let line = try? reader.line() { bytes += line + [0x0A] }
    return JSONValue(bytes)
  }

  func deviceNames(_ problems: inout [String]) throws(SyncError) -> [String: String] {
    var names: [String: String] = [:]
    for device in try devices(&problems) where device != self.device {
      // Without a readable name, a device is called by its id.
      guard let name = about(device)?["name"]?.string else { continue }
      names[device] = String(name.prefix(100))
    }
    return names
  }

  private func devices(_ problems: inout [String]) throws(SyncError) -> [String] {
    guard Self.isFolder(base) else {
      throw .file(path: base, cause: "the folder is not there; is its disk mounted?")
    }
    var (names, isCut) = Self.names(in: base, limit: FolderFormat.maxDevices) {
      !$0.hasPrefix(".") && !Self.isLink(base + "/" + $0)
    }
    if isCut { problems.append("\(base): only \(FolderFormat.maxDevices) devices are read") }
    // The own directory may be among those that are left out.
    if isCut, !names.contains(device) { names.append(device) }
    return names
  }

  /// The names in a directory, sorted: at most `limit` of those that `isWanted` accepts.
  /// - Returns: `isCut`: there are more. A directory that cannot be read has no names.
  private static func names(
    in directory: String, limit: Int, _ isWanted: (String) -> Bool
  ) -> (names: [String], isCut: Bool) {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter(isWanted).sorted()
    return (Array(names.prefix(limit)), names.count > limit)
  }

  private static func isLink(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
  }

  /// Reads the valid lines of a file. A line that is incomplete or still being copied is left for the next sync.
  /// - Parameters:
  ///   - offset: where to begin, in bytes: the result of an earlier call for the same content.
  ///   - problems: gets a message for the user about lines that are not read.
  ///   - take: returns false to stop after this line.
  /// - Returns: where the next line begins, in bytes. Nil: everything was read.
  func read(
    _ file: File, from offset: Int = 0, _ problems: inout [String], _ take: (FolderLine) -> Bool
  ) throws(SyncError) -> Int? {
    let path = base + "/" + file.name
    let reader = try FolderReader(path, from: offset)
    guard reader.size <= FolderFormat.maxBytes else { throw .file(path: path, cause: FolderFormat.tooLarge) }
    defer {
      if reader.skipped > 0 { problems.append("\(path): lines longer than \(FolderReader.maxLine) bytes are not read") }
    }
    if offset == 0 {
      // Without its first line, a file is still being copied.
      var first = try reader.line()
      while first?.isEmpty == true { first = try reader.line() }
      guard let header = first.flatMap({ JSONValue($0) }), header["earshot"]?.string == "sync" else { return nil }
      guard let format = header["format"]?.int, format <= Self.format else {
        throw .file(path: path, cause: "a newer Earshot wrote it, and this one cannot read it")
      }
    }
    let device = String(file.name.prefix { $0 != "/" })
    // A program may append to the file while it is read.
    while reader.offset < reader.size, let line = try reader.line() {
      // No change is that short. A file of "{}" has millions of lines.
      guard line.count >= 16, let json = JSONValue(line) else { continue }
      if !take(FolderLine(json: json, device: device)) { return reader.offset < reader.size ? reader.offset : nil }
    }
    return nil
  }

  // MARK: Writing

  func append(_ lines: [JSONValue], to category: SyncCategory) throws(SyncError) {
    guard FileManager.default.fileExists(atPath: base) else {
      throw .file(path: base, cause: "the folder is not there; is its disk mounted?")
    }
    try refuseLink()
    if !FileManager.default.fileExists(atPath: own + "/" + FolderFormat.about) { try create() }
    // Packing only saves space. Whatever is wrong with the files that are there, new lines are written.
    try? pack(category)
    for text in Self.texts(lines) {
      let last = segments(category).last
      if let last, last.size < Self.segmentSize {
        try write(text, to: base + "/" + last.name, isNew: false)
      } else {
        try write(header + text, to: base + "/" + free(category, after: last?.name), isNew: true)
      }
    }
  }

  /// The lines as texts of at most `fileSize` bytes.
  private static func texts(_ lines: [JSONValue]) -> [String] {
    lines.reduce(into: [""]) { texts, line in
      let text = line.text + "\n"
      let last = texts.count - 1
      if texts[last].utf8.count + text.utf8.count > fileSize { texts.append(text) } else { texts[last] += text }
    }
  }

  private var header: String {
    JSONValue.object(["earshot": .string("sync"), "format": .number(Double(Self.format)), "device": .string(device)])
      .text + "\n"
  }

  /// This device's own files, in order. Another program may have put a file with such a name there: without this
  /// format's header it is not ours.
  private func segments(_ category: SyncCategory) -> [File] {
    var problems: [String] = []
    return files(of: device, category, &problems).filter {
      Self.number($0.name) != nil && !Self.isLink(base + "/" + $0.name) && isWhole($0)
    }.sorted { Self.number($0.name)! < Self.number($1.name)! }
  }

  private static func number(_ name: String) -> Int? {
    name.wholeMatch(of: /[^\/]+\/[a-z]+\.(\d{6})\.jsonl/).flatMap { Int($0.1) }
  }

  /// The name of the next file. Whatever has that name already is not ours, and its number is skipped.
  private func free(_ category: SyncCategory, after last: String?) throws(SyncError) -> String {
    for number in [((last.flatMap(Self.number) ?? 0) + 1)..<1_000_000, 1..<1_000_000].joined() {
      let name = "\(device)/\(category.rawValue).\(Gregorian.padded(number, 6)).jsonl"
      var info = stat()
      if lstat(base + "/" + name, &info) != 0, errno == ENOENT { return name }
    }
    throw .file(path: own, cause: "there is no free name for a file")
  }

  /// Whether the file begins with Earshot's header and this format. Nothing is appended to a file with a damaged
  /// header.
  private func isWhole(_ file: File) -> Bool {
    guard let reader = try? FolderReader(base + "/" + file.name), let line = try? reader.line() else { return false }
    return Array(line) + [0x0A] == Array(header.utf8)
  }

  /// Writes whole lines and flushes them to the disk. An incomplete line before them is ended first.
  private func write(_ text: String, to path: String, isNew: Bool) throws(SyncError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | (isNew ? O_EXCL : 0) | O_NOFOLLOW | O_CLOEXEC, 0o600)
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

  /// Packs the files that are not full, and the full ones most of whose lines are outdated: their newest entry for each
  /// key goes to new files. Then the old files are deleted. A file that is too large to be read stays as it is.
  ///
  /// The files are read twice, so that only the keys are in memory.
  private func pack(_ category: SyncCategory) throws(SyncError) {
    let segments = segments(category).filter { $0.size <= FolderFormat.maxBytes }
    guard let last = segments.last, segments.count(where: { !$0.isFull }) >= Self.segmentLimit else { return }
    var newest: [String: (order: Double, file: Int, line: Int)] = [:]
    var lines = segments.map { _ in 0 }
    for (file, segment) in segments.enumerated() {
      try readAll(segment) { line in
        lines[file] += 1
        guard let identity = line.identity else { return }
        if let old = newest[identity], old.order > line.order { return }
        newest[identity] = (line.order, file, lines[file])
      }
    }
    var kept = segments.map { _ in 0 }
    for entry in newest.values { kept[entry.file] += 1 }
    let packed = segments.indices.filter { !segments[$0].isFull || 2 * kept[$0] < lines[$0] }

    var names: [String] = []
    var text = header
    // Whatever fails, no file with a temporary name stays.
    defer { for name in names { unlink(base + "/" + name + ".part") } }
    func writeFile() throws(SyncError) {
      let name = try free(category, after: names.last ?? last.name)
      names.append(name)
      unlink(base + "/" + name + ".part")
      try write(text, to: base + "/" + name + ".part", isNew: true)
      text = header
    }
    var written = 0
    for file in packed {
      var count = 0
      var failure: SyncError?
      try readAll(segments[file]) { line in
        count += 1
        guard failure == nil, let identity = line.identity, let entry = newest[identity],
          (entry.file, entry.line) == (file, count)
        else { return }
        let entryText = line.json.text + "\n"
        do throws(SyncError) {
          if text.utf8.count + entryText.utf8.count > Self.fileSize { try writeFile() }
        } catch { failure = error }
        text += entryText
        written += 1
      }
      if let failure { throw failure }
    }
    // Otherwise another program changed the files meanwhile. They are packed the next time.
    guard written == packed.reduce(0, { $0 + kept[$1] }) else { return }
    // Even without lines: a newer file shows that the old ones are not lost (`FolderCursor.hasLost`).
    try writeFile()
    for name in names {
      let path = base + "/" + name
      guard rename(path + ".part", path) == 0 else {
        throw .file(path: path, cause: String(cString: strerror(errno)))
      }
    }
    for file in packed { unlink(base + "/" + segments[file].name) }
  }

  private func readAll(_ file: File, _ take: (FolderLine) -> Void) throws(SyncError) {
    var problems: [String] = []
    _ = try read(file, &problems) { line in
      take(line)
      return true
    }
  }
}
