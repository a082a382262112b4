import Foundation
import GRDB
import Model

/// Fetched transcripts, which are also indexed for the search.
extension Library {
  /// Nil if none was fetched.
  public func transcript(_ episode: EpisodeID) throws(StoreError) -> Transcript? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT transcript FROM transcript WHERE episodeID = ?", arguments: [episode.rawValue]
      ).map { try JSONCoding.decode(Transcript.self, $0) }
    }
  }

  /// The transcript, and when it was fetched. Nil if none was.
  public func storedTranscript(_ episode: EpisodeID) throws(StoreError) -> (transcript: Transcript, updated: Date)? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT transcript, updated FROM transcript WHERE episodeID = ?", arguments: [episode.rawValue]
      ).map { row in
        let row = CheckedRow(row)
        return (try JSONCoding.decode(Transcript.self, row[0]), Date(timeIntervalSince1970: try row[1]))
      }
    }
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
