import Foundation
import GRDB
import Model

/// An episode's texts for the index: plain text, with spaces added in scripts without spaces. Prepared before the
/// write begins.
struct SearchDocument: Sendable {
  /// Title, notes, people, chapters, transcript: the columns of `search`, in order.
  let columns: [String]
  /// A hash of all columns. Notes that changed only in their markup (such as links with a token) are not indexed
  /// again.
  let hash: Int64

  init(
    title: String?, notes: String?, people: String?, chapters: [Chapter], transcript: Transcript? = nil,
    plainText: (String) -> String
  ) {
    columns = [
      title ?? "", notes.map(plainText) ?? "", people ?? "",
      chapters.isEmpty ? "" : chapters.compactMap(\.title).joined(separator: "\n"),
      transcript.map { $0.lines.lazy.map(\.text).joined(separator: "\n") } ?? "",
    ].map { SearchText.indexed($0.withoutNUL) }
    var hash = StableHash()
    for column in columns { hash.combine(column) }
    self.hash = hash.value
  }
}

/// The searchable texts of an episode, as stored.
struct EpisodeTexts {
  var podcast: Int64
  /// Seconds since 1970.
  var pubDate: Double?
  var title: String
  /// HTML or plain text.
  var notes: String
  var people: String
  var chapters: [Chapter]
  var transcript: Transcript?

  init(_ db: Database, episode: Int64) throws {
    let found = try db.row(
      """
      SELECT e.podcastID, e.pubDate, e.title, coalesce(plain(c.contentHTML), plain(c.summary), ''), c.people,
        coalesce(t.transcript, m.transcript),
        \(Extra.chapters.isIn("c.extras")) OR EXISTS (SELECT 1 FROM chapterSource WHERE episodeID = e.id)
      FROM episode e LEFT JOIN episodeContent c ON c.episodeID = e.id
      LEFT JOIN transcript t ON t.episodeID = e.id
      LEFT JOIN madeTranscript m ON m.episodeID = e.id
      WHERE e.id = ?
      """, [episode])
    guard let row = found else { throw StoreError.unknown("episode \(episode)") }
    try (podcast, pubDate) = (row[0], row[1])
    title = try (row[2] as String?) ?? ""
    notes = try (row[3] as String?) ?? ""
    people = try (row[4] as String?) ?? ""
    // Most episodes have none, and looking for them takes a fifth of the time of indexing.
    chapters = try (row[6] as Bool?) == true ? ChapterSources(db, episode: episode).merged : []
    transcript = try (row[5] as String?).map { try JSONCoding.decode(Transcript.self, $0) }
  }

  func document(plainText: (String) -> String) -> SearchDocument {
    SearchDocument(
      title: title, notes: notes, people: people, chapters: chapters, transcript: transcript, plainText: plainText)
  }
}

/// An episode's entry in the index. Both nil if it has none.
struct IndexedDocument {
  /// The row in `search`.
  var number: Int64?
  /// Nil if the document must be indexed again.
  var hash: Int64?

  /// The hash of an entry whose number has no row in `search` yet. It takes 8 bytes in a record, as nearly all hashes
  /// do.
  private static let reservedHash = Int64.min

  static func reserved(_ number: Int64) -> Self { Self(number: number, hash: reservedHash) }
}
