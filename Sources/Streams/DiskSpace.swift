import Foundation

/// Free space on a disk.
public enum DiskSpace {
  /// Free bytes of the file system that holds `path`, or its nearest existing parent directory.
  public static func free(at path: String) -> Int64? {
    var path = path
    var status = statvfs()
    while statvfs(path, &status) != 0 {
      guard errno == ENOENT, path.count > 1 else { return nil }
      path = (path as NSString).deletingLastPathComponent
    }
    // f_bavail is what users other than root can use, in units of f_frsize (statvfs(3)).
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
