import Foundation
import Model

extension FeedClient {
  /// Reads a feed from a local file, as `earshot feed FILE` does.
  ///
  /// `url`: what relative addresses refer to. `contentType`: as HTTP would have given it.
  public static func read(
    file path: String, url: String? = nil, contentType: String? = nil
  ) throws(FeedError) -> Feed {
    let data: Data
    do {
      // Mapped, so that a file of gigabytes costs no memory before the reader has refused it.
      data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    } catch {
      throw .unreadableFile(path: path, reason: Self.reason(error))
    }
    let reader = FeedReader(feedURL: url, contentType: contentType)
    do throws(FeedReadError) {
      for start in stride(from: 0, to: data.count, by: 64 * 1024) {
        try reader.feed([UInt8](data[start..<min(data.count, start + 64 * 1024)]))
      }
      return try reader.finish()
    } catch { throw FeedError(error) }
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
