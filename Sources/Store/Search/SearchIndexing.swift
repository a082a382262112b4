import GRDB
import Model

/// Keeps the search index up to date.
///
/// The texts of a few new episodes are indexed in the transaction that stores them. Two kinds of episodes are marked in
/// `searchPending` instead: those of a feed with many new ones (`indexedAtOnce`), and those whose chapters or
/// transcript arrive later. `indexAllPending` indexes them. The player calls it after a refresh, and `search` calls it
/// first.
extension Library {
  /// Episodes, so that other writers do not wait long.
  public static let indexedPerTransaction = 1000

  /// Indexes the next marked episodes, in one transaction.
  /// - Parameter limit: episodes.
  /// - Returns: how many were indexed.
  @discardableResult
  public func indexPending(limit: Int = indexedPerTransaction) throws(StoreError) -> Int {
    // Reads and converts the texts before the write begins. The write then only checks that they are still current.
    let pending = try read { db in
      try db.rows("SELECT id, episodeID FROM searchPending ORDER BY id LIMIT ?", [limit]).map { row in
        (id: try row[0] as Int64, episode: try row[1] as Int64, texts: try EpisodeTexts(db, episode: row[1]))
      }
    }
    guard !pending.isEmpty else { return 0 }
    let documents = pending.map { $0.texts.document(plainText: plainText) }
    try write { db in
      var writer = SearchWriter(db)
      for ((id, episode, texts), document) in zip(pending, documents) {
        try db.run("DELETE FROM searchPending WHERE id = ?", [id])
        // Marked again meanwhile: the next call indexes it.
        guard db.changesCount > 0 else { continue }
        guard let row = try db.row("SELECT document, textHash FROM episodeContent WHERE episodeID = ?", [episode])
        else { continue }
        let indexed = try writer.add(
          document, of: episode, in: texts.podcast, pubDate: texts.pubDate,
          replacing: IndexedDocument(number: row[0], hash: row[1]))
        try db.run(
          "UPDATE episodeContent SET document = ?, textHash = ? WHERE episodeID = ?",
          [indexed.number, indexed.hash, episode])
      }
      try writer.finish()
    }
    return documents.count
  }

  /// How many episodes the next search must index first.
  public func pendingCount() throws(StoreError) -> Int {
    try read { db in try Int.fetchOne(db, "SELECT count(*) FROM searchPending") ?? 0 }
  }

  /// How many episodes a list with this filter must index first: none if it does not search texts.
  public func pendingCount(for filter: EpisodeFilter) throws(StoreError) -> Int {
    filter.condition.searchesTexts ? try pendingCount() : 0
  }

  /// Indexes all marked episodes.
  /// - Parameter isWanted: called before each transaction; false stops.
  public func indexAllPending(while isWanted: () -> Bool = { true }) throws(StoreError) {
    var batches = 0
    while isWanted(), try indexPending() > 0 {
      batches += 1
      // Otherwise FTS5 merges 64 segments in one transaction (`crisismerge`). Other writers then wait for seconds, and
      // the file has as many free pages as the segments took.
      if batches.isMultiple(of: 16) { try mergeSearchIndex(while: isWanted) }
    }
  }

  /// Indexes all marked episodes, if the library can be written at the moment. The search finds what is not indexed,
  /// too.
  /// - Parameter isWanted: called before each transaction; false stops.
  /// - Returns: false if episodes may be left that are not indexed.
  @discardableResult
  public func indexIfPossible(while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
    guard !isReadOnly else { return false }
    do throws(StoreError) {
      try indexAllPending(while: isWanted)
      return true
    } catch {
      guard error.isTransient else { throw error }
      return false
    }
  }

  /// Empties the index and marks all episodes for it if most of its documents are dead. A publisher who edits the
  /// footer of all notes leaves a dead document for each, and they take space and time.
  func renewSearchIndex() throws(StoreError) {
    try write { db in
      let isDue = try Bool.fetchOne(db, "SELECT count(*) > 2 * count(episodeID) FROM searchDocument")
      guard isDue == true else { return }
      // The episodes keep their numbers, so that their rows are not written again.
      try db.execute(
        sql: """
          INSERT INTO search (search) VALUES ('delete-all');
          DELETE FROM searchDocument WHERE episodeID IS NULL;
          INSERT OR REPLACE INTO searchPending (episodeID) SELECT episodeID FROM searchDocument;
          """)
    }
  }

  /// Merges the segments of the index, in steps that let other writers in between. Searches work without it but are
  /// faster after it. Call it when the program is idle.
  /// - Parameter isWanted: called before each step; false stops.
  public func mergeSearchIndex(while isWanted: () -> Bool = { true }) throws(StoreError) {
    // A step of 500 pages takes about 10 ms. A step that found nothing to merge changes fewer than two rows
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
