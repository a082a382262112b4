import Foundation

/// Identifies a file, to notice when another one replaces it under the same name.
struct FileIdentity: Equatable, Sendable {
  private var device: UInt64
  private var inode: UInt64

  /// Nil if there is no file.
  init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    device = UInt64(bitPattern: Int64(info.st_dev))
    inode = UInt64(info.st_ino)
  }
}
