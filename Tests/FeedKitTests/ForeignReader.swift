import Foundation
import Model

@testable import FeedKit
@testable import HTTP

/// The readers of untrusted bytes, for fuzzing.
enum ForeignReader: CaseIterable {
  case feed, html, opml, transcript, chapters, head, values

  func read(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    switch self {
    case .feed:
      let reader = FeedReader(feedURL: "https://fuzz.example/feed")
      try? data.withUnsafeBytes { try reader.feed($0) }
      if let feed = try? reader.finish() { _ = try? JSONFormat.feed.bytes(of: feed) }
    case .html: _ = (HTMLDocument.parse(text, baseURL: "https://e.org/"), HTMLDocument.plainText(text))
    case .opml: _ = try? OPML.contents(data)
    case .transcript: _ = try? TranscriptReader.read(data)
    case .chapters: _ = try? ChaptersJSON.parse(data)
    case .head:
      var reader = HTTPHeadReader(limit: 65_536)
      for line in data.split(separator: 0x0A) {
        guard Array(line).withUnsafeBytes({ reader.add($0) }), !reader.isDone else { break }
      }
      for header in reader.head.headers { _ = (ContentRange(header.value), HTTPDate.parse(header.value)) }
    case .values:
      _ = (FeedDate.parse(text), FeedScalar.duration(text), NormalPlayTime.parse(text), try? FeedAddress.parse(text))
      _ = (try? WebAddress(text), RelativeAddress.resolve(text, base: text), AddressKey.feed(text))
    }
  }
}
