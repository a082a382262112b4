import Model

/// Rows of a list that the listener has selected together, so that a command acts on all of them. A row is known by its
/// item, so that it stays selected when the list changes.
public struct MultiSelection: Equatable, Sendable {
  private(set) var items: Set<Playlist.Item> = []
  /// The row where a range begins. It ends at the cursor.
  private(set) var anchor: Playlist.Item?
  /// The length of selected rows that are not all in State.
  var measured: MeasuredRows?

  var isEmpty: Bool { items.isEmpty && anchor == nil }

  /// The selected rows of a list, in its order.
  /// - Parameters:
  ///   - list: the item of each row.
  ///   - cursor: the row under the cursor.
  func rows(of list: [Playlist.Item], cursor: Int) -> [Int] {
    guard !isEmpty else { return [] }
    let range = range(in: list, to: cursor)
    return list.indices.filter { range?.contains($0) == true || items.contains(list[$0]) }
  }

  private func range(in list: [Playlist.Item], to cursor: Int) -> ClosedRange<Int>? {
    guard anchor != nil, list.indices.contains(cursor) else { return nil }
    let start = list.firstIndex { $0 == anchor } ?? cursor
    return min(start, cursor)...max(start, cursor)
  }

  /// Begins a range at the cursor, or ends the one that was begun.
  mutating func toggleRange(of list: [Playlist.Item], cursor: Int) {
    guard anchor == nil else { return endRange(of: list, cursor: cursor) }
    guard list.indices.contains(cursor) else { return }
    anchor = list[cursor]
  }

  mutating func toggle(of list: [Playlist.Item], cursor: Int) {
    guard list.indices.contains(cursor) else { return }
    endRange(of: list, cursor: cursor)
    items.formSymmetricDifference([list[cursor]])
  }

  mutating func select(_ selected: some Sequence<Playlist.Item>) {
    items.formUnion(selected)
    anchor = nil
  }

  private mutating func endRange(of list: [Playlist.Item], cursor: Int) {
    if let range = range(in: list, to: cursor) { items.formUnion(list[range]) }
    anchor = nil
  }
}

/// Episodes and clips with their length in seconds, as the library has answered.
struct MeasuredRows: Equatable, Sendable {
  var episodes: [EpisodeID]
  var seconds: Double
}
