import Foundation

/// What proves that two answers hold bytes of the same file, for `If-Range` (RFC 9110 §13.1.5). A weak validator does not:
/// it calls files the same that mean the same.
public struct StrongValidator: Equatable, Sendable {
  /// As the server wrote it, with its quotes.
  public var etag: String?
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  /// Both are nil when the answer has nothing strong.
  public init(_ head: HTTPHead) {
    etag = head["ETag"].flatMap { $0.hasPrefix("\"") && $0.count > 2 ? $0 : nil }
    lastModified = Self.strongDate(head)
  }

  /// The value of `If-Range`; nil when nothing proves that the file is still the same.
  public var ifRange: String? { etag ?? lastModified }

  /// A date proves sameness only when the answer is a minute younger: within a second a file can change twice
  /// (RFC 9110 §8.8.2.2).
  private static func strongDate(_ head: HTTPHead) -> String? {
    guard let text = head["Last-Modified"], let modified = HTTPDate.parse(text), let sent = head.date,
      sent.timeIntervalSince(modified) >= 60
    else { return nil }
    return text
  }
}
