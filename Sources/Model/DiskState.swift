import Foundation

/// Whether a file system can be written.
public enum DiskState: Sendable, Equatable {
  case writable, readOnly, full

  /// Bytes. With less free space, SQLite's smallest write to a write-ahead log and its index fails.
  private static let minimumFree: Int64 = 65_536

  /// The state of the file system that holds `path`, or would hold it.
  public static func of(_ path: String) -> DiskState {
    guard let info = fileSystem(of: path) else { return .writable }
    if UInt64(info.f_flag) & UInt64(ST_RDONLY) != 0 { return .readOnly }
    // Some file systems do not count files.
    let hasNoNames = info.f_files > 0 && info.f_favail == 0
    let hasNoSpace = free(info).map { $0 < minimumFree } ?? false
    return hasNoSpace || hasNoNames ? .full : .writable
  }

  /// The free space of the file system that holds `path`, or would hold it, in bytes. Nil if it is unknown.
  public static func freeBytes(at path: String) -> Int64? { fileSystem(of: path).flatMap(free) }

  /// Some file systems do not know their size, and report zeros. `f_bavail` is what users other than root can use, in
  /// units of `f_frsize` (statvfs(3)).
  private static func free(_ info: statvfs) -> Int64? {
    guard info.f_blocks > 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: info.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: info.f_frsize))
    return overflow ? .max : bytes
  }

  private static func fileSystem(of path: String) -> statvfs? {
    var existing = path
    while existing.count > 1, access(existing, F_OK) != 0 {
      existing = URL(fileURLWithPath: existing).deletingLastPathComponent().path
    }
    var info = statvfs()
    return statvfs(existing, &info) == 0 ? info : nil
  }
}
