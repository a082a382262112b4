import Foundation
import GRDB
import Model

/// What the listener has marked and written, by episode.
extension Library {
  /// The episodes with bookmarks, clips or notes, those with the newest first. Parts to skip are left out.
  /// - Parameter since: only episodes in which something was marked since then. A note that is changed keeps its time.
  public func notedEpisodes(since: Date? = nil) throws(StoreError) -> [NotedEpisode] {
    try read { db in
      let clips = try StoredClip.all(db, "kind <> 'skip' ORDER BY startTime, id")
      let byEpisode = Dictionary(grouping: clips, by: \.episode)
      let newest = byEpisode.mapValues { $0.map(\.dateCreated).max() ?? .distantPast }
      let ids = newest.filter { since == nil || $0.value >= since ?? .distantPast }
        .sorted { ($0.value, $0.key.rawValue) > ($1.value, $1.key.rawValue) }.map(\.key)
      return try self.episodeRows(db, ids).map { NotedEpisode(row: $0, marks: byEpisode[$0.id] ?? []) }
    }
  }

  public func notedEpisodes() throws(StoreError) -> [NotedEpisode] { try notedEpisodes(since: nil) }

  /// The episodes with a note that has all these words, without regard to case and diacritics.
  static func episodes(_ db: Database, noted words: [String]) throws -> [Int64] {
    let words = words.map(\.folded).filter { !$0.isEmpty }
    let rows = try db.rows("SELECT episodeID, note FROM clip WHERE note IS NOT NULL")
    var found: Set<Int64> = []
    for row in rows {
      let note = (try row[1] as String).folded
      if words.allSatisfy({ note.contains($0) }) { found.insert(try row[0]) }
    }
    return found.sorted()
  }
}
