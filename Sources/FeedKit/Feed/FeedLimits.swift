/// Limits for one feed, far above real feeds, so that a malicious one takes bounded time and memory.
public struct FeedLimits: Sendable {
  /// Bytes of the decoded document.
  public var documentBytes = 512 << 20
  /// The maximum number of items. Further ones are left out, and the feed counts as damaged.
  public var items = 200_000
  /// The maximum number of bytes of one text. The rest is cut off.
  public var textBytes = 2 << 20
  /// The maximum number of entries in one list of an item or channel (enclosures, persons, categories, chapters …).
  public var listEntries = 2000
  /// The maximum number of bytes before the root element. A stream without one is not read further.
  public var rootBytes = 1 << 20
  /// The maximum number of bytes of an HTML page that are searched for feed addresses.
  public var pageBytes = 256 << 10

  public static let standard = FeedLimits()

  public init() {}
}
