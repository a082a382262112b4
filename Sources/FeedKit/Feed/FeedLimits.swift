/// What one feed may cost: far above any honest feed, so that a hostile one ends within bounded time and memory.
public struct FeedLimits: Sendable {
  /// Bytes of the decoded document.
  public var documentBytes = 512 << 20
  /// Items; further ones are left out and the feed counts as damaged.
  public var items = 200_000
  /// Bytes of one text; the rest of it is cut off.
  public var textBytes = 2 << 20
  /// Entries of one list of an item or a channel (enclosures, persons, categories, chapters …).
  public var listEntries = 2000
  /// Bytes in which a root element must turn up: a stream without one is not read to its end.
  public var rootBytes = 1 << 20
  /// Bytes of an HTML page that are searched for addresses of feeds.
  public var pageBytes = 256 << 10

  public static let standard = FeedLimits()

  public init() {}
}
