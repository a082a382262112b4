import Foundation
import GRDB
import Model
import Sync

/// Transcripts that the listener has made or imported, as registers: `transcript/EPISODE`. Only devices with
/// `[sync] transcripts` send and take them. They are compared with the table once in a sync, because they are large.
struct SyncTranscript {
  static let prefix = "transcript/"
  let db: Database

  /// Bytes of a value. A line of a sync folder has at most 256,000 (docs/SYNC.md).
  private static let maxBytes = 250_000
  /// Bytes of a transcript that may fit when it is compressed.
  private static let maxPlain = 8 * maxBytes
  /// Bytes of the text of a transcript of another device.
  private static let maxText = 20 << 20

  /// Whether one of another device could not be stored yet: its podcast's feed may have been fetched meanwhile.
  func isAnyWaiting() throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM syncRegister WHERE key >= ? AND key < ? AND NOT isApplied)"
    return try Bool.fetchOne(db, sql: sql, arguments: [Self.prefix, CollectionKind.end(of: Self.prefix)]) == true
  }

  /// Transcripts that were made, changed or removed here since the last sync.
  /// One that is too large for a line of a folder is left out.
  /// - Parameter write: stores a register. Nil: it is removed.
  /// - Returns: false if there are more than fit in one transaction. A further call continues.
  func capture(_ write: (_ key: String, _ value: String?) throws -> Void) throws -> Bool {
    var slice = SyncSlice()
    let packer = NotesPacker()
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT p.feedURL, e.guid, e.mediaURL, e.id, m.origin
        FROM madeTranscript m JOIN episode e ON e.id = m.episodeID JOIN podcast p ON p.id = e.podcastID
        """
    ).map(CheckedRow.init)
    var current: Set<String> = []
    let known = try db.cachedStatement(
      sql: "SELECT json_extract(value, '$.origin') FROM syncRegister WHERE key = ? AND value IS NOT NULL")
    for row in rows {
      guard let item = try CollectionReader.item(row) else { continue }
      let key = Self.prefix + item.name
      current.insert(key)
      let origin: String = try row[4]
      guard try String.fetchOne(known, arguments: [key]) != origin,
        let text = try String.fetchOne(
          db,
          sql: "SELECT transcript FROM madeTranscript WHERE episodeID = ? AND length(CAST(transcript AS BLOB)) <= ?",
          arguments: [try row[3] as Int64, Self.maxPlain])
      else { continue }
      guard slice.takes() else { return false }
      var value = item.value
      value["origin"] = .string(origin)
      switch packer.pack(.text(text)) {
      case .text(let text): value["text"] = .string(text)
      case .packed(let bytes): value["packed"] = .string(Data(bytes).base64EncodedString())
      }
      let json = JSONValue.object(value).text
      if json.utf8.count <= Self.maxBytes { try write(key, json) }
    }
    let sent = try String.fetchAll(
      db, sql: "SELECT key FROM syncRegister WHERE key >= ? AND key < ? AND isApplied AND value IS NOT NULL",
      arguments: [Self.prefix, CollectionKind.end(of: Self.prefix)])
    for key in sent where !current.contains(key) { try write(key, nil) }
    return true
  }

  /// Stores or removes the transcript of an episode.
  /// - Returns: false if the transcript cannot be read.
  func apply(_ episode: Int64, _ value: JSONValue?, now: Date) throws -> Bool {
    if let value {
      guard let origin = value["origin"]?.string, (try? JSONCoding.decode(TranscriptOrigin.self, origin)) != nil,
        let text = try text(value), text.utf8.count <= Self.maxText,
        let transcript = try? JSONCoding.decode(Transcript.self, text), !transcript.lines.isEmpty,
        transcript.lines.allSatisfy({ line in
          [line.start, line.end].compactMap(\.self).allSatisfy((0...MediaTime.maximum).contains)
        })
      else { return false }
      try Library.saveMadeTranscript(db, transcript, origin: origin, of: episode, now: now)
    } else {
      try Library.removeMadeTranscript(db, episode)
    }
    return true
  }

  private func text(_ value: JSONValue) throws -> String? {
    if let text = value["text"]?.string { return text }
    guard let data = value["packed"]?.string.flatMap({ Data(base64Encoded: $0) }) else { return nil }
    return try String.fetchOne(db, sql: "SELECT plain(?)", arguments: [data])
  }
}
