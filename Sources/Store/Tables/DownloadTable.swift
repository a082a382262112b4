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
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(Self.downloadColumns) FROM download WHERE episodeID = ?", arguments: [episode.rawValue]
      ).map(Self.download)
    }
  }

  /// Incomplete downloads, oldest first.
  public func unfinishedDownloads() throws(StoreError) -> [Download] {
    try read { db in
      try Row.fetchCursor(
        db, sql: "SELECT \(Self.downloadColumns) FROM download WHERE NOT downloadComplete ORDER BY updated"
      ).map(Self.download).collect()
    }
  }

  /// Stores the state of a download. Completing it is recorded as an event. Until then, it keeps the time at which it
  /// began, so that progress does not change the order of the unfinished ones.
  public func saveDownload(_ download: Download, now: Date) throws(StoreError) {
    try write { db in
      let before = try Row.fetchOne(
        db, sql: "SELECT downloadComplete, updated FROM download WHERE episodeID = ?",
        arguments: [download.episode.rawValue])
      let wasComplete: Bool? = before?[0]
      let begun: Double? = wasComplete == false && !download.downloadComplete ? before?[1] : nil
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO download (\(Self.downloadColumns), updated) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          download.episode.rawValue, download.fileName, download.downloadComplete, download.bytes, download.resumeData,
          begun ?? now.seconds,
        ])
      guard download.downloadComplete, wasComplete != true else { return }
      let event = ListeningEvent(episode: download.episode, kind: .download, timestamp: now)
      try Self.insert(db, event, deviceID: self.deviceID)
    }
  }

  /// Deletes the download's row. The caller must delete the file.
  public func removeDownload(_ episode: EpisodeID) throws(StoreError) {
    try write { db in try db.execute(sql: "DELETE FROM download WHERE episodeID = ?", arguments: [episode.rawValue]) }
  }

  private static let downloadColumns = "episodeID, fileName, downloadComplete, bytes, resumeData"

  private static func download(_ row: Row) throws -> Download {
    let row = CheckedRow(row)
    return try Download(
      episode: EpisodeID(row[0]), fileName: row[1], downloadComplete: row[2], bytes: row[3], resumeData: row[4])
  }
}
