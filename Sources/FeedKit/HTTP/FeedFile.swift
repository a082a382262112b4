import Foundation
import Model

extension FeedClient {
  /// Reads a feed from a local file, as `earshot feed FILE` does.
  ///
  /// `url`: what relative addresses refer to. `contentType`: as HTTP would have given it.
  static func read(
    file path: String, url: String?, contentType: String?, makeReader: MakeFeedBodyReader
  ) throws(FeedError) -> Feed {
    let data: Data
    do {
      // Mapped, so that a file of gigabytes costs no memory before the reader has refused it.
      data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    } catch {
      throw .unreadableFile(path: path, reason: (error as NSError).localizedDescription)
    }
    guard !data.isEmpty else { throw .invalidData(.empty) }
    let reader = makeReader(url ?? "", contentType) { _ in }
    do throws(FeedBodyError) {
      for start in stride(from: 0, to: data.count, by: 64 * 1024) {
        try reader.add([UInt8](data[start..<min(data.count, start + 64 * 1024)]))
      }
      var feed = try reader.finish()
      feed.podcast.feedURL = url
      return feed
    } catch { throw error.feedError }
  }
}
