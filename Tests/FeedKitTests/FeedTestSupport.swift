import Foundation
import Model

@testable import FeedKit

/// Helpers that read feeds in tests.
enum FeedSample {
  /// One of our own fixtures, as bytes.
  static func fixture(_ name: String) throws -> Data {
    let folder = Bundle.module.resourceURL?.appending(path: "Fixtures/feeds")
    guard let file = folder?.appending(path: name) else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: file)
  }

  static func allFixtures() throws -> [Data] {
    try ["everything.xml", "atom.xml", "rdf.xml", "broken.xml"].map(fixture)
  }

  static func read(_ text: String, url: String? = nil, contentType: String? = nil) throws -> Feed {
    try FeedReader.read(Array(text.utf8), feedURL: url, contentType: contentType)
  }

  /// Reads an RSS feed with `inside` in its channel.
  static func channel(_ inside: String, attributes: String = "") throws -> FeedPodcast {
    try read("<rss version=\"2.0\"\(attributes)><channel>\(inside)</channel></rss>").podcast
  }

  /// Reads an RSS feed with one item that contains `inside`.
  static func item(_ inside: String, attributes: String = "", url: String? = nil) throws -> FeedEpisode {
    let text = "<rss version=\"2.0\"\(attributes)><channel><title>T</title><item>\(inside)</item></channel></rss>"
    let episodes = try read(text, url: url).episodes
    guard let only = episodes.first, episodes.count == 1 else { throw CocoaError(.coderValueNotFound) }
    return only
  }

  /// Feeds the reader `pieces` bytes at a time.
  static func read(_ data: Data, pieces: Int, url: String? = nil) throws -> Feed {
    let reader = FeedReader(feedURL: url)
    var rest = data[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces)
      try piece.withUnsafeBytes { try reader.feed($0) }
      rest = rest.dropFirst(pieces)
    }
    return try reader.finish()
  }

  static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}
