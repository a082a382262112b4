extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order of their first appearance.
  public func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// The elements with the same key together, in the order of their first appearance.
  public func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    var indexes: [Key: Int] = [:]
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let name = key(element)
      let index = indexes[name, default: groups.count]
      indexes[name] = index
      if index == groups.count { groups.append((name, [])) }
      groups[index].elements.append(element)
    }
    return groups
  }
}

extension StringProtocol {
  /// The lines, including empty ones. "\r\n", as Windows writes it, is one Character, at which
  /// `split(separator: "\n")` does not split.
  public var allLines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }
}

extension Array {
  /// The element at this index; nil if there is none.
  public subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }

  /// Moves the elements at these indexes together, in their order, so that the first of them is at `target`. A target
  /// beyond an end means that end.
  /// - Parameter indexes: ascending.
  public mutating func move(at indexes: [Int], to target: Int) {
    let moved = indexes.map { self[$0] }
    for index in indexes.reversed() { remove(at: index) }
    insert(contentsOf: moved, at: Swift.min(Swift.max(0, target), count))
  }
}

extension Array where Element: Hashable {
  /// The indexes of these elements, ascending.
  public func indexes(of elements: some Sequence<Element>) -> [Int] {
    let wanted = Set(elements)
    return indices.filter { wanted.contains(self[$0]) }
  }
}

extension [String] {
  /// The first of them, such as `A, B, C and 7 more`.
  public func listed(_ limit: Int) -> String {
    prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
  }
}

/// A number with a noun in singular or plural: "1 episode", "2 episodes".
public enum Counted {
  /// - Parameter plural: nil: the singular with "s" added.
  public static func text(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Double {
  /// Such as `4` or `0.5`.
  public var shortText: String { Int(exactly: self).map(String.init) ?? String(self) }
}
