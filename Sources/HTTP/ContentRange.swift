/// The value of a `Content-Range` header (RFC 9110 §14.4).
public struct ContentRange: Equatable, Sendable {
  /// First and last byte. Nil in the response to an invalid range: `bytes */1234`.
  public var bytes: ClosedRange<Int64>?
  /// The size of the whole file. Nil if the server does not say: `*`.
  public var total: Int64?

  public var first: Int64? { bytes?.lowerBound }

  public init?(_ text: String?) {
    guard let text, let match = text.firstMatch(of: /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/.ignoresCase())
    else { return nil }
    if let start = match.1, let end = match.2 {
      guard let first = Int64(start), let last = Int64(end), first <= last else { return nil }
      bytes = first...last
    }
    total = Int64(match.3)
  }
}
