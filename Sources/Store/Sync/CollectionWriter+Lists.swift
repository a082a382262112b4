import Foundation
import GRDB
import Model
import Sync

/// The items and the order of the queue and the playlists.
extension CollectionWriter {
  mutating func applyItem(_ key: String, _ value: JSONValue?) throws -> Bool {
    let parts = key.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    guard try playlist(String(parts[1])) != nil else { return value == nil }
    lists.insert("item/\(parts[1])/")
    if value == nil { return true }
    if let clip = value?["clip"]?.string { return try SyncName.id(db, "clip", clip) != nil }
    return try episode(value) != nil
  }

  private func playlist(_ name: String) throws -> Int64? {
    if let id = try Int64.fetchOne(db, sql: "SELECT id FROM playlist WHERE kind = ?", arguments: [name]) { return id }
    return try SyncName.id(db, "playlist", name)
  }

  /// Sorts the changed lists by their order keys. Items without a register stay after their previous neighbour.
  mutating func order(_ undo: inout SyncUndo) throws {
    for list in lists.sorted() {
      let registers = try Row.fetchAll(
        db, sql: "SELECT key, value FROM syncRegister WHERE substr(key, 1, ?) = ?", arguments: [list.count, list]
      ).map(CheckedRow.init)
      var places: [String: String] = [:]
      var values: [String: JSONValue] = [:]
      var removed: Set<String> = []
      for row in registers {
        let name = String((try row[0] as String).dropFirst(list.count))
        guard let value = (try row[1] as String?).flatMap({ JSONValue($0) }) else {
          removed.insert(name)
          continue
        }
        guard let place = value["place"]?.string, OrderKey.isValid(place) else { continue }
        places[name] = place
        values[name] = value
      }
      if list == "queue/" {
        try orderQueue(OrderKey.order(places), values, removed, &undo)
      } else {
        try orderPlaylist(
          String(list.dropFirst(5).dropLast()), OrderKey.order(places), values, removed, &undo)
      }
    }
    lists = []
  }

  /// The merged list: items with an order key in order, then each other item after its previous neighbour.
  private static func merge<Element: Hashable>(
    _ old: [Element], placed: [Element], removed: Set<Element>
  ) -> [Element] {
    var seen: Set<Element> = []
    var result = placed.filter { seen.insert($0).inserted }
    let known = seen
    var before: Element?
    for element in old where !removed.contains(element) {
      if !known.contains(element) {
        let place = before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        result.insert(element, at: place)
      }
      before = element
    }
    return result
  }

  private mutating func orderQueue(
    _ order: [String], _ values: [String: JSONValue], _ removed: Set<String>, _ undo: inout SyncUndo
  ) throws {
    let old = try QueueTable.read(db)
    let listed = try db.cachedStatement(sql: "SELECT 1 FROM episode WHERE id = ? AND \(StatusIs.listed)")
    let placed = try order.compactMap { try episode(values[$0]) }.filter {
      try Bool.fetchOne(listed, arguments: [$0]) != nil
    }
    let gone = Set(try removed.compactMap { try episode(named: $0) })
    let new = Self.merge(old, placed: placed, removed: gone)
    guard new != old else { return }
    try undo.keepQueue(db, now: now)
    try QueueTable.write(db, new)
  }

  private mutating func orderPlaylist(
    _ name: String, _ order: [String], _ values: [String: JSONValue], _ removed: Set<String>, _ undo: inout SyncUndo
  ) throws {
    guard let id = try playlist(name), let before = try StoredPlaylist.fetch(db, PlaylistID(id)) else { return }
    func item(_ value: JSONValue?) throws -> StoredPlaylist.Item? {
      if let clip = value?["clip"]?.string {
        return try SyncName.id(db, "clip", clip).map { StoredPlaylist.Item(episode: nil, clip: $0) }
      }
      return try episode(value).map { StoredPlaylist.Item(episode: $0, clip: nil) }
    }
    let gone = try removed.compactMap { name -> StoredPlaylist.Item? in
      if name.hasPrefix("clip ") {
        return try SyncName.id(db, "clip", String(name.dropFirst(5))).map {
          StoredPlaylist.Item(episode: nil, clip: $0)
        }
      }
      return try episode(named: name).map { StoredPlaylist.Item(episode: $0, clip: nil) }
    }
    var after = before
    after.items = Self.merge(
      before.items, placed: try order.compactMap { try item(values[$0]) }, removed: Set(gone))
    guard after != before else { return }
    after.lastUpdated = now.seconds
    try undo.add(.playlist(id: PlaylistID(id), before: before), db, now: now)
    try StoredPlaylist.restore(db, PlaylistID(id), after)
  }
}
