import Foundation
import GRDB
import Model

/// An episode that a search found.
public struct SearchHit: Sendable, Equatable {
  public var episode: EpisodeID
  public var podcast: PodcastID
  public var podcastTitle: String
  public var title: String
  /// Plain text around the first of the words.
  public var snippet: String
  /// Seconds: where to play from, when the words are those of a chapter or of the transcript.
  public var time: Double?
  public var pubDate: Date?
}

/// Full-text search over titles, show notes, people, chapters and transcripts.
///
/// Storing a feed only notes what must be indexed: a first refresh shows its episodes at once. `indexPending` does
/// the work in small transactions, and `search` finishes it first, so that it never misses a thing.
extension Library {
  /// The best hits first, of subscribed podcasts, without deleted episodes.
  /// - Parameter words: as typed: all must occur, "quoted ones" together, the last may be a beginning. Case and
  ///   diacritics do not count.
  public func search(_ words: String, limit: Int = 50) throws(StoreError) -> [SearchHit] {
    while try indexPending() > 0 {}
    guard let expression = SearchText.expression(words) else { return [] }
    let plain = SearchText.words(words)
    return try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT e.id, e.podcastID, p.title, coalesce(e.title, 'Untitled'), e.pubDate
          FROM search JOIN searchDocument d ON d.id = search.rowid
          JOIN episode e ON e.id = d.episodeID JOIN podcast p ON p.id = e.podcastID
          WHERE search MATCH ? AND e.status < 4 AND p.isSubscribed ORDER BY search.rank LIMIT ?
          """)
      return try Row.fetchAll(statement, arguments: [expression, max(0, limit)]).map { row in
        let row = CheckedRow(row)
        let texts = try EpisodeTexts(db, episode: row[0])
        let snippet = SearchSnippet(
          words: plain, notes: self.plainText(texts.notes), chapters: texts.chapters, transcript: texts.transcript)
        return try SearchHit(
          episode: EpisodeID(row[0]), podcast: PodcastID(row[1]), podcastTitle: row[2], title: row[3],
          snippet: snippet.text, time: snippet.time, pubDate: Date(seconds: row[4]))
      }
    }
  }

  /// Indexes the next episodes that wait for it. Call it again while it returns more than 0.
  /// - Parameter limit: how many at once; other writers wait for no more than that.
  /// - Returns: how many were done.
  @discardableResult
  public func indexPending(limit: Int = 500) throws(StoreError) -> Int {
    // Read and turned into plain text before the write begins, which then only has to check that it still holds.
    let pending = try read { db in
      try Row.fetchAll(db, sql: "SELECT id, episodeID FROM searchPending ORDER BY id LIMIT ?", arguments: [limit])
        .map(CheckedRow.init).map { row in
          (id: try row[0] as Int64, episode: try row[1] as Int64, texts: try EpisodeTexts(db, episode: row[1]))
        }
    }
    guard !pending.isEmpty else { return 0 }
    let documents = pending.map { ($0.id, $0.episode, SearchDocument($0.texts, plainText: plainText)) }
    try write { db in
      let current = try documents.filter { id, _, _ in
        try db.cachedStatement(sql: "DELETE FROM searchPending WHERE id = ?").execute(arguments: [id])
        return db.changesCount > 0
      }
      let changed = try current.filter { try !$0.2.isStored(db, episode: $0.1) }
      // In one run: a statement of another kind in between may open a savepoint, and FTS5 then writes what it has
      // gathered in memory, a segment for each episode. That took three times as long.
      let rows = try changed.map { try $0.2.insert(db) }
      for (row, (_, episode, document)) in zip(rows, changed) {
        try document.recordRow(db, row, episode: episode)
      }
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
          INSERT OR REPLACE INTO searchPending (episodeID) SELECT id FROM episode;
          """)
    }
    while try indexPending() > 0 {}
  }

  /// The share of the index that is dead, 0 to 1; above a third a rebuild is worth its time.
  public func deadSearchShare() throws(StoreError) -> Double {
    try read { db in
      let all = try Double.fetchOne(db, sql: "SELECT count(*) FROM search_docsize") ?? 0
      let live = try Double.fetchOne(db, sql: "SELECT count(*) FROM searchDocument") ?? 0
      return all > 0 ? max(0, all - live) / all : 0
    }
  }
}

/// What can be found of one episode, as it is stored.
struct EpisodeTexts {
  var title: String
  /// HTML or plain.
  var notes: String
  var people: String
  var chapters: [Chapter]
  var transcript: Transcript?

  init(_ db: Database, episode: Int64) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT e.title, coalesce(c.contentHTML, c.summary, ''), c.people,
          iif(ch.chapters IS NULL AND instr(c.extras, '"chapters":'), c.extras, NULL), ch.chapters, t.transcript
        FROM episode e LEFT JOIN episodeContent c ON c.episodeID = e.id
        LEFT JOIN chapters ch ON ch.episodeID = e.id LEFT JOIN transcript t ON t.episodeID = e.id
        WHERE e.id = ?
        """)
    let row = try Row.fetchOne(statement, arguments: [episode]).map(CheckedRow.init)
    title = try (row?[0] as String?) ?? ""
    notes = try (row?[1] as String?) ?? ""
    people = try (row?[2] as String?) ?? ""
    // The extras are read only where they hold chapters: for all episodes it would cost more than the indexing.
    var feed = FeedEpisode()
    try EpisodeExtras.restore(row?[3] as String?, into: &feed)
    chapters = try (row?[4] as String?).map { try JSONCoding.decode([Chapter].self, $0) } ?? feed.chapters
    transcript = try (row?[5] as String?).map { try JSONCoding.decode(Transcript.self, $0) }
  }
}

/// One episode as the index gets it.
struct SearchDocument {
  private var columns: [String]
  private var hash: Int64

  init(_ texts: EpisodeTexts, plainText: (String) -> String) {
    columns = [
      texts.title, plainText(texts.notes), texts.people,
      texts.chapters.compactMap(\.title).joined(separator: "\n"),
      (texts.transcript?.lines ?? []).lazy.map(\.text).joined(separator: "\n"),
    ].map { SearchText.segmented($0.withoutNUL) }
    var hash = StableHash()
    for column in columns { hash.combine(column) }
    self.hash = hash.value
  }

  /// Notes that changed in their markup only (links with a new token at every request) cost nothing.
  func isStored(_ db: Database, episode: Int64) throws -> Bool {
    let known = try db.cachedStatement(sql: "SELECT textHash FROM searchDocument WHERE episodeID = ?")
    return try Int64.fetchOne(known, arguments: [episode]) == hash
  }

  /// - Returns: the row in the index.
  func insert(_ db: Database) throws -> Int64 {
    try db.cachedStatement(
      sql: "INSERT INTO search (title, notes, people, chapters, transcript) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: StatementArguments(columns))
    return db.lastInsertedRowID
  }

  /// From now on that row, and no other, stands for the episode.
  func recordRow(_ db: Database, _ row: Int64, episode: Int64) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO searchDocument (id, episodeID, textHash) VALUES (?, ?, ?)")
      .execute(arguments: [row, episode, hash])
  }
}
