import GRDB
import Model
import Sync

/// New names of registers. A publisher changes guids, or a feed moves. That is no change by the listener, so a register
/// keeps its time and is sent under its new name, too. If it counted as removed and made again now, it would win over
/// what other devices have changed since. Removed registers get new names as well: another device may still have the
/// item. Transcripts are compared in another way (`SyncTranscript`).
struct RegisterNames {
  typealias Item = CollectionReader.Item

  private let db: Database

  /// Nil: nothing was synced with a folder.
  init?(_ db: Database) throws {
    guard try Bool.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM syncRegister LIMIT 1")) != nil else { return nil }
    self.db = db
  }

  /// What names the episodes of a podcast on every device, by their ids.
  static func items(_ feed: String, _ stored: StoredKeys) -> [Int64: Item] {
    var items: [Int64: Item] = [:]
    for (id, key) in zip(stored.ids, stored.keys) {
      items[id] = CollectionReader.item(feed, guid: key.guid, media: key.mediaURL)
    }
    return items
  }

  /// The same, from the tables.
  func items(of podcast: PodcastID) throws -> [Int64: Item] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT p.feedURL, e.guid, e.mediaURL, e.id FROM episode e JOIN podcast p ON p.id = e.podcastID
        WHERE p.id = ?
        """, arguments: [podcast.rawValue]
    ).map(CheckedRow.init)
    var items: [Int64: Item] = [:]
    for row in rows { if let item = try CollectionReader.item(row) { items[try row[3]] = item } }
    return items
  }

  /// - Parameters:
  ///   - old: what named the episodes before.
  ///   - new: what names the same episodes now.
  ///   - feed: the addresses of the podcast's feed before and now.
  func change(from old: [Int64: Item], to new: [Int64: Item], feed: (old: String, new: String)) throws {
    var items: [String: Item] = [:]
    let names = Dictionary(grouping: old.keys) { old[$0]?.name }
    for (id, item) in old where names[item.name]?.count == 1 {
      // Some feeds give a guid to several episodes.
      if let now = new[id], now.name != item.name { items[item.name] = now }
    }
    let keys = (old: AddressKey.feed(feed.old), new: AddressKey.feed(feed.new))
    guard !items.isEmpty || keys.old != keys.new else { return }
    let naming = Naming(items: items, feed: keys, url: SyncAddress.sent(feed.new) ?? feed.new)
    let table = RegisterTable(db: db)
    var renamed: [String: RegisterTable.Stored] = [:]
    for (key, register) in try table.registers(naming: keys.old) {
      let newKey = naming.key(key)
      var new = register
      new.state = register.state.with(register.state.value?.json.map(naming.value), agreed: nil)
      new.local = register.local.map(naming.value)
      if newKey != key { renamed[newKey] = new }
      guard let old = register.state.value?.json else { continue }
      if newKey != key, keys.old != keys.new {
        // Nothing has the old address any more. A device that has not noticed it has other episodes there.
        new.state = register.state.with(nil, agreed: nil)
        (new.isApplied, new.local) = (true, nil)
      } else if !key.hasPrefix("clip/") {
        // The old name stays as another one of the item. Devices that do not know the new guid send it, and what is
        // removed later is removed under both names.
        guard naming.value(old) != old else { continue }
        new.state = register.state.with(naming.value(old), agreed: register.state.agreed)
      } else if naming.value(old) == old {
        continue
      }
      try table.write(key, new)
    }
    for (key, register) in renamed {
      var register = register
      // An episode may get the guid that another one had. Then the old register is about that one.
      if naming.key(key) == key, var known = try table.register(key) {
        if known.state.time >= register.state.time {
          // Another device had the new name before, and has a later change. It is applied when the document is stored.
          (known.isApplied, known.local) = (false, register.present)
          try table.write(key, known)
          continue
        }
        register.state = register.state.with(register.state.value?.json, seen: known.state.seen, agreed: nil)
      }
      try table.write(key, register)
    }
  }

  /// How keys and values change.
  private struct Naming {
    /// What names an episode now, by what named it before: "FEED GUID".
    let items: [String: Item]
    /// Keys of addresses.
    let feed: (old: String, new: String)
    /// Of the feed, as other devices get it.
    let url: String

    func key(_ key: String) -> String {
      guard let slash = key.firstIndex(of: "/") else { return key }
      let list = CollectionKind.list(of: key) ?? String(key[...slash])
      let rest = String(key.dropFirst(list.count))
      // "FEED GUID", "FEED GUID TAG", "FEED TAG" or "FEED". Guids and tags may contain spaces, so each split is tried.
      if let item = items[rest] { return list + item.name }
      if list == "tag-episode/" {
        for space in rest.indices where rest[space] == " " {
          if let item = items[String(rest[..<space])] { return list + item.name + rest[space...] }
        }
      }
      guard rest == feed.old || rest.hasPrefix(feed.old + " ") else { return key }
      return list + feed.new + rest.dropFirst(feed.old.count)
    }

    func value(_ text: String) -> String {
      guard case .object(var members)? = JSONValue(text), let podcast = members["podcast"]?.string,
        AddressKey.feed(podcast) == feed.old
      else { return text }
      let own = members["guid"]?.string ?? members["media"]?.string
      if let item = own.flatMap({ items["\(feed.old) \($0)"] }) {
        for name in ["guid", "media"] { members[name] = item.value[name] }
      }
      if feed.new != feed.old || own.map({ items["\(feed.old) \($0)"] != nil }) == true {
        members["podcast"] = .string(url)
      }
      let changed = JSONValue.object(members)
      return changed == JSONValue(text) ? text : changed.text
    }
  }
}

extension Versioned<RegisterValue> {
  /// Another value with the same time.
  /// - Parameter seen: another time that was seen.
  fileprivate func with(_ json: String?, seen: Double? = nil, agreed: Double?) -> Versioned {
    Versioned(
      value: RegisterValue(json), time: time, version: version, seen: [self.seen, seen].compactMap(\.self).max(),
      agreed: agreed)
  }
}
