import Foundation
import GRDB
import Model

/// Chapters and transcripts that were fetched or found in the file. The index learns of them.
extension Library {
  /// The fetched chapters, else those of the feed.
  public func chapters(_ episode: EpisodeID) throws(StoreError) -> [Chapter] {
    let stored = try read { db in
      try String.fetchOne(
        db, sql: "SELECT chapters FROM chapters WHERE episodeID = ?", arguments: [episode.rawValue]
      ).map { try JSONCoding.decode([Chapter].self, $0) }
    }
    if let stored { return stored }
    return try self.episode(episode)?.feed.chapters ?? []
  }

  public func saveChapters(_ chapters: [Chapter], of episode: EpisodeID, now: Date) throws(StoreError) {
    try saveCompanion("chapters", chapters, of: episode, now: now)
  }

  /// Nil when none was fetched.
  public func transcript(_ episode: EpisodeID) throws(StoreError) -> Transcript? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT transcript FROM transcript WHERE episodeID = ?", arguments: [episode.rawValue]
      ).map { try JSONCoding.decode(Transcript.self, $0) }
    }
  }

  public func saveTranscript(_ transcript: Transcript, of episode: EpisodeID, now: Date) throws(StoreError) {
    try saveCompanion("transcript", transcript, of: episode, now: now)
  }

  /// - Parameter table: also the name of its column.
  private func saveCompanion(
    _ table: String, _ value: some Encodable, of episode: EpisodeID, now: Date
  ) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO \(table) (episodeID, \(table), updated) VALUES (?, ?, ?)",
        arguments: [episode.rawValue, try JSONCoding.encode(value), now.seconds])
      try db.execute(sql: "INSERT OR REPLACE INTO searchPending (episodeID) VALUES (?)", arguments: [episode.rawValue])
    }
  }
}
