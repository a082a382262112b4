import Foundation
import Model
import Store

/// The paths and names of downloaded files.
public struct DownloadFiles: Sendable {
  public let directory: String
  let library: Library
  var template = FileNameTemplate.standard

  public init(directory: String, library: Library) {
    self.directory = directory
    self.library = library
  }

  /// The path of a file name from the library. Nil if the name leads outside of the directory, which only a
  /// manipulated library could contain.
  public func path(_ fileName: String) -> String? {
    let parts = fileName.split(separator: "/", omittingEmptySubsequences: false)
    guard !fileName.isEmpty, !fileName.utf8.contains(0),
      !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
    else { return nil }
    return directory + "/" + fileName
  }

  /// What is at the path of a complete download. Other programs may have deleted, cut or replaced the file.
  public enum FileState: Equatable, Sendable {
    case complete(path: String, bytes: Int64)
    case missing
    /// An empty file, or one that is shorter than recorded. A longer one is complete: the listener may have added tags.
    case changed(bytes: Int64, recorded: Int64?)
    /// A directory, for example.
    case notAFile

    public var path: String? { if case .complete(let path, _) = self { path } else { nil } }
    public var bytes: Int64? { if case .complete(_, let bytes) = self { bytes } else { nil } }

    /// What is wrong with it, after the words “the file”. Nil if it is complete.
    public var problem: String? {
      switch self {
      case .complete: nil
      case .missing: "is gone"
      case .changed(let bytes, nil): "has \(SizeText.exact(bytes))"
      case .changed(let bytes, let recorded?) where SizeText.exact(bytes) == SizeText.exact(recorded):
        "has \(bytes) B instead of \(recorded) B"
      case .changed(let bytes, let recorded?):
        "has \(SizeText.exact(bytes)) instead of \(SizeText.exact(recorded))"
      case .notAFile: "is not a file"
      }
    }
  }

  /// - Parameters:
  ///   - fileName: of a download that the library calls complete.
  ///   - bytes: the recorded size; nil or 0 if it is unknown.
  public func state(of fileName: String, bytes: Int64?) -> FileState {
    var status = stat()
    guard let path = path(fileName), stat(path, &status) == 0 else { return .missing }
    guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
    let (size, recorded) = (Int64(status.st_size), bytes.flatMap { $0 > 0 ? $0 : nil })
    return size > 0 && size >= recorded ?? size
      ? .complete(path: path, bytes: size) : .changed(bytes: size, recorded: recorded)
  }

  /// Nil if the episode has no complete download.
  public func state(of detail: EpisodeDetail) -> FileState? {
    detail.fileName.map { state(of: $0, bytes: detail.row.fileBytes) }
  }

  /// Nil if the download is not complete.
  public func state(of download: Download) -> FileState? {
    download.downloadComplete ? state(of: download.fileName, bytes: download.bytes) : nil
  }

  /// The path of the episode's complete file, if it exists.
  public func file(of detail: EpisodeDetail) -> String? { state(of: detail)?.path }

  /// False if the directory is empty, missing, or on a disk that is not mounted.
  public var hasFiles: Bool {
    contents?.nextObject() != nil
  }

  /// False if the podcast's directory is missing: its disk is not mounted, and other files are at the mount point.
  func hasDirectory(of fileName: String) -> Bool {
    path(fileName).map { access(($0 as NSString).deletingLastPathComponent, F_OK) == 0 } ?? true
  }

  /// The names in the directory, also if it is a symbolic link.
  private var contents: FileManager.DirectoryEnumerator? {
    guard let real = realpath(directory, nil) else { return nil }
    defer { free(real) }
    return FileManager.default.enumerator(atPath: String(cString: real))
  }

  /// Files in the directory that belong to no download of the library, sorted: left behind, or put there by the
  /// listener. Hidden files are left out.
  public func strays() throws(StoreError) -> [String] {
    let known = try library.downloadNames()
    guard let files = contents else { return [] }
    var strays: [String] = []
    for case let name as String in files where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      var status = stat()
      guard lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let whole = name.hasSuffix(".part") ? String(name.dropLast(5)) : name
      if !known.contains(name), !known.contains(whole) { strays.append(name) }
    }
    return strays.sorted()
  }

  func part(_ fileName: String) -> String? { path(fileName).map { $0 + ".part" } }

  /// A name that no other episode and no existing file uses.
  func freeName(for detail: EpisodeDetail) throws(DownloadError) -> String {
    let stem = template.path(of: detail)
    let suffix = "." + MediaType.fileExtension(address: detail.feed.mediaURL ?? "", type: detail.feed.mediaType)
    for number in 1...999 {
      let name = stem + (number > 1 ? " (\(number))" : "") + suffix
      if try isFree(name, for: detail.id) { return name }
    }
    let name = "\(stem) \(detail.id)\(suffix)"
    guard try isFree(name, for: detail.id) else {
      throw .cannotWrite(directory + "/" + name, reason: String(cString: strerror(EEXIST)))
    }
    return name
  }

  private func isFree(_ name: String, for episode: EpisodeID) throws(DownloadError) -> Bool {
    guard let path = path(name) else { return false }
    let files = FileManager.default
    if files.fileExists(atPath: path) || files.fileExists(atPath: path + ".part") { return false }
    do {
      return try !library.isDownloadName(name, takenByOtherThan: episode)
    } catch { throw .library(error.description) }
  }

  /// Deletes the partial file if nothing was written to it, and nothing is writing it.
  func deleteEmptyPart(_ fileName: String) {
    guard let part = part(fileName) else { return }
    try? PartFile.delete(part, onlyEmpty: true)
    deleteEmptyDirectories(above: part)
  }

  /// Deletes the file and its partial file, then calls `forget`, which deletes the row, because a file without a row
  /// would never be deleted. Meanwhile the partial file is locked, so that no other process begins the download.
  /// Deletes the podcast's directory if it is empty then. Deletes nothing while another process writes the file.
  /// - Returns: what `forget` returns.
  func delete(_ fileName: String, forget: () throws(DownloadError) -> Bool) throws(DownloadError) -> Bool {
    guard let path = path(fileName) else { return try forget() }
    defer { deleteEmptyDirectories(above: path) }
    let lock = try lockForDeleting(path + ".part")
    defer { lock?.remove() }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .cannotDelete(path, reason: String(cString: strerror(errno)))
    }
    return try forget()
  }

  /// Nil if no file can be created there, as on a full disk. Then an existing partial file is deleted without a lock.
  private func lockForDeleting(_ part: String) throws(DownloadError) -> PartFile? {
    // The directory is missing, too, if its disk is not mounted. It is not created there.
    guard access((part as NSString).deletingLastPathComponent, F_OK) == 0 else { return nil }
    do { return try PartFile(path: part) } catch {
      if error == .busy { throw error }
      try PartFile.delete(part)
      return nil
    }
  }

  private func deleteEmptyDirectories(above path: String) {
    var above = (path as NSString).deletingLastPathComponent
    // `rmdir` fails if the directory is not empty.
    while above.count > directory.count, rmdir(above) == 0 { above = (above as NSString).deletingLastPathComponent }
  }
}
