import Foundation
import Model
import TerminalKit

/// A window on the store: the ids of a query in order, and which one is selected. The rows themselves are looked up in
/// `State.rows`, which holds only those near the window.
public struct EpisodeList: Equatable, Sendable {
  public private(set) var query: EpisodeQuery
  public private(set) var ids: [EpisodeID] = []
  public var list = ListState()
  public private(set) var hasLoaded = false

  public init(_ query: EpisodeQuery) { self.query = query }

  public var selected: EpisodeID? { ids.indices.contains(list.selected) ? ids[list.selected] : nil }

  /// What it asks the store; twice `height` rows come with the answer.
  func question(height: Int) -> Question { .episodes(query, selected: selected, rows: max(height, 20) * 2) }

  /// Shows other episodes; the selection starts at the top.
  mutating func show(_ query: EpisodeQuery) {
    guard query != self.query else { return }
    let isSameScope = query.scope == self.query.scope
    self.query = query
    if !isSameScope {
      ids = []
      list = ListState()
      hasLoaded = false
    }
  }

  /// Takes the store's answer; the selection stays on its episode, or where it was when that is gone.
  mutating func receive(_ query: EpisodeQuery, ids: [EpisodeID], height: Int) {
    guard query == self.query else { return }
    let kept = selected
    hasLoaded = true
    self.ids = ids
    list.fit(count: ids.count, height: height)
    if let kept, kept != selected, let index = ids.firstIndex(of: kept) { list.moveTo(index) }
    list.fit(count: ids.count, height: height)
  }

  /// Shows these episodes, which no query describes.
  mutating func fill(_ ids: [EpisodeID]) {
    self.ids = ids
    hasLoaded = true
    list = ListState(count: ids.count)
  }

  /// The same list after a change: it stays where it is scrolled to.
  mutating func refill(_ ids: [EpisodeID], selecting row: Int, height: Int) {
    self.ids = ids
    hasLoaded = true
    list.fit(count: ids.count, height: height)
    list.moveTo(row)
    list.fit(count: ids.count, height: height)
  }

  /// Swaps two neighbours and keeps the selection on the one that moved, until the store's answer says the same.
  mutating func swap(_ first: Int, _ second: Int) {
    guard ids.indices.contains(first), ids.indices.contains(second) else { return }
    ids.swapAt(first, second)
    list.moveTo(second)
  }

  mutating func select(_ id: EpisodeID) {
    if let index = ids.firstIndex(of: id) { list.moveTo(index) }
  }

  /// The ids whose rows the window needs: what is visible, and a page on either side.
  func wanted(height: Int) -> ArraySlice<EpisodeID> {
    guard !ids.isEmpty, height > 0 else { return [] }
    let first = max(0, min(list.top, ids.count - 1) - height)
    return ids[first..<min(ids.count, first + 3 * height)]
  }
}
