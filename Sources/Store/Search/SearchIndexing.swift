import GRDB
import Model

/// Keeping the index in step with what is stored.
///
/// The texts of a few new episodes are indexed in the transaction that stores them. Episodes of a feed that brings many
/// (`indexedAtOnce`), and episodes whose chapters or transcript arrived later, are noted in `searchPending`. `indexPending`
/// indexes those. The player calls it after a refresh, and every search calls it first, so that a search misses nothing.
extension Library {
  /// Indexes the next episodes that wait for it. Call it again while it returns more than 0.
  /// - Parameter limit: how many at once; other writers wait for no more than that.
  /// - Returns: how many were done.
  @discardableResult
  public func indexPending(limit: Int = 1000) throws(StoreError) -> Int {
    // Read and turned into plain text before the write begins, which then only has to check that it still holds.
    let pending = try read { db in
      try Row.fetchAll(db, sql: "SELECT id, episodeID FROM searchPending ORDER BY id LIMIT ?", arguments: [limit])
        .map(CheckedRow.init).map { row in
          (id: try row[0] as Int64, episode: try row[1] as Int64, texts: try EpisodeTexts(db, episode: row[1]))
        }
    }
    guard !pending.isEmpty else { return 0 }
    let documents = pending.map { $0.texts.document(plainText: plainText) }
    try write { db in
      var writer = SearchWriter(db)
      for ((id, episode, texts), document) in zip(pending, documents) {
        try db.cachedStatement(sql: "DELETE FROM searchPending WHERE id = ?").execute(arguments: [id])
        // Marked again meanwhile: the next round reads it anew.
        guard db.changesCount > 0 else { continue }
        let known = try db.cachedStatement(sql: "SELECT document, textHash FROM episodeContent WHERE episodeID = ?")
        guard let row = try Row.fetchOne(known, arguments: [episode]).map(CheckedRow.init) else { continue }
        let indexed = try writer.add(
          document, of: episode, in: texts.podcast, pubDate: texts.pubDate,
          replacing: IndexedDocument(number: row[0], hash: row[1]))
        try db.cachedStatement(sql: "UPDATE episodeContent SET document = ?, textHash = ? WHERE episodeID = ?")
          .execute(arguments: [indexed.number, indexed.hash, episode])
      }
      try writer.finish()
    }
    return documents.count
  }

  /// Indexes everything anew, which also sheds what is dead in the index. Interrupted, the next search goes on.
  public func rebuildSearch() throws(StoreError) {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO search (search) VALUES ('delete-all');
          DELETE FROM searchDocument;
          UPDATE episodeContent SET document = NULL, textHash = NULL;
          INSERT OR REPLACE INTO searchPending (episodeID) SELECT id FROM episode;
          """)
    }
    while try indexPending() > 0 {}
    try tidySearch()
  }

  /// The share of the index that is dead, 0 to 1; above a third a rebuild is worth its time.
  public func deadSearchShare() throws(StoreError) -> Double {
    try read { db in
      let all = try Double.fetchOne(db, sql: "SELECT count(*) FROM searchDocument") ?? 0
      let dead = try Double.fetchOne(db, sql: "SELECT count(*) FROM searchDocument WHERE episodeID IS NULL") ?? 0
      return all > 0 ? dead / all : 0
    }
  }

  /// Merges the pieces of the index that writing left, in steps that let other writers in between. Searches are
  /// right without it and faster after it; call it when nothing else is to do.
  /// - Parameter isWanted: asked before every step.
  public func tidySearch(while isWanted: () -> Bool = { true }) throws(StoreError) {
    // Pages of a step: some ten milliseconds. A step that found nothing to merge changes less than two rows
    // (https://www.sqlite.org/fts5.html#the_merge_command).
    var isDone = false
    while !isDone, isWanted() {
      isDone = try write { db in
        let before = db.totalChangesCount
        try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('merge', 500)")
        return db.totalChangesCount - before < 2
      }
    }
  }
}
