import Foundation

/// Identifies a file under all its names, and notices when another one replaces it.
public struct FileNumber: Hashable, Sendable {
  private var device: UInt64
  private var inode: UInt64

  public init(_ status: stat) {
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Nil if there is no file.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension stat {
  /// When the contents were last changed.
  public var written: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}
