import Foundation
import GRDB
import Model
import Sync

/// Applies registers of other devices to the tables.
struct CollectionWriter {
  let db: Database
  let deviceID: String
  let now: Date
  /// Prefixes of lists whose items or order have changed: "queue/", "item/NAME/".
  var lists: Set<String> = []
  private var names: [Int64: EpisodeNames] = [:]

  init(db: Database, deviceID: String, now: Date) {
    self.db = db
    self.deviceID = deviceID
    self.now = now
  }

  /// - Returns: false if the register concerns something that does not exist here yet.
  mutating func apply(_ key: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    switch key.prefix(while: { $0 != "/" }) {
    case "queue":
      lists.insert("queue/")
      return try value == nil || episode(value) != nil
    case "item":
      return try applyItem(key, value)
    case "playlist": return try applyPlaylist(String(key.dropFirst(9)), value, &undo)
    case "clip": return try applyClip(String(key.dropFirst(5)), value, &undo)
    case "tag", "tag-episode": return try applyTag(key, value, &undo)
    case "settings": return try applySettings(key, value)
    case "artwork":
      guard let podcast = try podcast(key, value) else { return false }
      try Library.setImageURLOverride(db, value?["image"]?.string, of: podcast)
      return true
    case "source": return try applySource(key, value)
    // From a newer Earshot or another program. It is stored, and applied once this version understands it.
    default: return false
    }
  }

  private func podcast(_ key: String, _ value: JSONValue?) throws -> PodcastID? {
    let feedKey =
      value?["podcast"]?.string.map(AddressKey.feed)
      ?? String(key.drop { $0 != "/" }.dropFirst().prefix { $0 != " " })
    return try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM podcast WHERE feedKey = ?"), arguments: [feedKey]
    ).map { PodcastID($0) }
  }

  mutating func episode(_ value: JSONValue?) throws -> Int64? {
    guard let value, let podcast = try podcast("", value), let url = value["podcast"]?.string else { return nil }
    return try find(
      EpisodeReference(podcast: url, guid: value["guid"]?.string, mediaURL: value["media"]?.string), podcast.rawValue)
  }

  /// Finds the episode of a removed register by the name in the key: "FEED GUID".
  mutating func episode(named name: some StringProtocol) throws -> Int64? {
    guard let space = name.firstIndex(of: " ") else { return nil }
    let own = String(name[name.index(after: space)...])
    guard let podcast = try podcast("/" + name[..<space], nil) else { return nil }
    return try find(EpisodeReference(podcast: "", guid: own, mediaURL: own), podcast.rawValue)
  }

  private mutating func find(_ episode: EpisodeReference, _ podcast: Int64) throws -> Int64? {
    if names[podcast] == nil { names[podcast] = try EpisodeNames(db, podcast: podcast) }
    return names[podcast]?.find(episode)
  }

  // MARK: Single registers

  private mutating func applyPlaylist(_ name: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    let known = try SyncName.id(db, "playlist", name)
    guard let value else {
      guard let known, let before = try StoredPlaylist.fetch(db, PlaylistID(known)) else { return true }
      try undo.add(.playlist(id: PlaylistID(known), before: before), db, now: now)
      try StoredPlaylist.restore(db, PlaylistID(known), nil)
      return true
    }
    guard let title = value["title"]?.string?.withoutNUL.trimmed, !title.isEmpty else { return false }
    lists.insert("item/\(name)/")
    var id = try known.flatMap { try StoredPlaylist.fetch(db, PlaylistID($0)) == nil ? nil : $0 }
    if id == nil {
      // Two devices may have created the playlist before they synced. An unsynced one with the same title is the
      // same.
      id = try SyncName.unshared(db, playlist: title)
    }
    let before = try id.flatMap { try StoredPlaylist.fetch(db, PlaylistID($0)) }
    if id == nil {
      try db.execute(sql: "INSERT INTO playlist (title, lastUpdated) VALUES (?, ?)", arguments: [title, now.seconds])
      id = db.lastInsertedRowID
    }
    guard let id else { return false }
    try SyncName.set(db, "playlist", id, name)
    guard var playlist = try StoredPlaylist.fetch(db, PlaylistID(id)) else { return false }
    playlist.title = title
    playlist.slug = value["slug"]?.string
    playlist.url = value["url"]?.string
    playlist.filter = value["filter"]?.string
    playlist.sharePermission = value["share"]?.string.flatMap(SharePermission.init(rawValue:)) ?? .isPrivate
    playlist.lastUpdated = now.seconds
    try undo.add(.playlist(id: PlaylistID(id), before: before), db, now: now)
    try StoredPlaylist.restore(db, PlaylistID(id), playlist)
    return true
  }

  private mutating func applyClip(_ name: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    let known = try SyncName.id(db, "clip", name)
    let before = try known.flatMap { try StoredClip.fetch(db, ClipID($0)) }
    guard let value else {
      guard let known, let before else { return true }
      try undo.add(.clip(id: ClipID(known), before: before), db, now: now)
      try db.execute(sql: "DELETE FROM clip WHERE id = ?", arguments: [known])
      return true
    }
    guard let episode = try episode(value), let start = value["start"]?.number, let end = value["end"]?.number,
      start >= 0, end > start, end.isFinite
    else { return false }
    let created = value["created"]?.number ?? now.seconds
    let url = try value["url"]?.string.flatMap { url in
      // The URL must be unique. If another clip has it, it is left out.
      try Bool.fetchOne(
        db, sql: "SELECT 1 FROM clip WHERE clipURL = ? AND id IS NOT ?", arguments: [url, known]) == nil ? url : nil
    }
    let values: StatementArguments = [
      episode, start, end, value["title"]?.string?.withoutNUL, created, url,
      value["user"]?.string ?? deviceID,
    ]
    let id: Int64
    if let known, before != nil {
      try undo.add(.clip(id: ClipID(known), before: before), db, now: now)
      try db.execute(
        sql: """
          UPDATE clip SET episodeID = ?, startTime = ?, endTime = ?, title = ?, dateCreated = ?, clipURL = ?, userID = ?
          WHERE id = ?
          """, arguments: values + [known])
      id = known
    } else {
      try db.execute(
        sql: """
          INSERT INTO clip (episodeID, startTime, endTime, title, dateCreated, clipURL, userID)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """, arguments: values)
      id = db.lastInsertedRowID
      try SyncName.set(db, "clip", id, name)
      try undo.add(.clip(id: ClipID(id), before: nil), db, now: now)
    }
    try TagTable.clip.set(db, (value["tags"]?.array ?? []).compactMap(\.string), of: id)
    return true
  }

  private mutating func applyTag(_ key: String, _ value: JSONValue?, _ undo: inout SyncUndo) throws -> Bool {
    let name = key.drop { $0 != "/" }.dropFirst()
    let isEpisode = key.hasPrefix("tag-episode/")
    let kind: TagTable.Kind = isEpisode ? .episode : .podcast
    var tag = value?["tag"]?.string
    var owner: Int64?
    if let value {
      owner = isEpisode ? try episode(value) : try podcast(key, value)?.rawValue
    } else if isEpisode {
      // "FEED NAME TAG": names and tags may contain spaces, so each split is tried.
      for space in name.indices where name[space] == " " {
        guard let id = try episode(named: name[..<space]) else { continue }
        let rest = String(name[name.index(after: space)...])
        guard try TagTable.episode.tags(db, of: id).contains(rest) else { continue }
        (owner, tag) = (id, rest)
      }
    } else if let space = name.firstIndex(of: " ") {
      owner = try podcast("/" + name[..<space], nil)?.rawValue
      tag = String(name[name.index(after: space)...])
    }
    guard let owner, let tag else { return value == nil }
    let before = try kind.table.tags(db, of: owner)
    let after = before.filter { $0 != tag } + (value == nil ? [] : [tag])
    guard Set(after) != Set(before) else { return true }
    try undo.add(.tags(kind: kind, id: owner, before: before), db, now: now)
    try kind.table.set(db, after, of: owner)
    return true
  }

  private func applySettings(_ key: String, _ value: JSONValue?) throws -> Bool {
    guard let podcast = try podcast(key, value) else { return false }
    let text = try String.fetchOne(
      db, sql: "SELECT settings FROM podcastSettings WHERE podcastID = ?", arguments: [podcast.rawValue])
    var settings: [String: JSONValue] = [:]
    if case .object(let old)? = text.flatMap({ JSONValue($0) }) { settings = old }
    var shared: [String: JSONValue] = [:]
    if case .object(let new)? = value?["settings"] { shared = new }
    for name in CollectionReader.sharedSettings { settings[name] = shared[name] }
    guard !settings.isEmpty else {
      try db.execute(sql: "DELETE FROM podcastSettings WHERE podcastID = ?", arguments: [podcast.rawValue])
      return true
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO podcastSettings (podcastID, settings) VALUES (?, ?)",
      arguments: [podcast.rawValue, JSONValue.object(settings).text])
    return true
  }

  private func applySource(_ key: String, _ value: JSONValue?) throws -> Bool {
    guard let podcast = try podcast(key, value) else { return false }
    guard let source = value?["source"]?.string, ["apple", "spotify"].contains(source), let id = value?["id"]?.string
    else { return true }
    try db.execute(
      sql: "UPDATE podcast SET source = ?, sourceID = ? WHERE id = ?", arguments: [source, id, podcast.rawValue])
    return true
  }
}
