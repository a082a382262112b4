import GRDB

/// Adds documents to the search index, inside one transaction.
///
/// A document's number is its row in `search`. Its upper bits are the day of the episode. FTS5 scans rows in the
/// order of their numbers, so the newest of 100,000 hits come first without reading the others, and `after:` is a
/// range. The numbers of one day are consecutive, which keeps the differences that FTS5 stores for each word small.
///
/// SQLite 3.40 cannot delete rows from an index without content, so a changed document gets a new number. Its old row
/// in `searchDocument` stays, without an episode, so that the old number is not reused. `Library.renewSearchIndex`
/// removes these dead documents once they are the majority.
struct SearchWriter {
  private let db: Database
  private var waiting: [(number: Int64, podcast: Int64, document: SearchDocument)] = []
  private var pending: [Int64] = []
  private var nextOfDay: [Int64: Int64] = [:]

  init(_ db: Database) { self.db = db }

  /// Adds a document, unless it is in the index unchanged.
  /// - Parameter old: the episode's current index entry.
  /// - Returns: the new index entry, to be stored in `episodeContent`.
  mutating func add(
    _ document: SearchDocument, of episode: Int64, in podcast: Int64, pubDate: Double?, replacing old: IndexedDocument
  ) throws -> IndexedDocument {
    if let number = old.number, DocumentNumber.day(of: number) == DocumentNumber.day(pubDate) {
      guard try isInIndex(number) else {
        waiting.append((number, podcast, document))
        return IndexedDocument(number: number, hash: document.hash)
      }
      if old.hash == document.hash { return old }
    }
    if let number = old.number { try Self.remove(db, number) }
    let number = try newNumber(for: episode, pubDate)
    waiting.append((number, podcast, document))
    return IndexedDocument(number: number, hash: document.hash)
  }

  /// Marks an episode whose texts have changed, so that `Library.indexPending` indexes it. An episode that was marked
  /// before moves to the end of the queue.
  mutating func addLater(_ episode: Int64) { pending.append(episode) }

  /// Marks a new episode and reserves its document number.
  /// - Returns: the index entry, to be stored in `episodeContent`. It has the size of the final one. SQLite then
  ///   overwrites it in place later, instead of writing the row again with its notes.
  mutating func reserve(_ episode: Int64, pubDate: Double?) throws -> IndexedDocument {
    addLater(episode)
    return .reserved(try newNumber(for: episode, pubDate))
  }

  static func mark(_ db: Database, _ episodes: [Int64]) throws {
    // One statement for all: each statement updates `sqlite_sequence`, which takes longer than the row itself.
    try db.run(
      "INSERT OR REPLACE INTO searchPending (episodeID) SELECT value FROM json_each(?)", [episodes.description])
  }

  static func remove(_ db: Database, _ number: Int64) throws {
    try RawStatement(db, "UPDATE searchDocument SET episodeID = NULL WHERE id = ?").run(number)
  }

  /// Writes the added documents. Call it last in the transaction.
  ///
  /// They are written together and in order of their numbers. Otherwise FTS5 writes a segment whenever a number is
  /// smaller than the previous one, and at each savepoint that another statement may open, which took three times as
  /// long.
  mutating func finish() throws {
    if !pending.isEmpty { try Self.mark(db, pending) }
    pending = []
    guard !waiting.isEmpty else { return }
    waiting.sort { $0.number < $1.number }
    let insertion = try IndexInsertion(db)
    for (number, podcast, document) in waiting { try insertion.insert(document, as: number, in: podcast) }
    waiting = []
  }

  /// False for a number that is only reserved, and for all numbers of an emptied index.
  private func isInIndex(_ number: Int64) throws -> Bool {
    try RawStatement(db, "SELECT 1 FROM search WHERE rowid = ?").first(number) { _ in true } ?? false
  }

  private mutating func newNumber(for episode: Int64, _ pubDate: Double?) throws -> Int64 {
    let number = try freeNumber(pubDate)
    try RawStatement(db, "INSERT INTO searchDocument (id, episodeID) VALUES (?, ?)").run(number, episode)
    return number
  }

  private mutating func freeNumber(_ pubDate: Double?) throws -> Int64 {
    var day = DocumentNumber.day(pubDate)
    while true {
      let numbers = DocumentNumber.numbers(of: day)
      let next: Int64
      if let known = nextOfDay[day] {
        next = known
      } else {
        let free = try RawStatement(db, "SELECT coalesce(max(id) + 1, 0) FROM searchDocument WHERE id < ?")
          .first(numbers.upperBound) { try $0[0] as Int64 }
        next = max(free ?? 0, numbers.lowerBound)
      }
      if next < numbers.upperBound {
        nextOfDay[day] = next + 1
        return next
      }
      // A full day (a feed with 20,000 undated episodes) uses numbers of the next days.
      nextOfDay[day] = next
      day += 1
    }
  }
}

/// Inserts documents into a table `search`, of the library or in memory.
struct IndexInsertion {
  private let statement: RawStatement

  init(_ db: Database) throws {
    statement = try RawStatement(
      db, "INSERT INTO search (rowid, title, notes, people, chapters, transcript, scope) VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  func insert(_ document: SearchDocument, as number: Int64, in podcast: Int64) throws {
    try statement.run { values in
      values.add(number)
      for column in document.columns { values.add(column) }
      values.add(SearchText.scope(podcast))
    }
  }
}

/// The range of document numbers of a day.
enum DocumentNumber {
  private static let bits: Int64 = 12
  /// About the year 3000. Feeds may contain any date.
  private static let lastDay = 376_000.0

  /// Days since 1970. Missing and earlier dates are day 0.
  static func day(_ pubDate: Double?) -> Int64 { Int64(min(max(0, (pubDate ?? 0) / 86400), lastDay)) }

  static func day(of number: Int64) -> Int64 { number >> bits }

  static func numbers(of day: Int64) -> Range<Int64> { (day << bits | 1)..<((day + 1) << bits) }
}
