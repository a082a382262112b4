import Foundation
import GRDB
import Model

/// The library search: full text over titles, show notes, people, chapters and transcripts.
extension Library {
  /// Searches the episodes of subscribed podcasts that are not deleted, best results first. `SearchQuery` describes the
  /// syntax.
  ///
  /// Up to 1,000 hits are ranked with BM25: a word in the title has the weight 8, in the notes 1, a person 4, a chapter
  /// 2, in a transcript 0.5. More frequent words say little about relevance, and ranking 100,000 hits takes half a
  /// second. Then only the newest 1,000 hits in titles, people and chapters and the newest 1,000 of all are returned,
  /// ordered by where the words occur and then by date. Filters without words give the newest episodes.
  ///
  /// A word may also be one of the podcast's title. The newest episodes of a podcast whose title has all the words come
  /// first, and what is found with the help of a podcast's title comes last. A search with `podcast:` names its
  /// podcasts already.
  /// - Parameters:
  ///   - words: as typed.
  ///   - timeZone: for the days in `after:` and `before:`.
  ///   - ticket: cancels the search, which then throws `.interrupted`.
  public func search(
    _ words: String, limit: Int = 50, timeZone: TimeZone = .current, ticket: SearchTicket = SearchTicket()
  ) throws(StoreError) -> [SearchHit] {
    let isIndexed = try indexIfPossible(while: { !ticket.isCancelled })
    let query = SearchQuery(words, timeZone: timeZone)
    let notes = notes
    return try read { db in
      try ticket.watching(db) {
        guard let search = try IndexSearch(db, query) else { return [] }
        let pending = isIndexed ? nil : try PendingSearch(db, plainText: notes.plainText)
        let rows = try self.episodeRows(db, search.hits(limit: max(0, limit), besides: pending))
        // Only the texts of results that are shown are read.
        return try rows.map { row in
          try ticket.check()
          let texts = try EpisodeTexts(db, episode: row.id.rawValue)
          let chapters = texts.chapters.isEmpty ? notes.chapters(texts.notes, row.duration) : texts.chapters
          let snippet = SearchSnippet(
            words: query.words, notes: notes.plainText(texts.notes), chapters: chapters, transcript: texts.transcript)
          return SearchHit(row: row, match: SearchMatch(snippet: snippet.text, time: snippet.time))
        }
      }
    }
  }
}

/// One query of the index, in one read transaction.
private struct IndexSearch {
  /// The maximum number of hits to rank.
  private static let ranked = 1000

  private let db: Database
  /// Nil: all episodes in the date range.
  private let expression: String?
  /// The range of document numbers for the dates.
  private let first: Int64
  private let last: Int64
  private let after: Double
  private let before: Double
  private let titles: TitleMatches?
  /// The episodes with notes of the listener that match, as a JSON list. Nil: any episode.
  private let noted: String?

  /// Nil if the query cannot have results.
  init?(_ db: Database, _ query: SearchQuery) throws {
    self.db = db
    var parts = query.expression.map { ["(\($0))"] } ?? []
    if !query.podcasts.isEmpty {
      let scopes = try Self.podcasts(db, query.podcasts).map { "\"\(SearchText.scope($0))\"" }
      guard !scopes.isEmpty else { return nil }
      parts.append("scope : (\(scopes.joined(separator: " OR ")))")
    }
    noted = query.notes.isEmpty ? nil : try Library.episodes(db, noted: query.notes).description
    titles = query.podcasts.isEmpty ? try TitleMatches(db, query) : nil
    guard !parts.isEmpty || query.after != nil || query.before != nil || noted != nil else { return nil }
    expression = parts.isEmpty ? nil : parts.joined(separator: " AND ")
    after = query.after ?? -.infinity
    before = query.before ?? .infinity
    first = query.after.map { DocumentNumber.numbers(of: DocumentNumber.day($0)).lowerBound } ?? 0
    // A full day may have used numbers of the following days.
    last = query.before.map { DocumentNumber.numbers(of: DocumentNumber.day($0) + 16).upperBound } ?? .max
  }

  /// - Parameter pending: episodes that are not in the index; they come after those that are.
  func hits(limit: Int, besides pending: PendingSearch?) throws -> [EpisodeID] {
    var found = Found(limit: limit)
    found.add(try indexedHits(limit: limit))
    guard let pending, !found.isFull else { return found.hits }
    let list = "SELECT value AS episodeID, key AS rank, 0 AS document FROM json_each(?)"
    // As in the index: podcasts whose titles have all words, then the words, then words of podcasts' titles.
    let whole = titles?.whole.prefix(TitleMatches.podcastLimit).map { "scope : (\($0))" } ?? []
    for scope in whole {
      let newest = try pending.episodes(scope, order: .newest).description
      found.add(try episodes(list, [newest], limit: min(limit, TitleMatches.episodeLimit)))
    }
    // The answers may repeat known hits, which `Found` skips.
    for expression in [expression] + (titles.map { [$0.expression] } ?? []) {
      found.add(try episodes(list, [pending.episodes(expression).description], limit: limit + found.hits.count))
    }
    return found.hits
  }

  /// Hits in the index: by the words, and by the titles of podcasts.
  private func indexedHits(limit: Int) throws -> [EpisodeID] {
    guard let titles else { return try hits(limit: limit) }
    var found = Found(limit: limit)
    let ranked = "SELECT rowid, rank FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?"
    let newest = """
      SELECT rowid, 0.0 AS rank FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?
      ORDER BY rowid DESC LIMIT \(Self.ranked)
      """
    for scope in titles.whole.prefix(TitleMatches.podcastLimit) {
      found.add(try rows(newest, expression: "scope : (\(scope))", limit: min(limit, TitleMatches.episodeLimit)))
    }
    found.add(try hits(limit: limit))
    guard !found.isFull else { return found.hits }
    let count = try Int.fetchOne(
      db.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)"),
      arguments: [titles.expression, first, last, Self.ranked + 1])
    // The answer may repeat known hits, which `Found` skips.
    found.add(
      try rows(
        count ?? 0 <= Self.ranked ? ranked : newest, expression: titles.expression, limit: limit + found.hits.count))
    return found.hits
  }

  /// Hits in the index by the words alone.
  private func hits(limit: Int) throws -> [EpisodeID] {
    guard let expression else {
      if let noted {
        let list = "SELECT value AS episodeID, 0.0 AS rank, 0 AS document FROM json_each(?)"
        return try episodes(list, [noted], limit: limit)
      }
      // The newest documents, including dead ones, which the join skips.
      let days = "SELECT id AS rowid, 0.0 AS rank FROM searchDocument WHERE ? IS NULL AND id BETWEEN ? AND ?"
      return try rows("\(days) ORDER BY id DESC LIMIT \(4 * Self.ranked)", limit: limit)
    }
    let newest = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?
          """), arguments: [expression, first, last, Self.ranked + 1])
    if newest.count <= Self.ranked {
      return try rows("SELECT rowid, rank FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?", limit: limit)
    }
    var found = Found(limit: limit)
    let heads = try rows(
      """
      SELECT rowid, -2.0 AS rank FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?
      ORDER BY rowid DESC LIMIT \(Self.ranked)
      """, expression: "{title people chapters} : (\(expression))", limit: limit)
    found.add(heads)
    guard !found.isFull else { return found.hits }
    found.add(
      try rows(
        """
        SELECT rowid, -1.0 AS rank FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?
        ORDER BY rowid DESC LIMIT \(Self.ranked)
        """, limit: limit))
    return found.hits
  }

  /// - Parameter documents: a query for `rowid` and `rank` in the index. Its arguments are the expression and the range
  ///   of numbers.
  private func rows(_ documents: String, expression: String? = nil, limit: Int) throws -> [EpisodeID] {
    try episodes(
      """
      SELECT d.episodeID, f.rank, f.rowid AS document FROM (\(documents)) f JOIN searchDocument d ON d.id = f.rowid
      """, [expression ?? self.expression, first, last], limit: limit)
  }

  /// - Parameter found: a query for `episodeID`, `rank` (the lowest is the best) and `document` (among equals, the
  ///   highest).
  private func episodes(_ found: String, _ arguments: StatementArguments, limit: Int) throws -> [EpisodeID] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT e.id FROM (\(found)) f JOIN episode e ON e.id = f.episodeID JOIN podcast p ON p.id = e.podcastID
        WHERE e.\(StatusIs.listed) AND p.isSubscribed AND coalesce(e.pubDate, 0) >= ? AND coalesce(e.pubDate, 0) < ?
          \(noted == nil ? "" : "AND e.id IN (SELECT value FROM json_each(?))")
        ORDER BY f.rank, f.document DESC LIMIT ?
        """)
    return try Int64.fetchAll(
      statement, arguments: arguments + [after, before] + (noted.map { [$0] } ?? []) + [limit]
    )
    .map(EpisodeID.init)
  }

  /// The subscribed podcasts with one of the names in their titles.
  private static func podcasts(_ db: Database, _ names: [String]) throws -> [Int64] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, title FROM podcast WHERE isSubscribed").map(CheckedRow.init)
    return try rows.compactMap { row in
      let title = (try row[1] as String).folded
      return names.contains { title.contains($0) } ? try row[0] : nil
    }
  }
}

/// Collects hits in order, without duplicates.
private struct Found {
  private(set) var hits: [EpisodeID] = []
  private var known: Set<EpisodeID> = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { hits.count >= limit }

  mutating func add(_ others: [EpisodeID]) {
    for hit in others where !isFull && known.insert(hit).inserted { hits.append(hit) }
  }
}

/// The podcasts whose titles contain words of the query.
private struct TitleMatches {
  /// The maximum number of podcasts whose episodes come first because their titles contain all words.
  static let podcastLimit = 5
  /// The maximum number of episodes of each of them.
  static let episodeLimit = 3

  /// FTS5 queries for column `scope`, one for each podcast whose title contains all words. The shortest title is first.
  let whole: [String]
  /// An FTS5 query for the episodes that have each word in their texts or in their podcast's title.
  let expression: String

  /// Nil if no title contains any of the words.
  init?(_ db: Database, _ query: SearchQuery) throws {
    let terms = query.terms.map { ($0, SearchText.words($0.text)) }
    guard !terms.isEmpty else { return nil }
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, title FROM podcast WHERE isSubscribed ORDER BY length(title), naturalKey(titleKey), id"
    ).map(CheckedRow.init)
    var scopes = [[String]](repeating: [], count: terms.count)
    var whole: [String] = []
    for row in rows {
      let title = SearchText.words(try row[1])
      let scope = "\"\(SearchText.scope(try row[0]))\""
      let matches = terms.map { term, words in term.isIn(title, words: words) }
      for (index, isMatch) in matches.enumerated() where isMatch { scopes[index].append(scope) }
      if matches.allSatisfy({ $0 }) { whole.append(scope) }
    }
    guard scopes.contains(where: { !$0.isEmpty }) else { return nil }
    self.whole = whole
    expression = query.expression(scopes)
  }
}
