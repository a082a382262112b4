import Foundation

/// Files and directories that only their owner may read. The library, its backups, the log and the caches say what
/// somebody hears, and the library holds passwords.
public enum OwnerOnly {
  public static let fileMode: mode_t = 0o600
  public static let directoryMode: mode_t = 0o700

  /// Takes away what others may do with a file or directory that is ours. Links are not followed, and what is not there or
  /// belongs to somebody else stays as it is.
  /// - Returns: false when others can still read it.
  @discardableResult
  public static func tighten(_ path: String) -> Bool {
    guard let mode = exposedMode(of: path) else { return true }
    return chmod(path, mode & 0o700) == 0
  }

  /// Everything that lies directly in a directory, and the directory itself.
  public static func tightenContents(of directory: String) {
    tighten(directory)
    // A directory that cannot be read holds nothing that we could change.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      tighten(directory + "/" + name)
    }
  }

  /// The permissions of something that others can use; nil when they cannot, when it is not there, a link, or not ours.
  public static func exposedMode(of path: String) -> mode_t? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0,
      [S_IFREG, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return nil }
    return status.st_mode & 0o7777
  }
}
