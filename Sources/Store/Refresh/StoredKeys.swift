import GRDB
import Model

/// The identifying data of a podcast's stored episodes.
struct StoredKeys {
  var ids: [Int64]
  var keys: [EpisodeKey]

  init(_ db: Database, podcast: PodcastID) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, guid, mediaURL, mediaKey, titleKey, pubDate, duration, contentHash FROM episode
        WHERE podcastID = ? ORDER BY id
        """, arguments: [podcast.rawValue]
    ).map(CheckedRow.init)
    ids = try rows.map { try $0[0] }
    keys = try rows.map {
      try EpisodeKey(
        guid: $0[1], mediaURL: $0[2], mediaKey: $0[3], title: $0[4], pubDate: $0[5], duration: $0[6], hash: $0[7])
    }
  }
}
