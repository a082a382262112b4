/// A question to the store whose answer replaces the last one. It is asked again only when the answer is here, however
/// often the library changes meanwhile.
public struct QueryState: Equatable, Sendable {
  public private(set) var hasAnswer = false
  public private(set) var isAwaited = false
  public private(set) var isStale = true
  public init() {}

  /// What is known may be wrong now.
  mutating func invalidate() { isStale = true }

  /// True when the question must be put now.
  mutating func ask() -> Bool {
    guard isStale, !isAwaited else { return false }
    isStale = false
    isAwaited = true
    return true
  }

  /// Another question takes its place: an answer that is under way no longer counts.
  mutating func reset() { self = QueryState() }

  mutating func answered() {
    isAwaited = false
    hasAnswer = true
  }

  /// No answer will come.
  mutating func gaveUp() { isAwaited = false }
}
