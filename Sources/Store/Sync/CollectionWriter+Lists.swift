import Foundation
import GRDB
import Model
import Sync

/// The items and the order of the queue and the playlists.
extension CollectionWriter {
  /// The registers of one list.
  private struct Registers {
    /// The items, in order.
    var ordered: [StoredPlaylist.Item] = []
    var removed: Set<StoredPlaylist.Item> = []
    /// Keys that were not applied before.
    var applied: [String] = []
  }

  /// Applies the items of a list, and sorts it by their order keys. Items without a register stay after their previous
  /// neighbour. Items that are not known yet stay pending.
  /// - Parameter list: the beginning of the keys: "queue/", "rule/", "item/NAME/".
  mutating func order(_ list: String, _ undo: inout SyncUndo) throws {
    if list == SyncRule.prefix { return try SyncRule.order(db, &undo, now: now) }
    let id = list == "queue/" ? nil : try SyncName.playlist(db, list: list)
    let isKnown = list == "queue/" || id != nil
    let registers = try read(list, isKnown: isKnown)
    if list == "queue/" { try orderQueue(registers, &undo) }
    if let id { try orderPlaylist(PlaylistID(id), registers, &undo) }
    try RegisterTable(db: db).markApplied(registers.applied)
  }

  private mutating func read(_ list: String, isKnown: Bool) throws -> Registers {
    var registers = Registers()
    // Devices may have several names for an item. The latest change counts.
    var latest: [StoredPlaylist.Item: (name: String, orderKey: String?, time: Double)] = [:]
    func add(_ item: StoredPlaylist.Item, _ name: String, _ orderKey: String?, _ time: Double) {
      if let other = latest[item], other.time > time { return }
      latest[item] = (name, orderKey, time)
    }
    // In the order of the keys, the episodes of one podcast come together.
    for (key, register) in try RegisterTable(db: db).items(of: list) {
      let name = String(key.dropFirst(list.count))
      if let value = register.value {
        guard isKnown, let item = try item(value) else { continue }
        if let orderKey = value["place"]?.string, OrderKey.isValid(orderKey) {
          add(item, name, orderKey, register.state.time)
        }
      } else if isKnown, let item = try item(named: name) ?? register.localValue.flatMap({ try item($0) }) {
        add(item, name, nil, register.state.time)
      }
      if !register.isApplied { registers.applied.append(key) }
    }
    var (keys, items): ([String: String], [String: StoredPlaylist.Item]) = ([:], [:])
    for (item, change) in latest {
      items[change.name] = item
      keys[change.name] = change.orderKey
      if change.orderKey == nil { registers.removed.insert(item) }
    }
    registers.ordered = OrderKey.order(keys).compactMap { items[$0] }
    return registers
  }

  private mutating func item(_ value: JSONValue) throws -> StoredPlaylist.Item? {
    if let clip = value["clip"]?.string {
      return try SyncName.id(db, "clip", clip).map { StoredPlaylist.Item(episode: nil, clip: $0) }
    }
    return try episode(value).map { StoredPlaylist.Item(episode: $0, clip: nil) }
  }

  private mutating func item(named name: String) throws -> StoredPlaylist.Item? {
    if name.hasPrefix("clip ") {
      return try SyncName.id(db, "clip", String(name.dropFirst(5))).map { StoredPlaylist.Item(episode: nil, clip: $0) }
    }
    return try episode(named: name).map { StoredPlaylist.Item(episode: $0, clip: nil) }
  }

  /// The merged list: items with an order key in order, then each other item after its previous neighbour.
  private static func merge<Element: Hashable>(
    _ old: [Element], ordered: [Element], removed: Set<Element>
  ) -> [Element] {
    let ordered = ordered.uniqued()
    let known = Set(ordered)
    var front: [Element] = []
    // The other items that follow an item with an order key.
    var following: [Element: [Element]] = [:]
    var before: Element?
    for element in old where !removed.contains(element) {
      if known.contains(element) {
        before = element
      } else if let before {
        following[before, default: []].append(element)
      } else {
        front.append(element)
      }
    }
    return front + ordered.flatMap { [$0] + (following[$0] ?? []) }
  }

  private func orderQueue(_ registers: Registers, _ undo: inout SyncUndo) throws {
    let old = try QueueTable.read(db)
    let listed = "SELECT 1 FROM episode WHERE id = ? AND \(StatusIs.listed)"
    let ordered = try registers.ordered.compactMap(\.episode).filter { try db.hasRow(listed, [$0]) }
    let new = Self.merge(old, ordered: ordered, removed: Set(registers.removed.compactMap(\.episode)))
    guard new != old else { return }
    try undo.storeQueue(db, now: now)
    try QueueTable.write(db, new)
  }

  private func orderPlaylist(_ id: PlaylistID, _ registers: Registers, _ undo: inout SyncUndo) throws {
    guard let before = try StoredPlaylist.fetch(db, id) else { return }
    var after = before
    after.items = Self.merge(before.items, ordered: registers.ordered, removed: registers.removed)
    guard after != before else { return }
    try undo.add("playlist \(id)", db, now: now) { .playlist(id: id, before: before) }
    try StoredPlaylist.change(db, id, to: after, now: now)
  }
}
