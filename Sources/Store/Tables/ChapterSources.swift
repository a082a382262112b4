import Foundation
import GRDB
import Model

/// The chapters of an episode by source. Only the sources are stored, and the displayed list is calculated from them.
/// So if a source loses its chapters, they disappear.
public struct ChapterSources: Sendable, Equatable {
  /// The address of a file of chapters in the feed.
  public var address: String?
  /// The chapters of that file (mostly JSON) as last fetched, from `address` or an earlier one. Nil: never fetched.
  public var json: [Chapter]?
  /// The address of `json`.
  public var jsonAddress: String?
  /// Chapters in the feed itself (Podlove).
  public var feed: [Chapter] = []
  /// Chapters that the player last found in the file. Nil: the file was never opened.
  public var file: [Chapter]?
  /// Chapters that the show notes list (`NotesReader.chapters`).
  public var notes: [Chapter] = []
  /// The measured duration of the file, in seconds. Nil: it was never played.
  public var duration: Double?

  public init() {}

  /// All sources merged (`ChapterMerge`). JSON that the feed no longer links to is ignored. The notes count only if
  /// nothing else has chapters.
  public var merged: [Chapter] {
    let stated = ChapterMerge.merge([address == nil ? [] : json ?? [], feed], file: file ?? [], duration: duration)
    return stated.isEmpty ? ChapterMerge.listed(notes, duration: duration) : stated
  }
}

/// A source of chapters other than the feed.
public enum ChapterSource: Sendable, Equatable {
  case json(address: String)
  case file

  fileprivate var columns: (source: String, address: String?) {
    switch self {
    case .json(let address): ("json", address)
    case .file: ("file", nil)
    }
  }
}

extension Library {
  /// The chapters of the episode by source.
  public func chapterSources(_ episode: EpisodeID) throws(StoreError) -> ChapterSources {
    let reader = notes
    return try read { db in
      var sources = try ChapterSources(db, episode: episode.rawValue)
      let row = try db.row(
        """
        SELECT plain(c.contentHTML), plain(c.summary), e.duration FROM episode e
        JOIN episodeContent c ON c.episodeID = e.id WHERE e.id = ?
        """, [episode.rawValue])
      guard let row else { return sources }
      let duration = try sources.duration ?? row[2] as Double?
      for notes in try [row[0] as String?, row[1]] where sources.notes.isEmpty {
        sources.notes = notes.map { reader.chapters($0, duration) } ?? []
      }
      return sources
    }
  }

  /// The merged chapters of all sources.
  public func chapters(_ episode: EpisodeID) throws(StoreError) -> [Chapter] { try chapterSources(episode).merged }

  /// Replaces the chapters of a source. An empty list means that the source has none.
  public func saveChapters(
    _ chapters: [Chapter], from source: ChapterSource, of episode: EpisodeID, now: Date
  ) throws(StoreError) {
    let columns = source.columns
    try write { db in
      let json = try JSONCoding.encode(chapters)
      let known = try db.row(
        "SELECT chapters, address FROM chapterSource WHERE episodeID = ? AND source = ?",
        [episode.rawValue, columns.source])
      if let known, try (known[0] as String) == json, try (known[1] as String?) == columns.address { return }
      // Most files have no chapters. That needs no row unless there was one.
      if known == nil, chapters.isEmpty, source == .file { return }
      try db.run(
        """
        INSERT OR REPLACE INTO chapterSource (episodeID, source, address, chapters, updated) VALUES (?, ?, ?, ?, ?)
        """, [episode.rawValue, columns.source, columns.address, json, now.seconds])
      try SearchWriter.mark(db, [episode.rawValue])
    }
  }
}

extension ChapterSources {
  init(_ db: Database, episode: Int64) throws {
    self.init()
    // The extras are decoded only if they contain chapters. Decoding them for all episodes would cost more than
    // indexing.
    let sql = """
      SELECT iif(\(Extra.chapters.isIn()) OR \(Extra.chaptersURL.isIn()), extras, NULL)
      FROM episodeContent WHERE episodeID = ?
      """
    let extras = FeedEpisode(extras: try String.fetchOne(db, sql, [episode]))
    (address, feed) = (extras.chaptersURL, extras.chapters)
    duration = try Double.fetchOne(db, "SELECT measuredDuration FROM episode WHERE id = ?", [episode])
    for row in try db.rows("SELECT source, address, chapters FROM chapterSource WHERE episodeID = ?", [episode]) {
      let chapters = try JSONCoding.decode([Chapter].self, row[2] as String)
      switch try row[0] as String {
      case "json":
        json = chapters
        jsonAddress = try row[1]
      default: file = chapters
      }
    }
  }
}
