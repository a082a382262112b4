import Foundation
import GRDB
import Model

/// Playlists. Each edit is one step of the undo log. "My Episodes" and "My Clips" always exist.
extension Library {
  /// All playlists: "My Episodes" and "My Clips" first, then by title.
  public func playlists() throws(StoreError) -> [Playlist] {
    try read { db in
      let ids = try Int64.fetchAll(
        db, "SELECT id FROM playlist ORDER BY kind IS NULL, kind DESC, title COLLATE NOCASE, id")
      return try ids.compactMap { try StoredPlaylist.fetch(db, PlaylistID($0))?.playlist(id: PlaylistID($0)) }
    }
  }

  public func playlist(_ id: PlaylistID) throws(StoreError) -> Playlist? {
    try read { db in try StoredPlaylist.fetch(db, id)?.playlist(id: id) }
  }

  @discardableResult
  public func addPlaylist(
    title: String, items: [Playlist.Item] = [], now: Date
  ) throws(StoreError) -> PlaylistID {
    try makePlaylist(title: title, now: now) { db, id in
      guard !items.isEmpty, var made = try StoredPlaylist.fetch(db, id) else { return }
      made.items = items.map(StoredPlaylist.Item.init)
      try StoredPlaylist.restore(db, id, made)
    }
  }

  /// - Parameter fill: adds the first items of the new playlist, in the same transaction.
  func makePlaylist(
    title: String, now: Date, _ fill: (Database, PlaylistID) throws -> Void
  ) throws(StoreError) -> PlaylistID {
    let title = try Self.checked(title)
    return try write { db in
      try Self.checkIsFree(title, db, except: nil)
      try db.run(
        "INSERT INTO playlist (title, slug, lastUpdated) VALUES (?, ?, ?)",
        [title, try Self.freeSlug(title, db), now.seconds])
      let id = PlaylistID(db.lastInsertedRowID)
      try fill(db, id)
      try UndoLog.record(db, label: "Make the playlist “\(title)”", step: .playlist(id: id, before: nil), now: now)
      return id
    }
  }

  /// Changes title, slug, address, permission, items and filter of a playlist, and sets its date to now. Items that do
  /// not exist are left out.
  public func changePlaylist(
    _ id: PlaylistID, now: Date, _ body: (inout Playlist) throws(StoreError) -> Void
  ) throws(StoreError) {
    try change(id, "Change the playlist", now: now) { stored throws(StoreError) in
      var playlist = stored.playlist(id: id)
      try body(&playlist)
      let title = try Self.checked(playlist.title)
      guard stored.kind == nil || stored.title == title else { throw .invalid("“\(stored.title)” cannot be renamed.") }
      stored.title = title
      stored.slug = playlist.slug
      stored.url = playlist.url
      stored.sharePermission = playlist.sharePermission
      stored.items = playlist.items.map(StoredPlaylist.Item.init)
      stored.filter = playlist.filter
    }
  }

  /// Appends items. Items that are already in the playlist keep their position.
  /// - Returns: false if all of them are.
  @discardableResult
  public func addToPlaylist(_ id: PlaylistID, _ items: [Playlist.Item], now: Date) throws(StoreError) -> Bool {
    try change(id, "Add to", now: now) { stored in
      for item in items.map(StoredPlaylist.Item.init) where !stored.items.contains(item) { stored.items.append(item) }
    }
  }

  public func removeFromPlaylist(_ id: PlaylistID, _ items: [Playlist.Item], now: Date) throws(StoreError) {
    let removed = items.map(StoredPlaylist.Item.init)
    try change(id, "Take out of", now: now) { $0.items.removeAll(where: removed.contains) }
  }

  /// Moves items together, in the order of the playlist, so that the first of them is at an index (0 is the front;
  /// indexes beyond the end mean the end).
  public func moveInPlaylist(
    _ id: PlaylistID, _ items: [Playlist.Item], to index: Int, now: Date
  ) throws(StoreError) {
    let moved = items.map(StoredPlaylist.Item.init)
    try change(id, "Move in", now: now) { $0.items.move(at: $0.items.indexes(of: moved), to: index) }
  }

  /// Deletes the playlist, but not its items. "My Episodes" and "My Clips" cannot be deleted.
  public func deletePlaylist(_ id: PlaylistID, now: Date) throws(StoreError) {
    try write { db in
      guard let before = try StoredPlaylist.fetch(db, id) else { throw StoreError.unknown("playlist \(id)") }
      guard before.kind == nil else { throw StoreError.invalid("The playlist “\(before.title)” cannot be deleted.") }
      try UndoLog.record(
        db, label: "Delete the playlist “\(before.title)”", step: .playlist(id: id, before: before), now: now)
      try db.run("DELETE FROM playlist WHERE id = ?", [id.rawValue])
    }
  }

  /// - Parameter verb: what the change does, for the undo log. The title follows.
  /// - Returns: whether it is different now.
  @discardableResult
  func change(
    _ id: PlaylistID, _ verb: String, now: Date, _ body: (inout StoredPlaylist) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try write { db in
      guard let before = try StoredPlaylist.fetch(db, id) else { throw StoreError.unknown("playlist \(id)") }
      var after = before
      try body(&after)
      guard after != before else { return false }
      var steps = [UndoStep.playlist(id: id, before: before)]
      if !Playlist.isSameTitle(after.title, before.title) {
        try Self.checkIsFree(after.title, db, except: id)
        if let rules = try RuleTable.renamePlaylist(db, from: before.title, to: after.title) {
          steps.append(.rules(before: rules))
        }
      }
      if let slug = after.slug, slug != before.slug { try Self.checkIsFree(slug: slug, db, except: id) }
      let label = "\(verb) “\(after.title)”"
      try UndoLog.record(db, label: label, step: steps.count == 1 ? steps[0] : .several(steps), now: now)
      try StoredPlaylist.change(db, id, to: after, now: now)
      return true
    }
  }

  /// Refuses the title of another playlist, because playlists are found by their titles. Sync and undo can still bring
  /// back a playlist with the same title.
  private static func checkIsFree(_ title: String, _ db: Database, except playlist: PlaylistID?) throws {
    let others = try String.fetchAll(db, "SELECT title FROM playlist WHERE id IS NOT ?", [playlist?.rawValue])
    if let other = others.first(where: { Playlist.isSameTitle($0, title) }) {
      throw StoreError.invalid("There is a playlist named “\(other)” already.")
    }
  }

  private static func checkIsFree(slug: String, _ db: Database, except playlist: PlaylistID) throws {
    guard Int64(slug) == nil else { throw StoreError.invalid("“\(slug)” would be the number of a playlist.") }
    guard try !names(db, except: playlist).contains(slug.folded) else {
      throw StoreError.invalid("There is a playlist named “\(slug)” already.")
    }
  }

  /// The titles and slugs of the other playlists, folded: a playlist is found by either.
  private static func names(_ db: Database, except playlist: PlaylistID?) throws -> Set<String> {
    let names = try String.fetchAll(
      db,
      """
      SELECT title FROM playlist WHERE id IS NOT ?1
      UNION SELECT slug FROM playlist WHERE id IS NOT ?1 AND slug IS NOT NULL
      """, [playlist?.rawValue])
    return Set(names.map(\.folded))
  }

  static func checked(_ title: String) throws(StoreError) -> String {
    let title = title.withoutNUL.singleLine.trimmed
    guard !title.isEmpty else { throw .invalid("A playlist needs a title.") }
    return title
  }

  /// "Für den Urlaub!" becomes "fur-den-urlaub", or "fur-den-urlaub-2" if another playlist is found by that.
  private static func freeSlug(_ title: String, _ db: Database) throws -> String? {
    let words = title.folded.split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty else { return nil }
    let taken = try names(db, except: nil)
    let slug = words.joined(separator: "-")
    var (free, number) = (slug, 1)
    while taken.contains(free) || Int64(free) != nil {
      number += 1
      free = "\(slug)-\(number)"
    }
    return free
  }
}

/// A playlist with its items, as the undo log stores it. The property names are JSON keys.
struct StoredPlaylist: Codable, Equatable {
  struct Item: Codable, Hashable {
    var episode: Int64?
    var clip: Int64?
    init(_ item: Playlist.Item) {
      switch item {
      case .episode(let id): episode = id.rawValue
      case .clip(let id): clip = id.rawValue
      }
    }
    init(episode: Int64?, clip: Int64?) { (self.episode, self.clip) = (episode, clip) }
    var item: Playlist.Item? { clip.map { .clip(ClipID($0)) } ?? episode.map { .episode(EpisodeID($0)) } }
  }
  var title: String
  var slug: String?
  var url: String?
  var sharePermission: SharePermission
  var lastUpdated: Double
  var kind: String?
  var items: [Item]
  /// The filter of a smart playlist. Missing in older steps of the log.
  var filter: String?

  static func fetch(_ db: Database, _ id: PlaylistID) throws -> StoredPlaylist? {
    guard
      let row = try db.row(
        """
        SELECT title, slug, url, sharePermission, lastUpdated, kind, filter
        FROM playlist LEFT JOIN smartPlaylist ON playlistID = id WHERE id = ?
        """, [id.rawValue])
    else { return nil }
    let items = try db.rows(
      "SELECT episodeID, clipID FROM playlistItem WHERE playlistID = ? ORDER BY position", [id.rawValue])
    let permission: String = try row[3]
    guard let permission = SharePermission(rawValue: permission) else {
      throw StoreError.unknownCode(permission, what: "the permission of a playlist")
    }
    return try StoredPlaylist(
      title: row[0], slug: row[1], url: row[2], sharePermission: permission, lastUpdated: row[4], kind: row[5],
      items: items.map { try Item(episode: $0[0], clip: $0[1]) }, filter: row[6])
  }

  func playlist(id: PlaylistID) -> Playlist {
    Playlist(
      id: id, title: title, slug: slug, url: url, sharePermission: sharePermission,
      lastUpdated: Date(timeIntervalSince1970: lastUpdated), isMyEpisodes: kind == "myEpisodes",
      isMyClips: kind == "myClips",
      items: items.compactMap(\.item), filter: filter)
  }

  /// Stores a changed playlist, and sets its date to now.
  static func change(_ db: Database, _ id: PlaylistID, to value: StoredPlaylist, now: Date) throws {
    var value = value
    value.lastUpdated = now.seconds
    try restore(db, id, value)
  }

  /// Sets the date of the playlists with this clip to now. Call before the clip leaves them.
  static func setUpdated(_ db: Database, with clip: ClipID, now: Date) throws {
    try db.run(
      "UPDATE playlist SET lastUpdated = ? WHERE id IN (SELECT playlistID FROM playlistItem WHERE clipID = ?)",
      [now.seconds, clip.rawValue])
  }

  /// Restores the playlist to this value. Nil deletes it. Items that do not exist are left out.
  static func restore(_ db: Database, _ id: PlaylistID, _ value: StoredPlaylist?) throws {
    guard let value else {
      return try db.run("DELETE FROM playlist WHERE id = ? AND kind IS NULL", [id.rawValue])
    }
    try db.run(
      """
      INSERT INTO playlist (id, title, slug, url, sharePermission, lastUpdated, kind)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (id) DO UPDATE SET title = ?2, slug = ?3, url = ?4, sharePermission = ?5, lastUpdated = ?6
      """,
      [
        id.rawValue, value.title, value.slug, value.url, value.sharePermission.rawValue, value.lastUpdated, value.kind,
      ])
    try SmartPlaylist.write(db, id, filter: value.filter)
    try db.run("DELETE FROM playlistItem WHERE playlistID = ?", [id.rawValue])
    for (position, item) in value.items.enumerated() {
      try db.run(
        """
        INSERT INTO playlistItem (playlistID, position, episodeID, clipID)
        SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM episode WHERE id = ?3)
          OR EXISTS (SELECT 1 FROM clip WHERE id = ?4)
        """, [id.rawValue, position, item.episode, item.clip])
    }
  }
}
