import GRDB

/// The tags of one kind of thing. Three tables of the same shape, so that each has its foreign key.
struct TagTable {
  var table: String
  var column: String

  static let podcast = TagTable(table: "podcastTag", column: "podcastID")
  static let episode = TagTable(table: "episodeTag", column: "episodeID")
  static let clip = TagTable(table: "clipTag", column: "clipID")

  func tags(_ db: Database, of id: Int64) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT tag FROM \(table) WHERE \(column) = ? ORDER BY tag", arguments: [id])
  }

  /// Replaces them all. White space at the ends does not count; an empty tag is none.
  func set(_ db: Database, _ tags: [String], of id: Int64) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [id])
    for tag in Set(tags.map(\.withoutNUL.trimmed)) where !tag.isEmpty {
      try db.execute(sql: "INSERT INTO \(table) (\(column), tag) VALUES (?, ?)", arguments: [id, tag])
    }
  }
}

extension Library {
  /// Every tag that something carries, in order.
  public func allTags() throws(StoreError) -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: "SELECT tag FROM podcastTag UNION SELECT tag FROM episodeTag UNION SELECT tag FROM clipTag ORDER BY 1")
    }
  }
}
