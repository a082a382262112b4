import Foundation
import Model
import TerminalKit

extension Array where Element: Hashable {
  /// The index of the element in this row of an earlier list. If it is gone, that of the next one that is still there,
  /// else of the last one before it.
  func nearest(to row: Int, of before: [Element]) -> Int? {
    guard before.indices.contains(row) else { return nil }
    // Mostly it is still there, and a list can have 100,000 rows.
    if let index = firstIndex(of: before[row]) { return index }
    let indexes = Dictionary(enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return before[row...].lazy.compactMap { indexes[$0] }.first
      ?? before[..<row].reversed().lazy.compactMap { indexes[$0] }.first
  }
}

/// A list of episodes: the ids of a query in order, and the selection. The rows are in `State.rows`, which holds only
/// those near the visible part.
public struct EpisodeList: Equatable, Sendable {
  public private(set) var query: EpisodeQuery
  public private(set) var ids: [EpisodeID] = []
  public var list = ListState()
  /// Rows that are selected together.
  public internal(set) var several = MultiSelection()
  public private(set) var hasLoaded = false

  public init(_ query: EpisodeQuery) { self.query = query }

  public var selected: EpisodeID? { ids[safe: list.selected] }

  /// The episodes after and before the selected one.
  var neighbours: [EpisodeID] { list.neighbours(in: ids.indices).map { ids[$0] } }

  /// The question for the list. The answer contains twice `height` rows.
  func question(on tab: Tab, height: Int) -> EpisodesQuestion {
    EpisodesQuestion(tab: tab, query: query, selected: selected, rows: max(height, 20) * 2)
  }

  /// Shows another query, with the selection at the top.
  mutating func show(_ query: EpisodeQuery) {
    guard query != self.query else { return }
    let isSameScope = query.scope == self.query.scope
    self.query = query
    if !isSameScope {
      ids = []
      list = ListState()
      several = MultiSelection()
      hasLoaded = false
    }
  }

  /// Handles the answer of the store. The selection stays on its episode. If that is gone, the next one of the old list
  /// that is still there is selected, else the last one before it.
  /// - Parameter start: selected in a list that was empty.
  mutating func receive(_ query: EpisodeQuery, ids: [EpisodeID], start: EpisodeID? = nil, height: Int) {
    guard query == self.query else { return }
    let row =
      selected == nil ? start.flatMap { ids.firstIndex(of: $0) } : ids.nearest(to: list.selected, of: self.ids)
    refill(ids, selecting: row ?? list.selected, height: height)
  }

  /// Shows these episodes without a query.
  mutating func fill(_ ids: [EpisodeID]) {
    self.ids = ids
    hasLoaded = true
    list = ListState(count: ids.count)
    several = MultiSelection()
  }

  /// Updates the list after a change, and keeps the scroll position.
  mutating func refill(_ ids: [EpisodeID], selecting row: Int, height: Int) {
    self.ids = ids
    hasLoaded = true
    list.fit(count: ids.count, height: height)
    list.moveTo(row)
    list.fit(count: ids.count, height: height)
  }

  /// Removes episodes at once, before the store's answer.
  mutating func remove(_ removed: [EpisodeID], height: Int) {
    let removed = Set(removed)
    receive(query, ids: ids.filter { !removed.contains($0) }, height: height)
  }

  /// Moves rows together at once, before the store's answer. The cursor stays on its episode.
  mutating func move(_ rows: [Int], to target: Int) {
    let before = ids
    var order = Array(before.indices)
    order.move(at: rows, to: target)
    ids = order.map { before[$0] }
    if let cursor = order.firstIndex(of: list.selected) { list.moveTo(cursor) }
  }

  mutating func select(_ id: EpisodeID) {
    if let index = ids.firstIndex(of: id) { list.moveTo(index) }
  }

  /// The ids whose rows are needed: the visible ones, and a page before and after them.
  func wanted(height: Int) -> ArraySlice<EpisodeID> {
    guard !ids.isEmpty, height > 0 else { return [] }
    let top = min(list.top, ids.count - 1)
    return ids[max(0, top - height)..<min(ids.count, top + 2 * height)]
  }
}
