import Foundation

/// Symbolic links in paths of files that are written.
public enum SymbolicLink {
  /// Linux's limit of links in a path (path_resolution(7)).
  private static let limit = 40

  /// The file that a link leads to, even if it does not exist yet. The path itself if it is no link. A file that gets
  /// its name by rename(2) would replace the link.
  public static func target(of path: String) -> String {
    var path = path
    for _ in 0..<limit {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      let directory = (path as NSString).deletingLastPathComponent
      path = target.hasPrefix("/") || directory.isEmpty ? target : directory + "/" + target
    }
    return path
  }
}
