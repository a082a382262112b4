extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order of their first appearance.
  public func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension StringProtocol {
  /// The lines, including empty ones. "\r\n", as Windows writes it, is one Character, at which
  /// `split(separator: "\n")` does not split.
  public var allLines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}
