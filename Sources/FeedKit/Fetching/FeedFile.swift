import Foundation
import Model

extension FeedClient {
  /// Reads a feed from a local file, as `earshot feed FILE` does.
  ///
  /// `url`: what relative addresses refer to. `contentType`: as HTTP would have given it.
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

  /// The next piece, in bounded memory and from pipes too; nil at the end.
  private static func read(_ file: FileHandle, path: String) throws(FeedError) -> [UInt8]? {
    do {
      return try file.read(upToCount: 64 * 1024).flatMap { $0.isEmpty ? nil : [UInt8]($0) }
    } catch { throw .unreadableFile(path: path, reason: reason(error)) }
  }

  /// The words of the system rather than Foundation's sentence, which repeats the path.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: "no such file"
    case CocoaError.fileReadNoPermission: "permission denied"
    default: error.localizedDescription
    }
  }
}
