import Foundation
import GRDB
import Model

/// Clips. Each edit is one step of the undo log.
extension Library {
  /// All clips or those of one episode, newest first.
  public func clips(of episode: EpisodeID? = nil) throws(StoreError) -> [Clip] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(StoredClip.columns) FROM clip WHERE ?1 IS NULL OR episodeID = ?1
          ORDER BY dateCreated DESC, id DESC
          """, arguments: [episode?.rawValue]
      ).map { row in try StoredClip(db, row).clip(id: ClipID(CheckedRow(row)[0])) }
    }
  }

  public func clip(_ id: ClipID) throws(StoreError) -> Clip? {
    try read { db in try StoredClip.fetch(db, id)?.clip(id: id) }
  }

  /// Creates a clip and adds it to "My Clips".
  /// - Parameters:
  ///   - startTime: seconds, not negative.
  ///   - endTime: seconds, after the start.
  public func addClip(
    of episode: EpisodeID, startTime: Double, endTime: Double, title: String? = nil, tags: [String] = [], now: Date
  ) throws(StoreError) -> ClipID {
    try Self.check(startTime, endTime)
    return try write { db in
      guard try Bool.fetchOne(db, sql: "SELECT 1 FROM episode WHERE id = ?", arguments: [episode.rawValue]) != nil
      else { throw StoreError.unknown("episode \(episode)") }
      try db.execute(
        sql: "INSERT INTO clip (episodeID, startTime, endTime, title, dateCreated, userID) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [episode.rawValue, startTime, endTime, Self.clipTitle(title), now.seconds, self.deviceID])
      let id = ClipID(db.lastInsertedRowID)
      try TagTable.clip.set(db, tags, of: id.rawValue)
      try db.execute(
        sql: """
          INSERT INTO playlistItem (playlistID, position, clipID)
          SELECT p.id, 1 + coalesce((SELECT max(position) FROM playlistItem WHERE playlistID = p.id), -1), ?
          FROM playlist p WHERE p.kind = 'myClips'
          """, arguments: [id.rawValue])
      try UndoLog.record(db, label: Self.label("Make", title), step: .clip(id: id, before: nil), now: now)
      return id
    }
  }

  /// A label for the undo log.
  private static func label(_ verb: String, _ title: String?) -> String {
    clipTitle(title).map { "\(verb) the clip “\($0)”" } ?? "\(verb) a clip"
  }

  /// Without white space around it. Nil if nothing remains.
  private static func clipTitle(_ title: String?) -> String? {
    title.map { $0.withoutNUL.trimmed }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Changes times, title, address and tags of a clip.
  public func updateClip(_ clip: Clip, now: Date) throws(StoreError) {
    try Self.check(clip.startTime, clip.endTime)
    try write { db in
      guard let before = try StoredClip.fetch(db, clip.id) else { throw StoreError.unknown("clip \(clip.id)") }
      try UndoLog.record(
        db, label: Self.label("Change", clip.title ?? before.title), step: .clip(id: clip.id, before: before), now: now)
      try db.execute(
        sql: "UPDATE clip SET startTime = ?, endTime = ?, title = ?, clipURL = ? WHERE id = ?",
        arguments: [
          clip.startTime, clip.endTime, Self.clipTitle(clip.title), clip.clipURL?.withoutNUL, clip.id.rawValue,
        ])
      try TagTable.clip.set(db, clip.tags, of: clip.id.rawValue)
    }
  }

  /// Deletes a clip, also from its playlists.
  public func deleteClip(_ id: ClipID, now: Date) throws(StoreError) { try deleteClips([id], now: now) }

  /// Deletes clips, as one step of the undo log.
  public func deleteClips(_ ids: [ClipID], now: Date) throws(StoreError) {
    try write { db in
      var steps: [UndoStep] = []
      var title: String?
      for id in ids {
        guard let before = try StoredClip.fetch(db, id) else { throw StoreError.unknown("clip \(id)") }
        steps.append(.clip(id: id, before: before))
        title = before.title
        try db.execute(sql: "DELETE FROM clip WHERE id = ?", arguments: [id.rawValue])
      }
      guard let first = steps.first else { return }
      let label = steps.count == 1 ? Self.label("Delete", title) : "Delete \(steps.count) clips"
      try UndoLog.record(db, label: label, step: steps.count == 1 ? first : .several(steps), now: now)
    }
  }

  private static func check(_ start: Double, _ end: Double) throws(StoreError) {
    guard start.isFinite, end.isFinite, start >= 0 else { throw .invalid("A clip's times are seconds from the start.") }
    guard end > start else { throw .invalid("A clip ends after it starts.") }
  }
}

/// A clip with its positions in playlists, as the undo log stores it. The property names are JSON keys.
struct StoredClip: Codable, Equatable {
  struct Place: Codable, Equatable {
    var playlist: Int64
    /// The number of items before it.
    var index: Int
  }
  var episode: Int64
  var startTime: Double
  var endTime: Double
  var title: String?
  var dateCreated: Double
  var clipURL: String?
  var userID: String
  var tags: [String]
  var places: [Place]

  static let columns = "id, episodeID, startTime, endTime, title, dateCreated, clipURL, userID"

  /// - Parameter withPlaces: false for a clip that stays in its playlists.
  init(_ db: Database, _ row: Row, withPlaces: Bool = true) throws {
    let row = CheckedRow(row)
    let id = try row[0] as Int64
    try (episode, startTime, endTime, title) = (row[1], row[2], row[3], row[4])
    try (dateCreated, clipURL, userID) = (row[5], row[6], row[7])
    tags = try TagTable.clip.tags(db, of: id)
    places =
      !withPlaces
      ? []
      : try Row.fetchAll(
        db,
        sql: """
          SELECT i.playlistID, (SELECT count(*) FROM playlistItem WHERE playlistID = i.playlistID AND position < i.position)
          FROM playlistItem i WHERE i.clipID = ?
          """, arguments: [id]
      ).map { try Place(playlist: CheckedRow($0)[0], index: CheckedRow($0)[1]) }
  }

  static func fetch(_ db: Database, _ id: ClipID, withPlaces: Bool = true) throws -> StoredClip? {
    try Row.fetchOne(db, sql: "SELECT \(columns) FROM clip WHERE id = ?", arguments: [id.rawValue])
      .map { try StoredClip(db, $0, withPlaces: withPlaces) }
  }

  func clip(id: ClipID) -> Clip {
    Clip(
      id: id, episode: EpisodeID(episode), startTime: startTime, endTime: endTime, title: title,
      dateCreated: Date(timeIntervalSince1970: dateCreated), clipURL: clipURL, userID: userID, tags: tags)
  }

  /// Restores the previous clip. Nil deletes it.
  static func restore(_ db: Database, _ id: ClipID, _ before: StoredClip?) throws {
    guard let before else {
      return try db.execute(sql: "DELETE FROM clip WHERE id = ?", arguments: [id.rawValue])
    }
    // Its episode may have been deleted meanwhile, if nothing else referred to it.
    let hasEpisode = "SELECT 1 FROM episode WHERE id = ?"
    guard try Bool.fetchOne(db, sql: hasEpisode, arguments: [before.episode]) != nil else { return }
    try db.execute(
      sql: """
        INSERT INTO clip (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (id) DO UPDATE SET startTime = ?3, endTime = ?4, title = ?5, clipURL = ?7
        """,
      arguments: [
        id.rawValue, before.episode, before.startTime, before.endTime, before.title, before.dateCreated,
        before.clipURL, before.userID,
      ])
    try TagTable.clip.set(db, before.tags, of: id.rawValue)
    for place in before.places {
      let list = PlaylistID(place.playlist)
      let item = StoredPlaylist.Item(.clip(id))
      guard var stored = try StoredPlaylist.fetch(db, list), !stored.items.contains(item) else { continue }
      stored.items.insert(item, at: min(place.index, stored.items.count))
      try StoredPlaylist.restore(db, list, stored)
    }
  }
}
