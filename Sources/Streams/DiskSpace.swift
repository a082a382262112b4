import Foundation

/// Space on the disk.
public enum DiskSpace {
  /// Of the file system that holds `path`, or the nearest directory above it that exists.
  public static func free(at path: String) -> Int64? {
    var path = path
    var status = statvfs()
    while statvfs(path, &status) != 0 {
      guard errno == ENOENT, path.count > 1 else { return nil }
      path = (path as NSString).deletingLastPathComponent
    }
    // f_bavail is what is left for users other than root; counted in units of f_frsize (statvfs(3)).
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
