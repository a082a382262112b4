import Foundation

/// The size and time of a file, to detect changes.
struct FileStamp: Equatable {
  private var size: Int64
  private var inode: UInt64
  private var seconds: Int
  private var nanoseconds: Int

  /// The stamps of a database and its journal files; nil for missing ones.
  static func all(of path: String) -> [FileStamp?] { ForeignDatabase.suffixes.map { FileStamp(path + $0) } }

  private init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (size, inode) = (Int64(info.st_size), UInt64(info.st_ino))
    #if os(macOS)
      let written = info.st_mtimespec
    #else
      let written = info.st_mtim
    #endif
    (seconds, nanoseconds) = (written.tv_sec, written.tv_nsec)
  }
}
