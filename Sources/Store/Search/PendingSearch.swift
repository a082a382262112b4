import Foundation
import GRDB

/// Searches the episodes that are not indexed yet, for a library that may only be read: it cannot bring its index up to
/// date first. Makes an index of them in memory, which takes about a second for 30,000 episodes.
struct PendingSearch {
  private let memory: DatabaseQueue

  /// Nil when everything is indexed.
  init?(_ db: Database, plainText: (String) -> String) throws {
    let ids = try Int64.fetchAll(db, sql: "SELECT episodeID FROM searchPending")
    guard !ids.isEmpty else { return nil }
    memory = try DatabaseQueue()
    try memory.write { memory in
      try memory.execute(sql: SchemaV1.searchTable + SchemaV1.searchRank)
      let insert = try RawStatement(
        memory,
        "INSERT INTO search (rowid, title, notes, people, chapters, transcript, scope) VALUES (?, ?, ?, ?, ?, ?, ?)")
      for id in ids {
        let texts = try EpisodeTexts(db, episode: id)
        try insert.run { values in
          values.add(id)
          for column in texts.document(plainText: plainText).columns { values.add(column) }
          values.add(SearchText.scope(texts.podcast))
        }
      }
    }
  }

  /// The best first.
  /// - Parameter expression: in the language of FTS5; nil: every episode that is not indexed.
  func episodes(_ expression: String?) throws -> [Int64] {
    try memory.read { memory in
      guard let expression else {
        return try Int64.fetchAll(memory, sql: "SELECT rowid FROM search ORDER BY rowid DESC")
      }
      return try Int64.fetchAll(
        memory, sql: "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank", arguments: [expression])
    }
  }
}
