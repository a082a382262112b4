import Foundation
import GRDB
import Model

/// Clips. Each edit is one step of the undo log.
extension Library {
  /// All clips and bookmarks, or those of one episode, newest first.
  /// - Parameter kind: parts to skip, or notes about episodes, instead.
  public func clips(of episode: EpisodeID? = nil, kind: Clip.Kind = .clip) throws(StoreError) -> [Clip] {
    try read { db in
      try StoredClip.all(
        db, "(?1 IS NULL OR episodeID = ?1) AND kind = ?2 ORDER BY dateCreated DESC, id DESC",
        [episode?.rawValue, kind.rawValue])
    }
  }

  /// All that the listener has marked in an episode, in order of time.
  public func marks(of episode: EpisodeID) throws(StoreError) -> [Clip] {
    try read { db in try StoredClip.marks(db, of: episode) }
  }

  public func clip(_ id: ClipID) throws(StoreError) -> Clip? {
    try read { db in try StoredClip.fetch(db, id)?.clip(id: id) }
  }

  /// Creates a clip or a bookmark and adds it to "My Clips", or a part to skip.
  /// - Parameters:
  ///   - startTime: seconds, not negative.
  ///   - endTime: seconds, after the start. Nil: a bookmark. Its title is then what is said or listed there, unless
  ///     there is one.
  public func addClip(
    of episode: EpisodeID, kind: Clip.Kind = .clip, startTime: Double, endTime: Double?, title: String? = nil,
    note: String? = nil, tags: [String] = [], now: Date
  ) throws(StoreError) -> ClipID {
    try Self.check(kind, startTime, endTime)
    let chapters = endTime == nil && title == nil && kind == .clip ? try chapters(episode) : []
    return try write { db in
      let title = try endTime == nil && kind == .clip ? title ?? Self.words(db, episode, startTime, chapters) : title
      return try add(
        db, episode, kind, startTime, endTime, title: title, note: note, tags: tags,
        label: { Self.label("Make", $0) }, now: now)
    }
  }

  /// Creates several parts to skip as one step of the undo log.
  public func addSkips(_ parts: [SkippedPart], of episode: EpisodeID, now: Date) throws(StoreError) {
    for part in parts { try Self.check(.skip, part.start, part.end) }
    try write { db in
      var steps: [UndoStep] = []
      for part in parts {
        let id = try insert(db, episode, .skip, part.start, part.end, title: part.label, note: nil, now: now)
        steps.append(.clip(id: id, before: nil))
      }
      guard !steps.isEmpty else { return }
      try UndoLog.record(
        db, label: "Skip \(Counted.text(parts.count, "part"))", step: steps.count == 1 ? steps[0] : .several(steps),
        now: now)
    }
  }

  private func add(
    _ db: Database, _ episode: EpisodeID, _ kind: Clip.Kind, _ start: Double, _ end: Double?, title: String?,
    note: String?, tags: [String], label: (Clip) -> String, now: Date
  ) throws -> ClipID {
    let id = try insert(db, episode, kind, start, end, title: title, note: note, now: now)
    try TagTable.clip.set(db, tags, of: id.rawValue)
    if kind == .clip {
      try db.run(
        """
        INSERT INTO playlistItem (playlistID, position, clipID)
        SELECT p.id, 1 + coalesce((SELECT max(position) FROM playlistItem WHERE playlistID = p.id), -1), ?
        FROM playlist p WHERE p.kind = 'myClips'
        """, [id.rawValue])
      try StoredPlaylist.setUpdated(db, with: id, now: now)
    }
    guard let clip = try StoredClip.fetch(db, id)?.clip(id: id) else { throw StoreError.unknown("clip \(id)") }
    try UndoLog.record(db, label: label(clip), step: .clip(id: id, before: nil), now: now)
    return id
  }

  private func insert(
    _ db: Database, _ episode: EpisodeID, _ kind: Clip.Kind, _ start: Double, _ end: Double?, title: String?,
    note: String?, now: Date
  ) throws -> ClipID {
    guard try db.hasRow("SELECT 1 FROM episode WHERE id = ?", [episode.rawValue]) else {
      throw StoreError.unknown("episode \(episode)")
    }
    try db.run(
      """
      INSERT INTO clip (episodeID, kind, startTime, endTime, title, note, dateCreated, userID)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        episode.rawValue, kind.rawValue, start, end, Self.trimmed(title), Self.trimmed(note), now.seconds, deviceID,
      ])
    return ClipID(db.lastInsertedRowID)
  }

  /// The sentence of the transcript at a second, else the title of the chapter.
  private static func words(
    _ db: Database, _ episode: EpisodeID, _ second: Double, _ chapters: [Chapter]
  ) throws -> String? {
    let transcript = try Library.transcript(db, episode)
    return transcript?.sentence(at: second) ?? chapters.last { !$0.hidden && $0.start <= second + 0.05 }?.title
  }

  /// A label for the undo log.
  private static func label(_ verb: String, _ clip: Clip) -> String {
    let noun =
      switch clip.kind {
      case .clip: clip.isBookmark ? "bookmark" : "clip"
      case .skip: "skipped part"
      case .note: "note"
      }
    return clip.title.map { "\(verb) the \(noun) “\($0)”" } ?? "\(verb) a \(noun)"
  }

  /// Without white space around it. Nil if nothing remains.
  private static func trimmed(_ text: String?) -> String? {
    text.map { $0.withoutNUL.allLines.joined(separator: "\n").trimmed }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Writes, replaces or deletes (with an empty text) the note of an episode.
  /// - Returns: false if nothing changed.
  @discardableResult
  public func setNote(_ note: String?, of episode: EpisodeID, now: Date) throws(StoreError) -> Bool {
    let note = Self.trimmed(note)
    return try write { db in
      let known = try StoredClip.all(
        db, "episodeID = ? AND kind = 'note' ORDER BY dateCreated, id", [episode.rawValue])
      guard let first = known.first else {
        guard note != nil else { return false }
        _ = try add(
          db, episode, .note, 0, nil, title: nil, note: note, tags: [], label: { _ in "Write a note" }, now: now)
        return true
      }
      // Two devices may have written one each. They are read together, and replaced together.
      guard known.map({ $0.note ?? "" }).joined(separator: "\n") != note else { return false }
      let steps = try known.map { UndoStep.clip(id: $0.id, before: try StoredClip.fetch(db, $0.id)) }
      try UndoLog.record(
        db, label: note == nil ? "Delete a note" : "Change a note", step: steps.count == 1 ? steps[0] : .several(steps),
        now: now)
      for clip in note == nil ? known[...] : known.dropFirst() {
        try StoredClip.delete(db, clip.id, now: now)
      }
      if let note {
        try db.run("UPDATE clip SET note = ? WHERE id = ?", [note, first.id.rawValue])
      }
      return true
    }
  }

  /// Changes kind, times, title, note and tags of a clip.
  /// - Returns: false if nothing changed. Then there is no step of the undo log.
  @discardableResult
  public func changeClip(_ id: ClipID, now: Date, _ change: (inout Clip) -> Void) throws(StoreError) -> Bool {
    try write { db in
      guard let before = try StoredClip.fetch(db, id) else { throw StoreError.unknown("clip \(id)") }
      var clip = before.clip(id: id)
      change(&clip)
      try Self.check(clip.kind, clip.startTime, clip.endTime)
      try db.run(
        "UPDATE clip SET kind = ?, startTime = ?, endTime = ?, title = ?, note = ? WHERE id = ?",
        [
          clip.kind.rawValue, clip.startTime, clip.endTime, Self.trimmed(clip.title), Self.trimmed(clip.note),
          id.rawValue,
        ])
      if clip.kind != .clip { try StoredClip.leavePlaylists(db, id, now: now) }
      try TagTable.clip.set(db, clip.tags, of: clip.id.rawValue)
      // Texts and tags were trimmed.
      guard let after = try StoredClip.fetch(db, id), after != before else { return false }
      try UndoLog.record(
        db, label: Self.label("Change", after.clip(id: id)), step: .clip(id: id, before: before), now: now)
      return true
    }
  }

  /// Writes, replaces or deletes (with an empty text) the note about a clip.
  /// - Parameter clip: as it was when the listener began to write. If it was deleted meanwhile, it is made again, so
  ///   that the text is not lost.
  /// - Returns: false if nothing changed.
  @discardableResult
  public func setNote(_ note: String, of clip: Clip, now: Date) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try changeClip(clip.id, now: now) { $0.note = note }
    } catch .unknown where Self.trimmed(note) != nil {
      _ = try addClip(
        of: clip.episode, kind: clip.kind, startTime: clip.startTime, endTime: clip.endTime, title: clip.title,
        note: note, tags: clip.tags, now: now)
      return true
    }
  }

  /// Deletes a clip, also from its playlists.
  public func deleteClip(_ id: ClipID, now: Date) throws(StoreError) { try deleteClips([id], now: now) }

  /// Deletes clips, as one step of the undo log.
  public func deleteClips(_ ids: [ClipID], now: Date) throws(StoreError) {
    try write { db in
      var steps: [UndoStep] = []
      var last: Clip?
      for id in ids {
        guard let before = try StoredClip.fetch(db, id) else { throw StoreError.unknown("clip \(id)") }
        steps.append(.clip(id: id, before: before))
        last = before.clip(id: id)
        try StoredClip.delete(db, id, now: now)
      }
      guard let first = steps.first, let last else { return }
      let label = steps.count == 1 ? Self.label("Delete", last) : "Delete \(steps.count) clips"
      try UndoLog.record(db, label: label, step: steps.count == 1 ? first : .several(steps), now: now)
    }
  }

  static func check(_ kind: Clip.Kind, _ start: Double, _ end: Double?) throws(StoreError) {
    let thing = kind == .skip ? "part" : "clip"
    guard (0...MediaTime.maximum).contains(start), end ?? 0 <= MediaTime.maximum else {
      throw .invalid("The times of a \(thing) are seconds from the start, at most a thousand hours.")
    }
    guard end.map({ $0 > start }) != false else { throw .invalid("A \(thing) ends after it starts.") }
    guard kind != .skip || end != nil else { throw .invalid("A part to skip needs an end.") }
  }
}

/// A clip with its positions in playlists, as the undo log stores it. The property names are JSON keys.
struct StoredClip: Codable, Equatable {
  struct ListIndex: Codable, Equatable {
    var playlist: Int64
    /// The number of items before it.
    var index: Int
  }
  var episode: Int64
  /// Nil, here and in `note`, also in what older versions have stored.
  var kind: Clip.Kind?
  var startTime: Double
  var endTime: Double?
  var title: String?
  var note: String?
  var dateCreated: Double
  var clipURL: String?
  var userID: String
  var tags: [String]
  var places: [ListIndex]

  static let columnNames = [
    "id", "episodeID", "startTime", "endTime", "title", "dateCreated", "clipURL", "userID", "kind", "note",
  ]
  private static let columns = columnNames.joined(separator: ", ")

  /// - Parameter withPlaylists: false for a clip that stays in its playlists.
  init(_ db: Database, _ row: CheckedRow, withPlaylists: Bool = true) throws {
    let id = try row[0] as Int64
    try (episode, startTime, endTime, title) = (row[1], row[2], row[3], row[4])
    try (dateCreated, clipURL, userID) = (row[5], row[6], row[7])
    // A newer version may have stored other kinds.
    kind = Clip.Kind(rawValue: try row[8]) ?? .clip
    note = try row[9]
    tags = try TagTable.clip.tags(db, of: id)
    places =
      !withPlaylists
      ? []
      : try db.rows(
        """
        SELECT i.playlistID, (SELECT count(*) FROM playlistItem WHERE playlistID = i.playlistID AND position < i.position)
        FROM playlistItem i WHERE i.clipID = ?
        """, [id]
      ).map { try ListIndex(playlist: $0[0], index: $0[1]) }
  }

  static func fetch(_ db: Database, _ id: ClipID, withPlaylists: Bool = true) throws -> StoredClip? {
    try db.row("SELECT \(columns) FROM clip WHERE id = ?", [id.rawValue])
      .map { try StoredClip(db, $0, withPlaylists: withPlaylists) }
  }

  /// - Parameter sql: the condition and the order.
  static func all(_ db: Database, _ sql: String, _ arguments: StatementArguments = []) throws -> [Clip] {
    try db.rows("SELECT \(columns) FROM clip WHERE \(sql)", arguments)
      .map { row in try StoredClip(db, row, withPlaylists: false).clip(id: ClipID(row[0])) }
  }

  static func marks(_ db: Database, of episode: EpisodeID) throws -> [Clip] {
    try all(db, "episodeID = ? ORDER BY startTime, id", [episode.rawValue])
  }

  func clip(id: ClipID) -> Clip {
    Clip(
      id: id, kind: kind ?? .clip, episode: EpisodeID(episode), startTime: startTime, endTime: endTime, title: title,
      note: note, dateCreated: Date(timeIntervalSince1970: dateCreated), clipURL: clipURL, userID: userID, tags: tags)
  }

  /// Deletes the clip, also from its playlists.
  static func delete(_ db: Database, _ id: ClipID, now: Date) throws {
    try leavePlaylists(db, id, now: now)
    try db.run("DELETE FROM clip WHERE id = ?", [id.rawValue])
  }

  /// Only what is heard again is in playlists.
  static func leavePlaylists(_ db: Database, _ id: ClipID, now: Date) throws {
    try StoredPlaylist.setUpdated(db, with: id, now: now)
    try db.run("DELETE FROM playlistItem WHERE clipID = ?", [id.rawValue])
  }

  /// Restores the previous clip. Nil deletes it.
  static func restore(_ db: Database, _ id: ClipID, _ before: StoredClip?, now: Date) throws {
    guard let before else { return try delete(db, id, now: now) }
    // Its episode may have been deleted meanwhile, if nothing else referred to it.
    guard try db.hasRow("SELECT 1 FROM episode WHERE id = ?", [before.episode]) else { return }
    try db.run(
      """
      INSERT INTO clip (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT (id) DO UPDATE SET episodeID = ?2, startTime = ?3, endTime = ?4, title = ?5, clipURL = ?7, kind = ?9, note = ?10
      """,
      [
        id.rawValue, before.episode, before.startTime, before.endTime, before.title, before.dateCreated,
        before.clipURL, before.userID, (before.kind ?? .clip).rawValue, before.note,
      ])
    try TagTable.clip.set(db, before.tags, of: id.rawValue)
    if before.kind ?? .clip != .clip { try leavePlaylists(db, id, now: now) }
    for entry in before.places {
      let list = PlaylistID(entry.playlist)
      let item = StoredPlaylist.Item(.clip(id))
      guard var stored = try StoredPlaylist.fetch(db, list), !stored.items.contains(item) else { continue }
      stored.items.insert(item, at: min(entry.index, stored.items.count))
      try StoredPlaylist.change(db, list, to: stored, now: now)
    }
  }
}
