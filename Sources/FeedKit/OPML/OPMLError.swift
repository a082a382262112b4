/// Why subscriptions could not be read from a file.
public enum OPMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than a subscription list can reasonably have.
  case tooLarge(bytes: Int)
  /// Another kind of document: the name of its first element, nil if it has none.
  case notOPML(root: String?)
  /// `<opml>` without a `<body>`.
  case noBody

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "OPML: \(bytes) bytes are too many"
    case .notOPML(let root?): "OPML: this is a <\(root)> document"
    case .notOPML(nil): "OPML: this is not XML"
    case .noBody: "OPML: the document has no body"
    }
  }
}
