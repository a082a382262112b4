/// The state of a question to the store whose answer replaces the previous one. It is not asked again while an answer
/// is outstanding (`Awaited`), however often the library changes. If it failed, it is asked again after the next
/// change.
public struct QueryState: Equatable, Sendable {
  public private(set) var hasAnswer = false
  public private(set) var isStale = true
  public init() {}

  /// Marks the answer as possibly out of date.
  mutating func invalidate() { isStale = true }

  mutating func asked() { isStale = false }

  mutating func answered() { hasAnswer = true }

  /// Whether there is no answer yet, but one will come.
  /// - Parameter isAwaited: the question was asked.
  func isPending(_ isAwaited: Bool) -> Bool { !hasAnswer && (isStale || isAwaited) }

  /// Forgets the answer, because another question replaces it.
  mutating func reset() { self = QueryState() }
}
