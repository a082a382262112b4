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
          let match = SearchMatch(
            words: query.words, notes: notes.plainText(texts.notes), chapters: chapters, transcript: texts.transcript)
          return SearchHit(row: row, match: match)
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
    // As in the index: podcasts whose titles have all words, then the words, then words of podcasts' titles.
    let whole = titles?.whole.prefix(TitleMatches.podcastLimit).map { "scope : (\($0))" } ?? []
    for scope in whole {
      found.add(
        try episodes(pending.episodes(scope, order: .newest), limit: min(limit, TitleMatches.episodeLimit)))
    }
    // The answers may repeat known hits, which `Found` skips.
    for expression in [expression] + (titles.map { [$0.expression] } ?? []) {
      found.add(try episodes(pending.episodes(expression), limit: limit + found.hits.count))
    }
    return found.hits
  }

  /// Hits in the index: by the words, and by the titles of podcasts.
  private func indexedHits(limit: Int) throws -> [EpisodeID] {
    guard let titles else { return try hits(limit: limit) }
    var found = Found(limit: limit)
    for scope in titles.whole.prefix(TitleMatches.podcastLimit) {
      found.add(try documents("scope : (\(scope))", .newest, limit: min(limit, TitleMatches.episodeLimit)))
    }
    found.add(try hits(limit: limit))
    guard !found.isFull else { return found.hits }
    // The answer may repeat known hits, which `Found` skips.
    let most = limit + found.hits.count
    found.add(
      try rankedHits(titles.expression, limit: most)
        ?? documents(titles.expression, .newest, limit: min(most, Self.ranked)))
    return found.hits
  }

  /// Hits in the index by the words alone.
  private func hits(limit: Int) throws -> [EpisodeID] {
    guard let expression else {
      return try episodes(
        "searchDocument d", where: "d.id BETWEEN ? AND ?", [first, last], orderedBy: "d.id DESC", limit: limit)
    }
    if let ranked = try rankedHits(expression, limit: limit) { return ranked }
    var found = Found(limit: limit)
    let heads = "{title people chapters} : (\(expression))"
    found.add(try documents(heads, .newest, limit: min(limit, Self.ranked)))
    guard !found.isFull else { return found.hits }
    found.add(try documents(expression, .newest, limit: min(limit + found.hits.count, Self.ranked)))
    return found.hits
  }

  /// Nil if there are too many hits to rank them.
  private func rankedHits(_ expression: String, limit: Int) throws -> [EpisodeID]? {
    let newest = try documents(expression, .newest, limit: Self.ranked + 1)
    return newest.count <= Self.ranked ? try documents(expression, .best, limit: limit) : nil
  }

  private enum Order: String {
    case best = "f.rank, f.rowid DESC"
    case newest = "f.rowid DESC"
  }

  /// The episodes of matching documents in the index.
  private func documents(_ expression: String, _ order: Order, limit: Int) throws -> [EpisodeID] {
    try episodes(
      "search f CROSS JOIN searchDocument d ON d.id = f.rowid",
      where: "f.search MATCH ? AND f.rowid BETWEEN ? AND ?", [expression, first, last],
      orderedBy: order.rawValue, limit: limit)
  }

  /// Those of the listed episodes that can be hits, in this order.
  private func episodes(_ list: [Int64], limit: Int) throws -> [EpisodeID] {
    try episodes(
      "(SELECT value AS episodeID, key FROM json_each(?)) d", where: "true", [list.description],
      orderedBy: "d.key", limit: limit)
  }

  /// Episodes that can be hits: those that are not deleted, of subscribed podcasts, in the range of dates, with the
  /// notes. The limit counts only these. The index also has other episodes, and documents without one.
  /// - Parameter source: for FROM, with a table `d` that has the column `episodeID`. SQLite reads it first and in the
  ///   order of `orderedBy`, so it reads no more of a frequent word than the limit needs.
  private func episodes(
    _ source: String, where condition: String, _ arguments: StatementArguments, orderedBy order: String, limit: Int
  ) throws -> [EpisodeID] {
    let sql = """
      SELECT e.id FROM \(source)
        CROSS JOIN episode e ON e.id = d.episodeID CROSS JOIN podcast p ON p.id = e.podcastID
      WHERE \(condition) \(noted == nil ? "" : "AND d.episodeID IN (SELECT value FROM json_each(?))")
        AND e.\(StatusIs.listed) AND p.isSubscribed AND coalesce(e.pubDate, 0) >= ? AND coalesce(e.pubDate, 0) < ?
      ORDER BY \(order) LIMIT ?
      """
    return try Int64.fetchAll(db, sql, arguments + (noted.map { [$0] } ?? []) + [after, before, limit])
      .map(EpisodeID.init)
  }

  /// The subscribed podcasts with one of the names in their titles.
  private static func podcasts(_ db: Database, _ names: [String]) throws -> [Int64] {
    let rows = try db.rows("SELECT id, title FROM podcast WHERE isSubscribed")
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
    let rows = try db.rows(
      "SELECT id, title FROM podcast WHERE isSubscribed ORDER BY length(title), naturalKey(titleKey), id")
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
