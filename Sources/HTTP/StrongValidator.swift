import Foundation

/// A validator that proves that two responses contain bytes of the same file, for `If-Range` (RFC 9110 §13.1.5). A
/// weak validator does not, because files with equivalent content share it.
public struct StrongValidator: Equatable, Sendable {
  /// As the server sent it, with quotes.
  public var etag: String?
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  /// Both are nil if the response has no strong validator.
  public init(_ head: HTTPHead) {
    etag = head["ETag"].flatMap { $0.hasPrefix("\"") && $0.count > 2 ? $0 : nil }
    lastModified = Self.strongDate(head)
  }

  /// The value of `If-Range`. Nil if nothing proves that the file is unchanged.
  public var ifRange: String? { etag ?? lastModified }

  /// `Last-Modified` is strong only if the response is at least a minute newer, because a file can change twice
  /// within a second (RFC 9110 §8.8.2.2).
  private static func strongDate(_ head: HTTPHead) -> String? {
    guard let text = head["Last-Modified"], let modified = HTTPDate.parse(text), let sent = head.date,
      sent.timeIntervalSince(modified) >= 60
    else { return nil }
    return text
  }
}
