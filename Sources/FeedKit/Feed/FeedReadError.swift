/// Why a document yields no feed: invalid data, in the words of the product, as opposed to no connectivity.
public enum FeedReadError: Error, Sendable, Equatable {
  /// Nothing, or white space only.
  case empty
  /// A web page. `alternates` are the feeds it names in `<link rel=alternate>`, absolute, best first.
  case isHTML(alternates: [String])
  /// Something else; `found` describes what, for a person.
  case notAFeed(found: String)
  /// More than `FeedLimits.documentBytes`.
  case tooLarge(bytes: Int)
}

extension FeedReadError: CustomStringConvertible {
  /// A sentence's end for a person: "…: the document is empty".
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
