/// A question to the store whose answer replaces the last one. It is asked again only when the answer is here
/// (`Awaited`), however often the library changes meanwhile; one that failed is asked again after the next change.
public struct QueryState: Equatable, Sendable {
  public private(set) var hasAnswer = false
  public private(set) var isStale = true
  public init() {}

  /// What is known may be wrong now.
  mutating func invalidate() { isStale = true }

  mutating func asked() { isStale = false }

  mutating func answered() { hasAnswer = true }

  /// Another question takes its place.
  mutating func reset() { self = QueryState() }
}
