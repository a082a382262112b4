import Foundation
import GRDB
import Model

/// The chapters of an episode, by where they were found. Only the sources are stored; the list that is shown is computed
/// from them, so that a source that loses its chapters takes them away.
public struct ChapterSources: Sendable, Equatable {
  /// Where the feed says that JSON chapters are.
  public var address: String?
  /// The JSON as it was last fetched, from `address` or from the one that the feed named before; nil: never fetched.
  public var json: [Chapter]?
  /// The address that `json` came from.
  public var jsonAddress: String?
  /// Those in the feed itself (Podlove).
  public var feed: [Chapter]
  /// Those that the player found in the file when it was last opened; nil: never opened.
  public var file: [Chapter]?

  public init(
    address: String? = nil, json: [Chapter]? = nil, jsonAddress: String? = nil, feed: [Chapter] = [],
    file: [Chapter]? = nil
  ) {
    self.address = address
    self.json = json
    self.jsonAddress = jsonAddress
    self.feed = feed
    self.file = file
  }

  /// One list of all (`ChapterMerge`). JSON that the feed no longer names does not count.
  public var merged: [Chapter] {
    ChapterMerge.merge([address == nil ? [] : json ?? [], feed, file ?? []])
  }
}

/// A source of chapters beside the feed.
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
  /// All that is known of the episode's chapters.
  public func chapterSources(_ episode: EpisodeID) throws(StoreError) -> ChapterSources {
    try read { db in try ChapterSources(db, episode: episode.rawValue) }
  }

  /// The chapters of all sources, merged.
  public func chapters(_ episode: EpisodeID) throws(StoreError) -> [Chapter] { try chapterSources(episode).merged }

  /// Stores what a source has now, in place of what it had. An empty list says that it was read and has none.
  public func saveChapters(
    _ chapters: [Chapter], from source: ChapterSource, of episode: EpisodeID, now: Date
  ) throws(StoreError) {
    let columns = source.columns
    try write { db in
      let json = try JSONCoding.encode(chapters)
      let known = try Row.fetchOne(
        db, sql: "SELECT chapters, address FROM chapterSource WHERE episodeID = ? AND source = ?",
        arguments: [episode.rawValue, columns.source]
      ).map(CheckedRow.init)
      if let known, try (known[0] as String) == json, try (known[1] as String?) == columns.address { return }
      // Most files have none: that needs no row when there was none.
      if known == nil, chapters.isEmpty, source == .file { return }
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO chapterSource (episodeID, source, address, chapters, updated) VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [episode.rawValue, columns.source, columns.address, json, now.seconds])
      try db.execute(sql: "INSERT OR REPLACE INTO searchPending (episodeID) VALUES (?)", arguments: [episode.rawValue])
    }
  }
}

extension ChapterSources {
  init(_ db: Database, episode: Int64) throws {
    self.init()
    // The extras are read only where they speak of chapters: for all episodes it would cost more than the indexing.
    let content = try db.cachedStatement(
      sql: """
        SELECT iif(instr(extras, '"chapters":') OR instr(extras, '"chaptersURL":'), extras, NULL)
        FROM episodeContent WHERE episodeID = ?
        """)
    var said = FeedEpisode()
    EpisodeExtras.restore(try String.fetchOne(content, arguments: [episode]), into: &said)
    (address, feed) = (said.chaptersURL, said.chapters)
    let sources = try db.cachedStatement(sql: "SELECT source, address, chapters FROM chapterSource WHERE episodeID = ?")
    for row in try Row.fetchAll(sources, arguments: [episode]).map(CheckedRow.init) {
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
