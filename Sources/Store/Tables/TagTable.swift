import Foundation
import GRDB
import Model

/// The tags of one kind of thing. Three tables of the same form, so that each has its foreign key. The undo log stores
/// the case names.
enum TagTable: String, Codable {
  case podcast, episode, clip

  private var table: String { rawValue + "Tag" }
  private var column: String { rawValue + "ID" }

  func tags(_ db: Database, of id: Int64) throws -> [String] {
    try String.fetchAll(db, "SELECT tag FROM \(table) WHERE \(column) = ? ORDER BY tag", [id])
  }

  func contains(_ db: Database, _ tag: String, of id: Int64) throws -> Bool {
    try db.hasRow("SELECT 1 FROM \(table) WHERE \(column) = ? AND tag = ?", [id, tag])
  }

  /// Adds or removes one tag, without touching the others.
  func change(_ db: Database, _ tag: String, isSet: Bool, of id: Int64) throws {
    let sql =
      isSet
      ? "INSERT OR IGNORE INTO \(table) (\(column), tag) VALUES (?, ?)"
      : "DELETE FROM \(table) WHERE \(column) = ? AND tag = ?"
    try db.run(sql, [id, tag])
  }

  /// Replaces all tags. Surrounding white space and empty tags are ignored.
  func set(_ db: Database, _ tags: [String], of id: Int64) throws {
    try db.run("DELETE FROM \(table) WHERE \(column) = ?", [id])
    for tag in Set(tags.map(\.withoutNUL.trimmed)) where !tag.isEmpty {
      try db.run("INSERT INTO \(table) (\(column), tag) VALUES (?, ?)", [id, tag])
    }
  }
}

extension TagTable {
  /// Restores tags from the undo log. Their owner may no longer exist.
  func restore(_ db: Database, _ tags: [String], of id: Int64) throws {
    if try exists(db, id) { try set(db, tags, of: id) }
  }

  fileprivate func exists(_ db: Database, _ id: Int64) throws -> Bool {
    try db.hasRow("SELECT 1 FROM \(rawValue) WHERE id = ?", [id])
  }

  /// Replaces the tags as one step of the undo log, or none if nothing changes.
  /// - Returns: whether they have changed.
  func change(_ db: Database, _ tags: [String], of id: Int64, now: Date) throws -> Bool {
    guard try exists(db, id) else { throw StoreError.unknown("\(rawValue) \(id)") }
    let before = try self.tags(db, of: id)
    try set(db, tags, of: id)
    guard try self.tags(db, of: id) != before else { return false }
    let title = try String.fetchOne(db, "SELECT title FROM \(rawValue) WHERE id = ?", [id])
    let name = title.map { "“\($0)”" } ?? (self == .episode ? "an episode" : "a \(rawValue)")
    try UndoLog.record(db, label: "Tag \(name)", step: .tags(kind: self, id: id, before: before), now: now)
    return true
  }
}

extension Library {
  /// Adds and removes tags of a podcast, an episode or a clip, as one step of the undo log. Other tags stay.
  /// - Returns: whether any of them has changed.
  @discardableResult
  public func changeTags(
    of owner: TagOwner, adding: [String], removing: [String], now: Date
  ) throws(StoreError) -> Bool {
    let (kind, id): (TagTable, Int64) =
      switch owner {
      case .podcast(let id): (.podcast, id.rawValue)
      case .episode(let id): (.episode, id.rawValue)
      case .clip(let id): (.clip, id.rawValue)
      }
    return try write { db in
      let tags = Set(try kind.tags(db, of: id)).subtracting(removing).union(adding)
      return try kind.change(db, Array(tags), of: id, now: now)
    }
  }

  /// Adds and removes tags of episodes and clips, as one step of the undo log. Other tags stay. Items that do not exist
  /// are left out.
  /// - Returns: whether any of them has changed.
  public func changeTags(
    of items: [Playlist.Item], adding: [String], removing: [String], now: Date
  ) throws(StoreError) -> Bool {
    try write { db in
      let steps = try items.compactMap { item -> UndoStep? in
        let (kind, id): (TagTable, Int64) =
          switch item {
          case .episode(let id): (.episode, id.rawValue)
          case .clip(let id): (.clip, id.rawValue)
          }
        let before = try kind.tags(db, of: id)
        let after = Set(before).subtracting(removing).union(adding)
        guard after != Set(before), try kind.exists(db, id) else { return nil }
        try kind.set(db, Array(after), of: id)
        return .tags(kind: kind, id: id, before: before)
      }
      guard !steps.isEmpty else { return false }
      try UndoLog.record(
        db, label: "Tag \(Counted.text(steps.count, "episode or clip", "episodes or clips"))", step: .several(steps),
        now: now)
      return true
    }
  }

  /// All tags in use, sorted.
  public func allTags() throws(StoreError) -> [String] {
    try read { db in try Self.allTags(db) }
  }

  static func allTags(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, "SELECT tag FROM podcastTag UNION SELECT tag FROM episodeTag UNION SELECT tag FROM clipTag ORDER BY 1")
  }
}
