import Foundation
import GRDB
import Model

/// A downloaded file with what the clean-up rules need to know about its episode.
public struct DownloadedFile: Sendable, Equatable {
  public var episode: EpisodeID
  public var podcast: PodcastID
  /// Relative to the download directory.
  public var fileName: String
  public var bytes: Int64
  public var downloaded: Date
  public var pubDate: Date?
  public var status = EpisodeStatus.new
  /// Seconds.
  public var position = 0.0
  public var isQueued = false
}

extension Library {
  /// The complete downloads, oldest first.
  public func downloadedFiles() throws(StoreError) -> [DownloadedFile] {
    try read { db in
      try db.rows(
        """
        SELECT e.id, e.podcastID, d.fileName, coalesce(d.bytes, 0), d.updated, e.pubDate, e.status, e.position,
          EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id)
        FROM download d JOIN episode e ON e.id = d.episodeID WHERE d.downloadComplete ORDER BY d.updated, e.id
        """
      ).map { row in
        try DownloadedFile(
          episode: EpisodeID(row[0]), podcast: PodcastID(row[1]), fileName: row[2], bytes: row[3],
          downloaded: Date(timeIntervalSince1970: row[4]), pubDate: Date(seconds: row[5]),
          status: EpisodeStatus(code: row[6]), position: row[7], isQueued: row[8])
      }
    }
  }

  /// How many bytes the complete downloads have, as far as it is known.
  public func downloadedBytes() throws(StoreError) -> Int64 {
    try read { db in
      let sum = "SELECT total(bytes) FROM download WHERE downloadComplete AND bytes > 0"
      return Int64(min(1e18, try Double.fetchOne(db, sum) ?? 0))
    }
  }

  /// Whether another episode's download has this name, ignoring case.
  public func isDownloadName(_ name: String, takenByOtherThan episode: EpisodeID) throws(StoreError) -> Bool {
    try read { db in
      try db.hasRow(
        "SELECT 1 FROM download WHERE fileName = ? COLLATE NOCASE AND episodeID <> ?", [name, episode.rawValue])
    }
  }

  /// The episodes to download automatically. Each podcast stores the last episode that was considered, so that a
  /// cancelled download is not started again. One transaction.
  /// - Parameter standard: how many of the newest episodes, for podcasts without a setting of their own.
  public func takeEpisodesToDownload(standard: Int) throws(StoreError) -> [EpisodeID] {
    try write { db in
      let own = try Self.podcastSettings(db)
      guard standard > 0 || own.values.contains(where: { $0.autoDownload ?? 0 > 0 }) else { return [] }
      let newest = try Self.newestEpisode(db)
      var wanted: [EpisodeID] = []
      let podcasts =
        """
        SELECT id FROM podcast WHERE isSubscribed AND NOT \(FolderPodcast.condition) AND feedURL NOT LIKE 'earshot:%'
        ORDER BY titleKey, id
        """
      for id in try Int64.fetchAll(db, podcasts) {
        let podcast = PodcastID(id)
        let count = own[podcast]?.autoDownload ?? standard
        guard count > 0, own[podcast]?.isDamaged != true else { continue }
        let mark = own[podcast]?.autoDownloadAfter
        wanted += try Self.episodesToDownload(db, of: podcast, after: mark ?? 0, limit: count)
        if newest != mark { try Self.update(db, settingsOf: podcast) { $0.autoDownloadAfter = newest } }
      }
      return wanted
    }
  }

  /// Changes a setting of a podcast. When automatic downloads are turned on, the newest are downloaded at once.
  public func change(
    _ change: PodcastSettings.Change, of podcast: PodcastID, now: Date = Date()
  ) throws(StoreError) {
    try write { db in
      let newest = try Self.newestEpisode(db)
      try Self.changeSettings(db, of: podcast, now: now) {
        $0.apply(change, newest: newest.map { EpisodeID($0) })
      }
    }
  }

  /// Those of the podcast's newest untouched episodes that have no download yet, with an id greater than `episode`.
  /// - Parameter limit: how many of the newest are considered. Those with a download count, too.
  private static func episodesToDownload(
    _ db: Database, of podcast: PodcastID, after episode: Int64, limit: Int
  ) throws -> [EpisodeID] {
    try Int64.fetchAll(
      db,
      """
      SELECT id FROM (
        SELECT e.id FROM episode e INDEXED BY episodeListed
        WHERE e.podcastID = ? AND e.\(StatusIs.new) AND e.\(StatusIs.listed) AND e.id > ? AND e.mediaURL IS NOT NULL
        ORDER BY e.pubDate DESC, e.feedOrder DESC, e.id DESC LIMIT ?
      ) WHERE id NOT IN (SELECT episodeID FROM download)
      """, [podcast.rawValue, episode, limit]
    ).map { EpisodeID($0) }
  }

  /// The episode that was stored last. Nil in an empty library.
  private static func newestEpisode(_ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, "SELECT max(id) FROM episode")
  }
}
