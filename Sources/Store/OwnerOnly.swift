import Foundation

/// Restricts files and directories to their owner. The library, its backups, the log and the caches show what someone
/// listens to, and the library contains passwords.
public enum OwnerOnly {
  public static let fileMode: mode_t = 0o600
  public static let directoryMode: mode_t = 0o700

  /// Removes the permissions of other users from a file or directory that is ours. Links are not followed; missing
  /// files and those of other owners stay unchanged.
  /// - Returns: false if others can still read it.
  @discardableResult
  public static func restrict(_ path: String) -> Bool {
    guard let mode = exposedMode(of: path) else { return true }
    return chmod(path, mode & 0o700) == 0
  }

  /// Restricts what is ours of a directory.
  public static func restrictContents(of directory: String) { for path in ownPaths(in: directory) { restrict(path) } }

  /// A directory and everything directly in it, if it or the directory above it is called `earshot` (`isOurs`). A
  /// directory that the listener has named may have other contents: of that one only the files whose names begin so.
  public static func ownPaths(in directory: String) -> [String] {
    let isOurs = isOurs(directory)
    // In an unreadable directory there is nothing that could be changed.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return (isOurs ? [directory] : [])
      + names.filter { isOurs || $0.hasPrefix("earshot") }.sorted().map { directory + "/" + $0 }
  }

  /// Whether the directory's name says that all of it is Earshot's.
  public static func isOurs(_ directory: String) -> Bool {
    directory.split(separator: "/").suffix(2).contains("earshot")
  }

  /// The permissions of a file that others can access. Nil if they cannot, or it is missing, a link, or not ours.
  public static func exposedMode(of path: String) -> mode_t? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0,
      [S_IFREG, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return nil }
    return status.st_mode & 0o7777
  }
}
