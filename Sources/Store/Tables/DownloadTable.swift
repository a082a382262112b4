import Foundation
import GRDB
import Model

/// A download, complete or not.
public struct Download: Sendable, Equatable {
  public var episode: EpisodeID
  /// Relative to the download directory.
  public var fileName: String
  public var downloadComplete: Bool
  public var bytes: Int64?
  /// What the downloader needs to resume (ETag, length…), in its own format.
  public var resumeData: String?
  public init(
    episode: EpisodeID, fileName: String, downloadComplete: Bool, bytes: Int64? = nil, resumeData: String? = nil
  ) {
    self.episode = episode
    self.fileName = fileName
    self.downloadComplete = downloadComplete
    self.bytes = bytes
    self.resumeData = resumeData
  }
}

extension Library {
  public func download(_ episode: EpisodeID) throws(StoreError) -> Download? {
    try read { db in try Self.storedDownload(db, of: episode) }
  }

  /// Incomplete downloads, oldest first.
  public func unfinishedDownloads() throws(StoreError) -> [Download] {
    try read { db in
      try db.rows("SELECT \(Self.downloadColumns) FROM download WHERE NOT downloadComplete ORDER BY updated")
        .map(Self.download)
    }
  }

  /// Stores the state of a download. Completing it is recorded as an event. Until then, it keeps the time at which it
  /// began, so that progress does not change the order of the unfinished ones.
  /// - Parameter replacesComplete: false: a complete download of the same episode stays, if another process has stored
  ///   one meanwhile.
  /// - Returns: false if that one stays.
  @discardableResult
  public func saveDownload(
    _ download: Download, now: Date, replacesComplete: Bool = true
  ) throws(StoreError) -> Bool {
    try write { db in
      let before = try db.row(
        "SELECT downloadComplete, updated, fileName FROM download WHERE episodeID = ?", [download.episode.rawValue])
      let wasComplete: Bool? = try before?[0]
      let fileName: String? = try before?[2]
      let isSame = download.downloadComplete && fileName == download.fileName
      if wasComplete == true, !replacesComplete, !isSame { return false }
      let begun: Double? = try wasComplete == false && !download.downloadComplete ? before?[1] : nil
      try db.run(
        "INSERT OR REPLACE INTO download (\(Self.downloadColumns), updated) VALUES (?, ?, ?, ?, ?, ?)",
        download.columns + [begun ?? now.seconds])
      guard download.downloadComplete, wasComplete != true else { return true }
      let event = ListeningEvent(episode: download.episode, kind: .download, timestamp: now)
      try Self.insert(db, event, deviceID: self.deviceID)
      return true
    }
  }

  /// Stores a download that begins, unless the episode has one. So processes that begin it at the same time agree on
  /// the name of the file.
  /// - Returns: the stored one.
  public func beginDownload(_ download: Download, now: Date) throws(StoreError) -> Download {
    try write { db in
      try db.run(
        "INSERT OR IGNORE INTO download (\(Self.downloadColumns), updated) VALUES (?, ?, ?, ?, ?, ?)",
        download.columns + [now.seconds])
      return try Self.storedDownload(db, of: download.episode) ?? download
    }
  }

  /// Deletes the download's row, after the caller has deleted the file.
  /// - Returns: false if another process has changed the row since it was read. Then it has a file again.
  @discardableResult
  public func removeDownload(_ download: Download) throws(StoreError) -> Bool {
    try write { db in
      try db.run(
        """
        DELETE FROM download
        WHERE episodeID = ? AND fileName = ? AND downloadComplete = ? AND bytes IS ? AND resumeData IS ?
        """, download.columns)
      return db.changesCount > 0
    }
  }

  /// The names of all downloaded files, complete or not.
  public func downloadNames() throws(StoreError) -> Set<String> {
    try read { db in try String.fetchSet(db, sql: "SELECT fileName FROM download") }
  }

  private static let downloadColumns = "episodeID, fileName, downloadComplete, bytes, resumeData"

  private static func storedDownload(_ db: Database, of episode: EpisodeID) throws -> Download? {
    try db.row("SELECT \(downloadColumns) FROM download WHERE episodeID = ?", [episode.rawValue])
      .map { try download($0) }
  }

  private static func download(_ row: CheckedRow) throws -> Download {
    try Download(
      episode: EpisodeID(row[0]), fileName: row[1], downloadComplete: row[2], bytes: row[3], resumeData: row[4])
  }
}

extension Download {
  /// The values of `downloadColumns`.
  fileprivate var columns: StatementArguments { [episode.rawValue, fileName, downloadComplete, bytes, resumeData] }
}
