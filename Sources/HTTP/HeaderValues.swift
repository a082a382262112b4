import CCurl
import Foundation

/// The value of a `Content-Range` header (RFC 9110 §14.4).
public struct ContentRange: Equatable, Sendable {
  /// First and last byte. Nil in the response to an invalid range: `bytes */1234`.
  public var bytes: ClosedRange<Int64>?
  /// The size of the whole file. Nil if the server does not say: `*`.
  public var total: Int64?

  public var first: Int64? { bytes?.lowerBound }

  /// Some servers write `bytes=` as in the request.
  public init?(_ text: String?) {
    guard let text, let match = text.firstMatch(of: /^\s*bytes[\s=]+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/.ignoresCase())
    else { return nil }
    if let start = match.1, let end = match.2 {
      guard let first = Int64(start), let last = Int64(end), first <= last else { return nil }
      bytes = first...last
    }
    total = Int64(match.3)
  }
}

/// Parses dates in HTTP headers with libcurl: IMF-fixdate, RFC 850 and asctime (RFC 9110 §5.6.7).
public enum HTTPDate {
  public static func parse(_ text: String) -> Date? {
    let seconds = curl_getdate(text, nil)
    return seconds == -1 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}

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
