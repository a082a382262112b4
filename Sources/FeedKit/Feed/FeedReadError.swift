/// Why a document contains no feed. The data is invalid; connection errors are separate.
public enum FeedReadError: Error, Sendable, Equatable {
  /// The document is empty, or only white space.
  case empty
  /// A web page. `alternates` are the absolute addresses of feeds in its `<link rel=alternate>`, best first.
  case isHTML(alternates: [String])
  /// Something else, which `found` describes for the user.
  case notAFeed(found: String)
  /// Larger than `FeedLimits.documentBytes`.
  case tooLarge(bytes: Int)
}

extension FeedReadError: CustomStringConvertible {
  /// The rest of a sentence for the user: "…: the document is empty".
  public var description: String {
    switch self {
    case .empty: "the document is empty"
    case .isHTML(let alternates) where alternates.isEmpty: "this is a web page, not a feed, and it names none"
    case .isHTML(let alternates): "this is a web page, not a feed; it names \(alternates.joined(separator: ", "))"
    case .notAFeed(let found): "this is not a feed: \(found)"
    case .tooLarge(let bytes): "the feed is larger than \(bytes >> 20) MiB"
    }
  }
}
