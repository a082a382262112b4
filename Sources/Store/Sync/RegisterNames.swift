import GRDB
import Model
import Sync

/// What names a podcast and its episodes on every device, in the keys and the values of registers.
///
/// A publisher changes guids, or a feed moves. That is no change by the listener, so a register keeps its time and is
/// sent under its new name, too. If it counted as removed and made again now, it would win over what other devices have
/// changed since. Removed registers get new names as well: another device may still have the item. Transcripts are
/// compared in another way (`SyncTranscript`).
struct RegisterNames {
  /// The address of the feed.
  let feed: String
  /// The episodes by their ids.
  var items: [Int64: CollectionReader.Item] = [:]

  /// - Parameter stored: the episodes, if they were read before.
  /// - Returns: nil if nothing was synced with a folder.
  init?(_ db: Database, of podcast: PodcastID, _ stored: StoredKeys? = nil) throws {
    guard try SyncCollections.isUsed(db), let feed = try Library.feedURL(db, of: podcast) else { return nil }
    self.feed = feed
    let stored = try stored ?? StoredKeys(db, podcast: podcast)
    for (id, key) in zip(stored.ids, stored.keys) { items[id] = item(key) }
  }

  /// Nil if other devices could not find the episode.
  func item(_ key: EpisodeKey) -> CollectionReader.Item? {
    CollectionReader.item(feed, guid: key.guid, media: key.mediaURL)
  }

  /// Gives the registers their new names.
  /// - Parameter new: what names the same podcast and the same episodes now.
  func change(to new: RegisterNames, _ db: Database) throws {
    var items: [String: CollectionReader.Item] = [:]
    let counts = Dictionary(grouping: self.items.values, by: \.name).mapValues(\.count)
    for (id, item) in self.items where counts[item.name] == 1 {
      // Some feeds give a guid to several episodes.
      if let now = new.items[id], now.name != item.name { items[item.name] = now }
    }
    let keys = (old: AddressKey.feed(feed), new: AddressKey.feed(new.feed))
    guard !items.isEmpty || keys.old != keys.new else { return }
    let naming = Naming(items: items, feed: keys, url: SyncAddress.sent(new.feed) ?? new.feed)
    let table = RegisterTable(db: db)
    var renamed: [String: RegisterTable.Stored] = [:]
    for (key, register) in try table.registers(naming: keys.old) {
      let newKey = naming.key(key)
      let value = register.state.value?.json
      var changed = register
      changed.state = register.state.with(value.map(naming.value), agreed: nil)
      changed.local = register.local.map(naming.value)
      if newKey != key { renamed[newKey] = changed }
      // What becomes of the old name. That of a removed register stays.
      if newKey != key, keys.old != keys.new {
        // Nothing has the old address any more. A device that has not noticed it has other episodes there.
        changed = RegisterTable.Stored(state: register.state.with(nil, agreed: nil), isApplied: true)
      } else if !key.hasPrefix("clip/") {
        // It is another name of the item. Devices that do not know the new guid send it, and what is removed later is
        // removed under both names. It is not sent again.
        changed.state = register.state.with(value.map(naming.value), agreed: register.state.agreed)
      }
      guard let value, changed.state.value?.json != value else { continue }
      try table.write(key, changed)
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
    let items: [String: CollectionReader.Item]
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
