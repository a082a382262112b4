import Foundation
import Model

extension FeedClient {
  /// Parses a feed from a local file, for `earshot feed FILE`.
  ///
  /// - Parameters:
  ///   - url: the base for relative addresses.
  ///   - contentType: the value of an HTTP Content-Type header.
  public static func read(
    file path: String, url: String? = nil, contentType: String? = nil
  ) throws(FeedError) -> Feed {
    let file: FileHandle
    do {
      file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch { throw .unreadableFile(path: path, reason: Self.reason(error)) }
    let reader = FeedReader(feedURL: url, contentType: contentType)
    while let piece = try Self.read(file, path: path) {
      do { try reader.feed(piece) } catch { throw FeedError(error) }
    }
    do { return try reader.finish() } catch { throw FeedError(error) }
  }

  /// The next chunk, with bounded memory and also from pipes. Nil at the end.
  private static func read(_ file: FileHandle, path: String) throws(FeedError) -> [UInt8]? {
    do {
      return try file.read(upToCount: 64 * 1024).flatMap { $0.isEmpty ? nil : [UInt8]($0) }
    } catch { throw .unreadableFile(path: path, reason: reason(error)) }
  }

  /// The system's message, because Foundation's sentence repeats the path.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: "no such file"
    case CocoaError.fileReadNoPermission: "permission denied"
    default: error.localizedDescription
    }
  }
}
