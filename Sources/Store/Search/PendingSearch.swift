import Foundation
import GRDB
import Model

/// Searches the episodes that are not indexed yet, if the index cannot be updated because the library is read-only or
/// the disk is full. It creates an index of them in memory.
struct PendingSearch {
  private let memory: DatabaseQueue

  /// Nil if everything is indexed.
  /// - Parameter episodes: considers only these; nil: all.
  init?(_ db: Database, among episodes: [Int64]? = nil, plainText: (String) -> String) throws {
    let ids = try Int64.fetchAll(
      db,
      sql: "SELECT episodeID FROM searchPending"
        + (episodes.map { " WHERE episodeID IN (\($0.map(String.init).joined(separator: ",")))" } ?? ""))
    guard !ids.isEmpty else { return nil }
    memory = try DatabaseQueue()
    try memory.write { memory in
      try memory.execute(sql: SchemaV1.searchTable + SchemaV1.searchRank)
      let insertion = try IndexInsertion(memory)
      for id in ids {
        let texts = try EpisodeTexts(db, episode: id)
        try insertion.insert(texts.document(plainText: plainText), as: id, in: texts.podcast)
      }
    }
  }

  enum Order: String {
    case best = "rank"
    case newest = "rowid DESC"
  }

  /// The matching episodes.
  /// - Parameter expression: an FTS5 query. Nil: all episodes that are not indexed, newest first.
  func episodes(_ expression: String?, order: Order = .best) throws -> [Int64] {
    try memory.read { memory in
      guard let expression else {
        return try Int64.fetchAll(memory, "SELECT rowid FROM search ORDER BY rowid DESC")
      }
      return try Int64.fetchAll(
        memory, sql: "SELECT rowid FROM search WHERE search MATCH ? ORDER BY \(order.rawValue)",
        arguments: [expression])
    }
  }

  /// The matching episodes for each expression of a filter.
  func matches(of condition: EpisodeFilter.Condition) throws -> [String: [Int64]] {
    var matches: [String: [Int64]] = [:]
    for expression in condition.expressions { matches[expression] = try episodes(expression) }
    return matches
  }
}
