import Foundation

/// A value of the header `User-Agent` (RFC 9110 §10.1.5). It has printable ASCII characters only, so that it cannot end
/// its line and add another header.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// Characters. Servers limit all headers together.
  public static let limit = 300

  /// Nil if the text is empty, too long, or has other characters.
  public init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, text.utf8.count <= Self.limit, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
    description = text
  }
}

/// What the requests for a podcast carry: its feed, its media, and what belongs to its episodes.
public struct RequestAccess: Sendable, Hashable {
  /// Only for their own origin.
  public var credentials: Credentials?
  /// What the listener has set instead of Earshot's own name.
  public var userAgent: UserAgent?

  public init(_ credentials: Credentials? = nil, userAgent: UserAgent? = nil) {
    (self.credentials, self.userAgent) = (credentials, userAgent)
  }

  /// Whether there is nothing to carry.
  public var isEmpty: Bool { self == RequestAccess() }
}
