import FeedKit
import Foundation

/// What going on later needs; kept in the library beside the file's name. The bytes themselves say how far it is.
struct ResumeData: Codable, Equatable, Sendable {
  /// The enclosure's address that the bytes came from.
  var url: String
  /// As the server wrote it, with its quotes; only a strong one.
  var etag: String?
  /// Only one that is strong enough for a range.
  var lastModified: String?
  /// Bytes of the whole, as the server said.
  var total: Int64?
  /// By the listener.
  var isPaused: Bool?
  /// Why it ended for good, for people.
  var failure: String?

  init(url: String) { self.url = url }

  /// Reads what the library has; nil for what another version wrote.
  init?(_ text: String?) {
    guard let text, let data = try? JSONDecoder().decode(ResumeData.self, from: Data(text.utf8)) else { return nil }
    self = data
  }

  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of `If-Range` (RFC 9110 §13.1.5); nil when nothing proves that the file is still the same.
  var ifRange: String? { etag ?? lastModified }

  /// Takes the validators and the length of an answer that sends the whole.
  mutating func adopt(_ head: HTTPHead, total: Int64?) {
    etag = head["ETag"].flatMap { $0.hasPrefix("\"") && $0.count > 2 ? $0 : nil }
    lastModified = Self.strongDate(head)
    self.total = total
    failure = nil
  }

  /// A date proves sameness only when the answer is a minute younger: within a second a file can change twice
  /// (RFC 9110 §8.8.2.2).
  private static func strongDate(_ head: HTTPHead) -> String? {
    guard let text = head["Last-Modified"], let modified = Self.date(text), let sent = head.date,
      sent.timeIntervalSince(modified) >= 60
    else { return nil }
    return text
  }

  private static func date(_ text: String) -> Date? {
    HTTPHead(status: 200, headers: [("Date", text)]).date
  }
}

/// The value of a `Content-Range` header (RFC 9110 §14.4).
struct ContentRange: Equatable {
  /// nil in the answer to a range that cannot be: `bytes */1234`.
  var first: Int64?
  /// nil when the server does not say: `*`.
  var total: Int64?

  init?(_ text: String?) {
    guard let text, let match = text.firstMatch(of: /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/.ignoresCase())
    else { return nil }
    if let start = match.1, let end = match.2 {
      guard let first = Int64(start), let last = Int64(end), first <= last else { return nil }
      self.first = first
    }
    total = Int64(match.3)
  }
}
