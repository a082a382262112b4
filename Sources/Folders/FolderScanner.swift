import Foundation
import Model

/// A file below a folder.
public struct FolderFile: Sendable, Equatable {
  /// Relative to the folder. It need not be UTF-8.
  public var path: [UInt8]
  public var bytes: Int64
  /// When its contents were last changed, in whole seconds since 1970.
  public var modified: Int64

  public init(path: [UInt8], bytes: Int64, modified: Int64) {
    (self.path, self.bytes, self.modified) = (path, bytes, modified)
  }
}

/// The files of a folder and of the folders in it, each kind in natural order.
public struct FolderContents: Sendable, Equatable {
  /// What can be played.
  public var sounds: [FolderFile] = []
  public var pictures: [FolderFile] = []
  public var cueSheets: [FolderFile] = []
  /// Folders in it that cannot be read: `FolderError.unreadable`. Nothing of them may be taken for gone.
  public var unreadable: [FolderError] = []
}

/// Why a folder cannot be read. Nothing of it may be taken for gone then.
public enum FolderError: Error, Sendable, Equatable {
  case missing
  case notAFolder
  /// It cannot be read, with the system's reason.
  case unreadable(path: [UInt8], reason: String)
  /// It has nothing that can be played. Its disk may not be mounted.
  case empty
  /// It has more files than this.
  case tooMany(limit: Int)
}

/// Lists the files of a folder. It opens none of them and changes nothing.
///
/// Hidden files are left out, and so is what is no regular file: pipes, devices, sockets. A symbolic link counts if it
/// leads to a file within the folder that has no other name there.
public struct FolderScanner: Sendable {
  private let limit: Int
  /// Folders in folders.
  private static let depthLimit = 32
  /// How many names are looked at for each file that may be found.
  private static let namesPerFile = 20

  /// - Parameter limit: the maximum number of files that can be played.
  public init(limit: Int = 10_000) { self.limit = limit }

  /// Folders in the folder that cannot be read are left out, and the others are read.
  /// - Parameters:
  ///   - folder: an absolute path.
  ///   - known: files that it had before. Those in folders that cannot be read now are taken to be there.
  public func scan(_ folder: [UInt8], known knownFiles: [FolderFile] = []) throws(FolderError) -> FolderContents {
    let root = try Self.realPath(folder)
    var files: [FolderFile] = []
    var (unreadable, unknown) = ([FolderError](), [[UInt8]]())
    var links: [[UInt8]] = []
    var known: Set<FileNumber> = []
    var waiting: [(path: [UInt8], depth: Int)] = [([], 0)]
    var (names, sounds) = (0, 0)
    while let directory = waiting.popLast() {
      let found: [[UInt8]]
      do throws(FolderError) { found = try Self.names(in: root + directory.path) } catch {
        if directory.path.isEmpty { throw error }
        // A folder that has gone since is no error.
        if case .unreadable = error {
          unreadable.append(error)
          unknown.append(directory.path)
        }
        continue
      }
      for name in found where !Self.isHidden(name) {
        names += 1
        guard names <= limit * Self.namesPerFile else { throw .tooMany(limit: limit) }
        let path = directory.path + [Self.slash] + name
        var status = stat()
        guard Self.withPath(root + path, { lstat($0, &status) }) == 0 else {
          // The names in a folder can be readable, and nothing else of it.
          if !Self.isGone(errno), unknown.last != directory.path {
            unreadable.append(.unreadable(path: root + directory.path, reason: String(cString: strerror(errno))))
            unknown.append(directory.path)
          }
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR where directory.depth < Self.depthLimit: waiting.append((path, directory.depth + 1))
        case S_IFLNK: links.append(path)
        case S_IFREG:
          guard let form = FileForm(path) else { continue }
          known.insert(FileNumber(status))
          files.append(Self.file(path, status))
          sounds += form == .sound ? 1 : 0
        default: break
        }
      }
      guard sounds <= limit else { throw .tooMany(limit: limit) }
    }
    for path in links.sorted(by: Self.isBefore) {
      var status = stat()
      guard Self.withPath(root + path, { stat($0, &status) }) == 0 else {
        if !Self.isGone(errno) { unknown.append(path) }
        continue
      }
      guard status.st_mode & S_IFMT == S_IFREG, let target = try? Self.realPath(root + path),
        target.starts(with: root + [Self.slash]), known.insert(FileNumber(status)).inserted
      else { continue }
      files.append(Self.file(path, status))
    }
    let paths = Set(files.map(\.path))
    files += knownFiles.filter { file in
      let path = [Self.slash] + file.path
      return unknown.contains { path == $0 || path.starts(with: $0 + [Self.slash]) } && !paths.contains(file.path)
    }
    return try contents(files, unreadable)
  }

  /// The names of the folders directly in a folder, in natural order.
  public func folders(in folder: [UInt8]) throws(FolderError) -> [[UInt8]] {
    let root = try Self.realPath(folder)
    return try Self.names(in: root).filter { name in
      var status = stat()
      return !Self.isHidden(name) && Self.withPath(root + [Self.slash] + name, { lstat($0, &status) }) == 0
        && status.st_mode & S_IFMT == S_IFDIR
    }
    .sorted(by: Self.isBefore)
  }

  private func contents(_ files: [FolderFile], _ unreadable: [FolderError]) throws(FolderError) -> FolderContents {
    var contents = FolderContents()
    contents.unreadable = unreadable
    let keyed = files.map { (file: $0, key: Self.key($0.path)) }.sorted { Self.isBefore($0.key, $1.key) }
    for (file, _) in keyed {
      switch FileForm(file.path) {
      case .sound: contents.sounds.append(file)
      case .picture: contents.pictures.append(file)
      case .cueSheet: contents.cueSheets.append(file)
      case nil: break
      }
    }
    guard !contents.sounds.isEmpty else { throw unreadable.first ?? .empty }
    guard contents.sounds.count <= limit else { throw .tooMany(limit: limit) }
    return contents
  }

  /// - Parameter path: with a slash at its beginning.
  private static func file(_ path: [UInt8], _ status: stat) -> FolderFile {
    FolderFile(
      path: Array(path.dropFirst()), bytes: Int64(status.st_size), modified: Int64(status.written.tv_sec))
  }

  // MARK: Names

  private static let slash = UInt8(ascii: "/")

  /// Also leaves out directories that systems make, some of which nobody may read.
  private static func isHidden(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") || systemNames.contains(name)
  }

  private static let systemNames = Set(
    ["@eaDir", "#recycle", "lost+found", "$RECYCLE.BIN", "System Volume Information"].map { Array($0.utf8) })

  /// Sorts as people do: case and accents do not matter, and "Part 9" comes before "Part 10". A folder is sorted by its
  /// name among the files beside it.
  private static func key(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: slash).map { component in
      let name = String(validating: component, as: UTF8.self).map { Array(TextFolding.fold($0).utf8) }
      return NaturalKey.key(name ?? Array(component))
    } + [path]
  }

  private static func isBefore(_ one: [[UInt8]], _ other: [[UInt8]]) -> Bool {
    for (left, right) in zip(one, other) where left != right { return left.lexicographicallyPrecedes(right) }
    return one.count < other.count
  }

  private static func isBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool { isBefore(key(one), key(other)) }

  // MARK: The system

  private static func realPath(_ path: [UInt8]) throws(FolderError) -> [UInt8] {
    guard let real = withPath(path, { realpath($0, nil) }) else {
      let code = errno
      if code == ENOENT { throw .missing }
      if code == ENOTDIR { throw .notAFolder }
      throw .unreadable(path: path, reason: String(cString: strerror(code)))
    }
    defer { free(real) }
    return bytes(real)
  }

  /// Whether the error says that there is nothing at a path.
  private static func isGone(_ code: Int32) -> Bool { [ENOENT, ENOTDIR, ELOOP].contains(code) }

  /// Where Linux has mounted file systems of the kernel. They have many files, and none of them is the listener's.
  private static let kernelMounts: Set<[UInt8]> = {
    let mounts = FileManager.default.contents(atPath: "/proc/self/mounts") ?? Data()
    return Set(
      mounts.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let words = line.split(separator: UInt8(ascii: " "))
        return words.count > 2 && ["proc", "sysfs"].contains(String(decoding: words[2], as: UTF8.self))
          ? Array(words[1]) : nil
      })
  }()

  /// The names in a directory.
  private static func names(in directory: [UInt8]) throws(FolderError) -> [[UInt8]] {
    func failure(_ code: Int32) -> FolderError {
      if code == ENOTDIR { return .notAFolder }
      if code == ENOENT { return .missing }
      return .unreadable(path: directory, reason: String(cString: strerror(code)))
    }
    if kernelMounts.contains(directory) { return [] }
    guard let stream = withPath(directory, { opendir($0) }) else { throw failure(errno) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw failure(errno) }
        return names
      }
      // The name is longer than what Swift would copy with the struct on some systems.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      names.append(bytes(UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)))
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
  }

  static func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
