import Foundation
import GRDB
import Model
import Sync

/// Applies registers of other devices to the tables.
struct CollectionWriter {
  let db: Database
  let deviceID: String
  let now: Date
  /// Whether transcripts of other devices are taken.
  let takesTranscripts: Bool
  /// Prefixes of lists whose items or order have changed: "queue/", "rule/", "item/NAME/".
  var lists: Set<String> = []
  private var names: [Int64: EpisodeNames] = [:]
  /// Podcasts by the keys of their feeds.
  private var podcasts: [String: PodcastID?] = [:]
  /// Playlists that were never synced, by title. Nil: not read yet.
  private var unshared: [String: SyncName.Unshared]?

  /// How many podcasts have their names in memory.
  private static let maxNames = 50

  init(db: Database, deviceID: String, now: Date, takesTranscripts: Bool = false) {
    self.db = db
    self.deviceID = deviceID
    self.now = now
    self.takesTranscripts = takesTranscripts
  }

  /// Applies a register that is no item of a list (`order`).
  /// - Parameter old: what the tables have instead.
  /// - Returns: false if it concerns something that does not exist here yet.
  mutating func apply(
    _ key: String, _ value: JSONValue?, old: JSONValue?, _ undo: inout SyncUndo
  ) throws -> Bool {
    switch key.prefix(while: { $0 != "/" }) {
    case "playlist": return try applyPlaylist(String(key.dropFirst(9)), value, &undo)
    case "clip": return try applyClip(String(key.dropFirst(5)), value, &undo)
    case "tag", "tag-episode": return try applyTag(key, value, old: old, &undo)
    case "settings": return try applySettings(key, value, &undo)
    case "order": return try applyOrder(key, value, &undo)
    case "artwork":
      guard let podcast = try podcast(key, value) else { return false }
      try Library.setImageURLOverride(db, value?["image"]?.string, of: podcast)
      return true
    case "source": return try applySource(key, value)
    case "transcript" where takesTranscripts:
      let name = key.dropFirst(SyncTranscript.prefix.count)
      guard let episode = try value == nil ? episode(named: name) : episode(value) else { return value == nil }
      let transcripts = SyncTranscript(db: db)
      // Another device has removed the old name of an episode whose guid has changed.
      if value == nil, try transcripts.isKept(episode, besides: key, find: { try self.episode($0) }) { return true }
      return try transcripts.apply(episode, value, now: now)
    // From a newer Earshot or another program. It is stored, and applied once this version understands it.
    default: return false
    }
  }

  private mutating func podcast(_ key: String, _ value: JSONValue?) throws -> PodcastID? {
    let feedKey =
      value?["podcast"]?.string.map(AddressKey.feed)
      ?? String(key.drop { $0 != "/" }.dropFirst().prefix { $0 != " " })
    if let known = podcasts[feedKey] { return known }
    let found = try Library.podcastID(db, feedKey: feedKey)
    podcasts[feedKey] = .some(found)
    return found
  }

  mutating func episode(_ value: JSONValue?) throws -> Int64? {
    guard let value, let podcast = try podcast("", value), let url = value["podcast"]?.string else { return nil }
    return try find(
      EpisodeReference(podcast: url, guid: value["guid"]?.string, mediaURL: value["media"]?.string), podcast.rawValue)
  }

  /// The key that this device gives to what a register names. Nil: the register names no episode of this library.
  mutating func ownKey(_ key: String, _ value: String?) throws -> String? {
    guard let value = value.flatMap({ JSONValue($0) }), let id = try episode(value) else { return nil }
    let row = try db.row(
      "SELECT p.feedURL, e.guid, e.mediaURL FROM episode e JOIN podcast p ON p.id = e.podcastID WHERE e.id = ?", [id])
    guard let name = try row.flatMap({ try CollectionReader.item($0) })?.name else { return nil }
    if let list = CollectionKind.list(of: key) { return list + name }
    return value["tag"]?.string.map { tag in "tag-episode/\(name) \(tag)" }
  }

  /// Finds the episode of a removed register by the name in the key: "FEED GUID".
  mutating func episode(named name: some StringProtocol) throws -> Int64? {
    guard let space = name.firstIndex(of: " ") else { return nil }
    let own = String(name[name.index(after: space)...])
    guard let podcast = try podcast("/" + name[..<space], nil) else { return nil }
    return try find(EpisodeReference(podcast: "", guid: own, mediaURL: own), podcast.rawValue)
  }

  private mutating func find(_ episode: EpisodeReference, _ podcast: Int64) throws -> Int64? {
    if names[podcast] == nil {
      if names.count >= Self.maxNames { names = [:] }
      names[podcast] = try EpisodeNames(db, podcast: podcast)
    }
    return names[podcast]?.find(episode)
  }

  // MARK: Single registers

  private mutating func applyPlaylist(_ name: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    let known = try SyncName.id(db, "playlist", name).map { PlaylistID($0) }
    guard let value else {
      guard let known, let before = try StoredPlaylist.fetch(db, known) else { return true }
      try undo.add("playlist \(known)", db, now: now) { .playlist(id: known, before: before) }
      lists.insert("item/\(name)/")
      try StoredPlaylist.restore(db, known, nil)
      return true
    }
    guard let title = value["title"]?.string?.withoutNUL.trimmed, !title.isEmpty else { return false }
    lists.insert("item/\(name)/")
    // What it had before it was removed waits until `order` applies it.
    if known == nil { try RegisterTable(db: db).markWaiting(list: "item/\(name)/") }
    // Two devices may have created the playlist before they synced. An unsynced one with the same title is the same.
    let old = try known ?? adopt(title)
    if let old {
      try undo.add("playlist \(old)", db, now: now) { .playlist(id: old, before: try StoredPlaylist.fetch(db, old)) }
    } else {
      try db.run("INSERT INTO playlist (title, lastUpdated) VALUES (?, ?)", [title, now.seconds])
    }
    let id = old ?? PlaylistID(db.lastInsertedRowID)
    if old == nil { try undo.add("playlist \(id)", db, now: now) { .playlist(id: id, before: nil) } }
    try SyncName.set(db, "playlist", id.rawValue, name)
    let share = value["share"]?.string.flatMap(SharePermission.init(rawValue:)) ?? .isPrivate
    try db.run(
      "UPDATE playlist SET title = ?, slug = ?, url = ?, sharePermission = ?, lastUpdated = ? WHERE id = ?",
      [title, value["slug"]?.string, value["url"]?.string, share.rawValue, now.seconds, id.rawValue])
    try SmartPlaylist.write(db, id, filter: value["filter"]?.string)
    return true
  }

  /// A playlist with this title that was never synced. It gets another name, so its registers are deleted.
  private mutating func adopt(_ title: String) throws -> PlaylistID? {
    var unshared = try self.unshared ?? SyncName.unsharedPlaylists(db)
    self.unshared = nil
    let found = unshared.removeValue(forKey: title)
    self.unshared = unshared
    if let name = found?.name { try SyncName.deleteUnsent(db, playlist: name) }
    return found.map { PlaylistID($0.id) }
  }

  private mutating func applyClip(_ name: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    let known = try SyncName.id(db, "clip", name)
    guard let value else {
      if let known { try delete(clip: ClipID(known), &undo) }
      return true
    }
    let kind = value["kind"]?.string ?? Clip.Kind.clip.rawValue
    let end = value["end"]?.number
    // The other device may know the episode under another name.
    let owner = try known.flatMap {
      try Int64.fetchOne(db, "SELECT episodeID FROM clip WHERE id = ?", [$0])
    }
    guard let episode = try episode(value) ?? owner, let start = value["start"]?.number,
      (try? Library.check(Clip.Kind(rawValue: kind) ?? .clip, start, end)) != nil
    else { return false }
    let latest = now.seconds + SyncClock.maxClockFuture
    let created = value["created"]?.number.flatMap { (0...latest).contains($0) ? $0 : nil } ?? now.seconds
    let url = try value["url"]?.string.flatMap { url in
      // The URL must be unique. If another clip has it, it is left out.
      try db.hasRow("SELECT 1 FROM clip WHERE clipURL = ? AND id IS NOT ?", [url, known]) ? nil : url
    }
    if let known {
      // It stays in its playlists.
      try undo.add("clip \(known)", db, now: now) {
        .clip(id: ClipID(known), before: try StoredClip.fetch(db, ClipID(known), withPlaylists: false))
      }
    }
    try db.run(
      ColumnList.upsert(into: "clip", StoredClip.columnNames),
      [
        known, episode, start, end, value["title"]?.string?.withoutNUL, created, url, value["user"]?.string ?? deviceID,
        kind, value["note"]?.string?.withoutNUL,
      ])
    let id = known ?? db.lastInsertedRowID
    if known == nil {
      // If it was removed here, it comes back to its playlists.
      if try SyncName.forget(db, clip: name) { try RegisterTable(db: db).markWaiting(clip: name) }
      try SyncName.set(db, "clip", id, name)
      try undo.add("clip \(id)", db, now: now) { .clip(id: ClipID(id), before: nil) }
    }
    try TagTable.clip.set(db, (value["tags"]?.array ?? []).compactMap(\.string), of: id)
    return true
  }

  /// Its playlists are steps of their own: each is stored once, however many of its clips are deleted.
  private mutating func delete(clip: ClipID, _ undo: inout SyncUndo) throws {
    let lists = try Int64.fetchAll(db, "SELECT playlistID FROM playlistItem WHERE clipID = ?", [clip.rawValue])
      .map { PlaylistID($0) }
    for list in lists {
      if let name = try SyncName.known(db, playlist: list.rawValue) { self.lists.insert("item/\(name)/") }
      try undo.add("playlist \(list)", db, now: now) {
        .playlist(id: list, before: try StoredPlaylist.fetch(db, list))
      }
    }
    try undo.add("clip \(clip)", db, now: now) {
      .clip(id: clip, before: try StoredClip.fetch(db, clip, withPlaylists: false))
    }
    try StoredClip.delete(db, clip, now: now)
  }

  private mutating func applyTag(
    _ key: String, _ value: JSONValue?, old: JSONValue?, _ undo: inout SyncUndo
  ) throws -> Bool {
    let name = key.drop { $0 != "/" }.dropFirst()
    let isEpisode = key.hasPrefix("tag-episode/")
    let kind: TagTable = isEpisode ? .episode : .podcast
    var tag = value?["tag"]?.string
    var owner: Int64?
    if let value {
      owner = isEpisode ? try episode(value) : try podcast(key, value)?.rawValue
    } else if isEpisode {
      // "FEED NAME TAG": names and tags may contain spaces, so each split is tried.
      for space in name.indices where name[space] == " " {
        guard let id = try episode(named: name[..<space]) else { continue }
        let rest = String(name[name.index(after: space)...])
        guard try TagTable.episode.contains(db, rest, of: id) else { continue }
        (owner, tag) = (id, rest)
      }
      // The other device knows the new guid of an episode, and this one not yet.
      if owner == nil, let old { (owner, tag) = (try episode(old), old["tag"]?.string) }
    } else if let space = name.firstIndex(of: " ") {
      owner = try podcast("/" + name[..<space], nil)?.rawValue
      tag = String(name[name.index(after: space)...])
    }
    guard let owner, let tag = tag?.withoutNUL.trimmed, !tag.isEmpty else { return value == nil }
    if value == nil, isEpisode, try isTagSet(tag, of: owner, besides: key) { return true }
    guard try kind.contains(db, tag, of: owner) != (value != nil) else { return true }
    try undo.add("tags \(kind) \(owner)", db, now: now) {
      .tags(kind: kind, id: owner, before: try kind.tags(db, of: owner))
    }
    try kind.change(db, tag, isSet: value != nil, of: owner)
    return true
  }

  /// Whether the device that removed the tag has set it under another name of the episode, whose guid has changed.
  private mutating func isTagSet(_ tag: String, of owner: Int64, besides key: String) throws -> Bool {
    // All keys of the same feed: "tag-episode/FEED ".
    let feed = key.prefix { $0 != " " }
    let values = try String.fetchAll(
      db,
      """
      SELECT value FROM syncRegister WHERE key >= ?1 AND key < ?2 AND key <> ?3 AND value IS NOT NULL
        AND time >= coalesce((SELECT time FROM syncRegister WHERE key = ?3), 0)
      """, ["\(feed) ", "\(feed)!", key])
    for value in values.lazy.compactMap({ JSONValue($0) }) where value["tag"]?.string == tag {
      if try episode(value) == owner { return true }
    }
    return false
  }

  private mutating func applySettings(_ key: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    var shared: [String: JSONValue] = [:]
    if case .object(let new)? = value?["settings"] { shared = new }
    return try changeSettings(key, value, &undo) { settings in
      for name in CollectionReader.sharedSettings { settings[name] = shared[name] }
    }
  }

  /// An order that this version does not know waits.
  private mutating func applyOrder(_ key: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    guard value == nil || value?["order"]?.string.flatMap({ EpisodeOrder(rawValue: $0) }) != nil else { return false }
    return try changeSettings(key, value, &undo) { $0["order"] = value?["order"] }
  }

  /// Settings with values that this version does not know or allow wait.
  private mutating func changeSettings(
    _ key: String, _ value: JSONValue?, _ undo: inout SyncUndo, _ change: (inout [String: JSONValue]) -> Void
  ) throws -> Bool {
    guard let podcast = try podcast(key, value) else { return false }
    let text = try String.fetchOne(db, "SELECT settings FROM podcastSettings WHERE podcastID = ?", [podcast.rawValue])
    var settings: [String: JSONValue] = [:]
    if case .object(let old)? = text.flatMap({ JSONValue($0) }) { settings = old }
    change(&settings)
    let changed = JSONValue.object(settings).text
    let before = text.map(Library.podcastSettings) ?? PodcastSettings()
    let after = Library.podcastSettings(changed)
    guard after.isWithinLimits else { return false }
    if after != before {
      try undo.add("settings \(podcast)", db, now: now) { .podcastSettings(podcast: podcast, before: before) }
    }
    try Library.writePodcastSettings(db, settings.isEmpty ? nil : changed, of: podcast)
    return true
  }

  private mutating func applySource(_ key: String, _ value: JSONValue?) throws -> Bool {
    guard let podcast = try podcast(key, value) else { return false }
    guard let source = value?["source"]?.string, ["apple", "spotify"].contains(source), let id = value?["id"]?.string
    else { return value == nil }
    try db.run("UPDATE podcast SET source = ?, sourceID = ? WHERE id = ?", [source, id, podcast.rawValue])
    return true
  }
}
