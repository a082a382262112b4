import Foundation
import GRDB
import Model

/// Writes what a feed says into one podcast, inside one transaction. What the listener did is never touched.
struct FeedWriter {
  var db: Database
  var podcast: PodcastID
  var now: Date

  /// An episode that is stored, and what of it the refresh needs to know.
  private struct Stored {
    var id: Int64
    var isGone: Bool
  }

  func write(_ feed: FeedPodcast, _ episodes: [PreparedEpisode]) throws -> ApplyResult {
    var result = ApplyResult()
    let (stored, keys) = try storedEpisodes()
    let matcher = EpisodeMatcher(items: episodes.map(\.key), stored: keys)
    // From the last to the first: publishers put the newest first, and where no date decides the larger id does.
    for index in episodes.indices.reversed() where !matcher.duplicates.contains(index) {
      let episode = episodes[index]
      guard let match = matcher.matches[index] else {
        result.new.append(EpisodeID(try insert(episode)))
        continue
      }
      if keys[match].hash != episode.key.hash {
        try update(stored[match].id, episode)
        result.updated += 1
      } else if stored[match].isGone {
        try setGone(stored[match].id, false)
      }
    }
    result.new.reverse()
    try leave(matcher.leftOver, stored, keys, feed, episodes, &result)
    return result
  }

  /// All episodes of the podcast, the deleted ones too.
  private func storedEpisodes() throws -> ([Stored], [EpisodeKey]) {
    let columns = "id, isGone, guid, mediaURL, mediaKey, titleKey, pubDate, duration, contentHash"
    // Two halves, because each has a partial index.
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM episode WHERE podcastID = ?1 AND status < 4
        UNION ALL SELECT \(columns) FROM episode WHERE podcastID = ?1 AND status = 4
        """)
    var stored: [Stored] = []
    var keys: [EpisodeKey] = []
    let rows = try Row.fetchCursor(statement, arguments: [podcast.rawValue])
    while let row = try rows.next().map(CheckedRow.init) {
      stored.append(try Stored(id: row[0], isGone: row[1]))
      keys.append(
        try EpisodeKey(
          guid: row[2], mediaURL: row[3], mediaKey: row[4], title: row[5], pubDate: row[6], duration: row[7],
          hash: row[8]))
    }
    return (stored, keys)
  }

  private func insert(_ episode: PreparedEpisode) throws -> Int64 {
    let (feed, key) = (episode.feed, episode.key)
    try db.cachedStatement(
      sql: """
        INSERT INTO episode (podcastID, pubDate, duration, contentHash, title, titleKey, guid, mediaURL, mediaKey,
          mediaType, mediaBytes, season, episodeNumber)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      podcast.rawValue, episode.pubDate, feed.duration, key.hash, feed.title, key.title, feed.guid, feed.mediaURL,
      key.mediaKey, feed.mediaType, feed.mediaBytes, feed.season, feed.episodeNumber,
    ])
    let id = db.lastInsertedRowID
    try writeContent(id, episode)
    return id
  }

  private func update(_ id: Int64, _ episode: PreparedEpisode) throws {
    let (feed, key) = (episode.feed, episode.key)
    try db.cachedStatement(
      sql: """
        UPDATE episode SET pubDate = ?, duration = ?, contentHash = ?, title = ?, titleKey = ?, guid = ?, mediaURL = ?,
          mediaKey = ?, mediaType = ?, mediaBytes = ?, season = ?, episodeNumber = ?, isGone = 0
        WHERE id = ?
        """
    ).execute(arguments: [
      episode.pubDate, feed.duration, key.hash, feed.title, key.title, feed.guid, feed.mediaURL,
      key.mediaKey, feed.mediaType, feed.mediaBytes, feed.season, feed.episodeNumber, id,
    ])
    try writeContent(id, episode)
  }

  private func writeContent(_ id: Int64, _ episode: PreparedEpisode) throws {
    let feed = episode.feed
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO episodeContent (episodeID, link, imageURL, people, extras, summary, contentHTML)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, feed.link, feed.imageURL, episode.people, episode.extras, feed.summary, feed.contentHTML,
    ])
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO searchPending (episodeID) VALUES (?)").execute(arguments: [id])
  }

  private func setGone(_ id: Int64, _ isGone: Bool) throws {
    try db.cachedStatement(sql: "UPDATE episode SET isGone = ? WHERE id = ?").execute(arguments: [isGone, id])
  }

  /// Episodes that are in the store and no longer in the feed.
  ///
  /// Nearly every feed is a window on the newest items: what slid off its end can still be played, and stays, marked
  /// as gone. What is missing from the middle of the window, or from a feed that says it is complete (RFC 5005,
  /// `fh:complete`), the publisher took back: it goes, unless the listener has touched it. A document that is
  /// damaged, one page of several, or empty proves nothing.
  private func leave(
    _ leftOver: [Int], _ stored: [Stored], _ keys: [EpisodeKey], _ feed: FeedPodcast,
    _ episodes: [PreparedEpisode], _ result: inout ApplyResult
  ) throws {
    let isWhole = !feed.damaged && !feed.isArchive && feed.nextPageURL == nil && feed.previousArchiveURL == nil
    guard !leftOver.isEmpty, isWhole, !episodes.isEmpty else { return }
    let oldest = episodes.lazy.compactMap(\.pubDate).min() ?? .infinity
    for index in leftOver {
      let isTakenBack = feed.isComplete || (keys[index].pubDate ?? -.infinity) > oldest
      if isTakenBack, try removeUntouched(stored[index].id) {
        result.removed += 1
      } else if !stored[index].isGone {
        try setGone(stored[index].id, true)
        result.gone += 1
      }
    }
  }

  /// Deletes the episode unless it is anything to the listener: begun, played, deleted, queued, in a playlist,
  /// clipped, tagged, downloaded, or part of the history.
  private func removeUntouched(_ id: Int64) throws -> Bool {
    try db.cachedStatement(
      sql: """
        DELETE FROM episode WHERE id = ?1 AND status = 0 AND position = 0 AND statusUpdated IS NULL AND heardAt IS NULL
          AND NOT EXISTS (SELECT 1 FROM queue WHERE episodeID = ?1)
          AND NOT EXISTS (SELECT 1 FROM playlistItem WHERE episodeID = ?1)
          AND NOT EXISTS (SELECT 1 FROM clip WHERE episodeID = ?1)
          AND NOT EXISTS (SELECT 1 FROM episodeTag WHERE episodeID = ?1)
          AND NOT EXISTS (SELECT 1 FROM download WHERE episodeID = ?1)
          AND NOT EXISTS (SELECT 1 FROM event WHERE episodeID = ?1)
        """
    ).execute(arguments: [id])
    return db.changesCount > 0
  }
}
