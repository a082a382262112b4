import Foundation
import GRDB
import Model
import Sync

/// Reads the listener's collections from the tables as registers: key and JSON of each. docs/SYNC.md describes them.
struct CollectionReader {
  let db: Database
  /// The registers as they were last stored, for the order keys of list items.
  let stored: [String: String]

  func read(_ kind: CollectionKind) throws -> [String: String] {
    var result: [String: String] = [:]
    switch kind {
    case .queue: try readQueue(into: &result)
    case .clips: try readClips(into: &result)
    case .playlists: try readPlaylists(into: &result)
    case .items: try readItems(into: &result)
    case .tags: try readTags(into: &result)
    case .podcasts: try readPodcasts(into: &result)
    case .rules: order(try SyncRule.read(db), under: SyncRule.prefix, into: &result)
    }
    return result
  }

  /// The items of one list.
  /// - Parameter list: the beginning of their keys: "queue/", "rule/", "item/NAME/".
  func read(list: String) throws -> [String: String] {
    if list == SyncRule.prefix { return try read(.rules) }
    var result: [String: String] = [:]
    if list == "queue/" {
      try readQueue(into: &result)
    } else if let id = try SyncName.playlist(db, list: list) {
      try readItems(of: id, into: &result)
    }
    return result
  }

  typealias Item = (name: String, value: [String: JSONValue])

  /// The episode of a row that begins with `feedURL`, `guid` and `mediaURL`.
  static func item(_ row: CheckedRow) throws -> Item? {
    item(try row[0], guid: try row[1], media: try row[2])
  }

  /// The episode with its name on every device: its feed's key and its guid, or else its address. Nil if other devices
  /// could not find it.
  static func item(_ feed: String, guid: String?, media: String?) -> Item? {
    guard feed.hasPrefix("http"), let own = guid ?? media, !own.isEmpty else { return nil }
    var value: [String: JSONValue] = ["podcast": .string(SyncAddress.sent(feed) ?? feed)]
    value["guid"] = guid.map { .string($0) }
    value["media"] = media.map { .string(SyncAddress.sent($0) ?? $0) }
    return (AddressKey.feed(feed) + " " + own, value)
  }

  /// Adds the items of a list as registers, with order keys for their current order.
  private func order(_ items: [Item], under prefix: String, into result: inout [String: String]) {
    var old: [String: String] = [:]
    for item in items {
      old[item.name] = stored[prefix + item.name].flatMap { JSONValue($0) }?["place"]?.string
    }
    let keys = OrderKey.assign(items.map(\.name), old: old)
    for item in items {
      var value = item.value
      value["place"] = keys[item.name].map { .string($0) }
      result[prefix + item.name] = JSONValue.object(value).text
    }
  }

  private func readQueue(into result: inout [String: String]) throws {
    let rows = try db.rows(
      """
      SELECT p.feedURL, e.guid, e.mediaURL FROM queue q JOIN episode e ON e.id = q.episodeID
      JOIN podcast p ON p.id = e.podcastID ORDER BY q.position
      """)
    order(Self.unique(try rows.compactMap { try Self.item($0) }), under: "queue/", into: &result)
  }

  private static func unique(_ items: [Item]) -> [Item] {
    var seen: Set<String> = []
    return items.filter { seen.insert($0.name).inserted }
  }

  private func readClips(into result: inout [String: String]) throws {
    let rows = try db.rows(
      """
      SELECT p.feedURL, e.guid, e.mediaURL, c.id, c.startTime, c.endTime, c.title, c.dateCreated, c.clipURL, c.userID,
        c.kind, c.note
      FROM clip c JOIN episode e ON e.id = c.episodeID JOIN podcast p ON p.id = e.podcastID
      """)
    for row in rows {
      guard let item = try Self.item(row) else { continue }
      let id = try row[3] as Int64
      var value = item.value
      value["start"] = .number(try row[4])
      // A device with an older version leaves aside what has no end.
      value["end"] = (try row[5] as Double?).map { .number($0) }
      value["title"] = (try row[6] as String?).map { .string($0) }
      value["created"] = .number(try row[7])
      value["url"] = (try row[8] as String?).map { .string($0) }
      value["user"] = .string(try row[9])
      if case let kind = try row[10] as String, kind != Clip.Kind.clip.rawValue { value["kind"] = .string(kind) }
      value["note"] = (try row[11] as String?).map { .string($0) }
      let tags = try TagTable.clip.tags(db, of: id)
      if !tags.isEmpty { value["tags"] = .array(tags.map { .string($0) }) }
      result["clip/" + (try SyncName.name(db, "clip", id))] = JSONValue.object(value).text
    }
  }

  private func readPlaylists(into result: inout [String: String]) throws {
    let rows = try db.rows(
      """
      SELECT id, title, sharePermission, slug, url, filter FROM playlist LEFT JOIN smartPlaylist ON playlistID = id
      WHERE kind IS NULL
      """)
    for row in rows {
      var value: [String: JSONValue] = ["title": .string(try row[1]), "share": .string(try row[2])]
      for (index, name) in [(3, "slug"), (4, "url"), (5, "filter")] {
        value[name] = (try row[index] as String?).map { .string($0) }
      }
      result["playlist/" + (try SyncName.name(db, "playlist", row[0]))] = JSONValue.object(value).text
    }
  }

  /// - Parameter playlist: nil: the items of all playlists.
  private func readItems(of playlist: Int64? = nil, into result: inout [String: String]) throws {
    let rows = try db.rows(
      """
      SELECT p.feedURL, e.guid, e.mediaURL, i.clipID, i.playlistID FROM playlistItem i
      LEFT JOIN episode e ON e.id = i.episodeID LEFT JOIN podcast p ON p.id = e.podcastID
      \(playlist == nil ? "" : "WHERE i.playlistID = ?") ORDER BY i.playlistID, i.position
      """, playlist.map { [$0] } ?? [])
    var items: [Int64: [Item]] = [:]
    for row in rows {
      let item: Item?
      if let clip = try row[3] as Int64? {
        let name = try SyncName.name(db, "clip", clip)
        item = ("clip " + name, ["clip": .string(name)])
      } else {
        item = try Self.item(row)
      }
      if let item { items[try row[4], default: []].append(item) }
    }
    for (id, items) in items {
      let name = try SyncName.known(db, playlist: id) ?? SyncName.name(db, "playlist", id)
      order(Self.unique(items), under: "item/\(name)/", into: &result)
    }
  }

  private func readTags(into result: inout [String: String]) throws {
    let podcasts = try db.rows("SELECT p.feedURL, t.tag FROM podcastTag t JOIN podcast p ON p.id = t.podcastID")
    for row in podcasts {
      let (feed, tag) = (try row[0] as String, try row[1] as String)
      guard let url = SyncAddress.sent(feed) else { continue }
      result["tag/\(AddressKey.feed(feed)) \(tag)"] =
        JSONValue.object(["podcast": .string(url), "tag": .string(tag)]).text
    }
    let episodes = try db.rows(
      """
      SELECT p.feedURL, e.guid, e.mediaURL, t.tag FROM episodeTag t JOIN episode e ON e.id = t.episodeID
      JOIN podcast p ON p.id = e.podcastID
      """)
    for row in episodes {
      guard var item = try Self.item(row) else { continue }
      let tag = try row[3] as String
      item.value["tag"] = .string(tag)
      result["tag-episode/\(item.name) \(tag)"] = JSONValue.object(item.value).text
    }
  }

  /// The podcast settings in the register `settings/FEED`. User names and passwords stay on the device. The order has a
  /// register of its own, so that a version that does not know it cannot remove it.
  static let sharedSettings = ["show", "autoDownload", "keepDownloads"]

  private func readPodcasts(into result: inout [String: String]) throws {
    let rows = try db.rows(
      """
      SELECT p.feedURL, s.settings, c.imageURLOverride, p.source, p.sourceID FROM podcast p
      LEFT JOIN podcastSettings s ON s.podcastID = p.id LEFT JOIN podcastContent c ON c.podcastID = p.id
      WHERE s.settings IS NOT NULL OR c.imageURLOverride IS NOT NULL OR p.source <> 'rss'
      """)
    for row in rows {
      let feed = try row[0] as String
      guard let url = SyncAddress.sent(feed) else { continue }
      func add(_ kind: String, _ members: [String: JSONValue]) {
        var value = members
        value["podcast"] = .string(url)
        result["\(kind)/\(AddressKey.feed(feed))"] = JSONValue.object(value).text
      }
      if case .object(let all)? = try (row[1] as String?).flatMap({ JSONValue($0) }) {
        let shared = all.filter { Self.sharedSettings.contains($0.key) && $0.value != .null }
        if !shared.isEmpty { add("settings", ["settings": .object(shared)]) }
        if let order = all["order"]?.string { add("order", ["order": .string(order)]) }
      }
      if let image = try row[2] as String? { add("artwork", ["image": .string(image)]) }
      let source = try row[3] as String
      if source != "rss" { add("source", ["source": .string(source), "id": .string(try row[4])]) }
    }
  }
}
