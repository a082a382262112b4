import Foundation
import GRDB
import Model

/// Transcripts: the publisher's, as fetched, and those that the listener has made or imported. Both are indexed for the
/// search.
extension Library {
  /// The publisher's transcript if it was fetched, else the one that the listener has made. Nil if there is none.
  public func transcript(_ episode: EpisodeID) throws(StoreError) -> Transcript? {
    try read { db in try Self.transcript(db, episode) }
  }

  static func transcript(_ db: Database, _ episode: EpisodeID) throws -> Transcript? {
    try storedTranscript(db, episode)?.transcript ?? madeTranscript(db, episode)
  }

  /// The transcript that the listener has made or imported.
  public func madeTranscript(_ episode: EpisodeID) throws(StoreError) -> Transcript? {
    try read { db in try Self.madeTranscript(db, episode) }
  }

  static func madeTranscript(_ db: Database, _ episode: EpisodeID) throws -> Transcript? {
    try db.row("SELECT transcript, origin FROM madeTranscript WHERE episodeID = ?", [episode.rawValue]).map { row in
      var transcript = try JSONCoding.decode(Transcript.self, row[0])
      transcript.origin = try JSONCoding.decode(TranscriptOrigin.self, row[1])
      return transcript
    }
  }

  /// Replaces the transcript that the listener has made or imported, and takes the episode from the list of those to
  /// make. The publisher's transcript stays.
  public func saveMadeTranscript(
    _ transcript: Transcript, _ origin: TranscriptOrigin, of episode: EpisodeID, now: Date
  ) throws(StoreError) {
    try write { db in
      try Self.saveMadeTranscript(
        db, transcript, origin: try JSONCoding.encode(origin), of: episode.rawValue, now: now)
    }
  }

  /// - Parameter origin: JSON of a `TranscriptOrigin`.
  static func saveMadeTranscript(
    _ db: Database, _ transcript: Transcript, origin: String, of episode: Int64, now: Date
  ) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO madeTranscript (episodeID, transcript, origin, updated) VALUES (?, ?, ?, ?)",
      arguments: [episode, try JSONCoding.encode(Transcript(lines: transcript.lines)), origin, now.seconds])
    try db.run("DELETE FROM transcribing WHERE episodeID = ?", [episode])
    try SearchWriter.mark(db, [episode])
  }

  /// Removes the transcript that the listener has made or imported.
  /// - Returns: whether there was one.
  public func removeMadeTranscript(_ episode: EpisodeID) throws(StoreError) -> Bool {
    try write { db in try Self.removeMadeTranscript(db, episode.rawValue) }
  }

  @discardableResult
  static func removeMadeTranscript(_ db: Database, _ episode: Int64) throws -> Bool {
    try db.execute(sql: "DELETE FROM madeTranscript WHERE episodeID = ?", arguments: [episode])
    let isRemoved = db.changesCount > 0
    if isRemoved { try SearchWriter.mark(db, [episode]) }
    return isRemoved
  }

  /// The publisher's transcript, and when it was fetched. Nil if none was.
  public func storedTranscript(_ episode: EpisodeID) throws(StoreError) -> (transcript: Transcript, updated: Date)? {
    try read { db in try Self.storedTranscript(db, episode) }
  }

  private static func storedTranscript(
    _ db: Database, _ episode: EpisodeID
  ) throws -> (transcript: Transcript, updated: Date)? {
    try db.row("SELECT transcript, updated FROM transcript WHERE episodeID = ?", [episode.rawValue])
      .map { (try JSONCoding.decode(Transcript.self, $0[0]), Date(timeIntervalSince1970: try $0[1])) }
  }

  public func saveTranscript(_ transcript: Transcript, of episode: EpisodeID, now: Date) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO transcript (episodeID, transcript, updated) VALUES (?, ?, ?)",
        arguments: [episode.rawValue, try JSONCoding.encode(transcript), now.seconds])
      try SearchWriter.mark(db, [episode.rawValue])
    }
  }
}
