import GRDB
import Model

/// The identifying data of a podcast's stored episodes.
struct StoredKeys {
  private(set) var ids: [Int64] = []
  private(set) var keys: [EpisodeKey] = []

  init(_ db: Database, podcast: PodcastID) throws {
    try self.init(
      Row.fetchCursor(
        db, sql: "SELECT id, \(EpisodeKey.columns) FROM episode WHERE podcastID = ? ORDER BY id",
        arguments: [podcast.rawValue]))
  }

  /// - Parameter rows: the id, then `EpisodeKey.columns`.
  init(_ rows: RowCursor) throws {
    while let row = try rows.next().map(CheckedRow.init) {
      ids.append(try row[0])
      keys.append(
        try EpisodeKey(
          guid: row[1], mediaURL: row[2], mediaKey: row[3], title: row[4], pubDate: row[5], duration: row[6],
          hash: row[7], bytes: row[8], season: row[9], number: row[10], order: row[12], isGone: row[11]))
    }
  }
}

extension EpisodeKey {
  static let columns =
    "guid, mediaURL, mediaKey, titleKey, pubDate, duration, contentHash, mediaBytes, season, episodeNumber, isGone, feedOrder"
}
