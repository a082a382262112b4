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
    try db.hasRow(
      "SELECT 1 FROM syncRegister WHERE key >= ? AND key < ? AND NOT isApplied",
      [Self.prefix, CollectionKind.end(of: Self.prefix)])
  }

  /// What is to be captured.
  struct Changes {
    /// Made or changed.
    fileprivate var made: [Made] = []
    /// The keys of registers whose transcripts were removed.
    fileprivate var removed: [String] = []
    var isEmpty: Bool { made.isEmpty && removed.isEmpty }
  }

  /// Transcripts that were made, changed or removed here since the last sync.
  /// - Parameter find: the episode that a value names.
  func changes(find: (JSONValue) throws -> Int64?) throws -> Changes {
    let rows = try db.rows(
      """
      SELECT p.feedURL, e.guid, e.mediaURL, e.id, m.origin
      FROM madeTranscript m JOIN episode e ON e.id = m.episodeID JOIN podcast p ON p.id = e.podcastID
      """)
    let made = try rows.compactMap { row -> Made? in
      guard let item = try CollectionReader.item(row) else { return nil }
      return try Made(episode: row[3], key: Self.prefix + item.name, names: item.value, origin: row[4])
    }
    let registers = try self.registers()
    let known = Dictionary(registers.map { ($0.key.bytes, $0) }, uniquingKeysWith: { $1 })
    let keys = Dictionary(made.map { ($0.episode, $0.key.bytes) }, uniquingKeysWith: { $1 })
    let current = Set(keys.values)
    // A publisher may change the guids. Devices then have two names for an episode until all have refreshed the feed.
    var others: [Int64: Set<String>] = [:]
    var changes = Changes()
    for register in registers where !current.contains(register.key.bytes) {
      // The name of an episode that is not here says nothing about its transcript.
      guard let origin = register.origin, let episode = try find(register.episode) else { continue }
      if let own = keys[episode].flatMap({ known[$0] }), own.origin == nil || own.time < register.time {
        // Another device has the new name already.
        others[episode, default: []].insert(origin)
      } else {
        changes.removed.append(register.key)
      }
    }
    changes.made = made.filter {
      known[$0.key.bytes]?.origin != $0.origin && others[$0.episode]?.contains($0.origin) != true
    }
    return changes
  }

  /// Captures as many changes as fit in one transaction, and removes them from `changes`.
  /// A transcript that is too large for a line of a folder is left out.
  /// - Parameter write: stores a register. Nil: it is removed.
  func capture(_ changes: inout Changes, write: (_ key: String, _ value: String?) throws -> Void) throws {
    var slice = SyncSlice()
    let packer = NotesPacker()
    while let transcript = changes.made.last, slice.takes() {
      changes.made.removeLast()
      guard
        let text = try String.fetchOne(
          db, "SELECT transcript FROM madeTranscript WHERE episodeID = ? AND length(CAST(transcript AS BLOB)) <= ?",
          [transcript.episode, Self.maxPlain])
      else { continue }
      var value = transcript.names
      value["origin"] = .string(transcript.origin)
      if case .blob(let packed) = packer.pack(text.databaseValue).storage {
        value["packed"] = .string(packed.base64EncodedString())
      } else {
        value["text"] = .string(text)
      }
      let json = JSONValue.object(value).text
      if json.utf8.count <= Self.maxBytes { try write(transcript.key, json) }
    }
    guard changes.made.isEmpty else { return }
    for key in changes.removed { try write(key, nil) }
    changes.removed = []
  }

  /// A transcript in the table.
  fileprivate struct Made {
    var episode: Int64
    /// Of its register.
    var key: String
    /// What names the episode.
    var names: [String: JSONValue]
    var origin: String
  }

  private struct Register {
    var key: String
    var time: Double
    /// What names the episode.
    var episode: JSONValue
    /// Nil: the transcript was removed.
    var origin: String?
  }

  /// The registers that are applied, without the texts.
  private func registers(
    from start: String = prefix, to end: String = CollectionKind.end(of: prefix)
  ) throws -> [Register] {
    let members = ["podcast", "guid", "media", "origin"]
    return try db.rows(
      """
      SELECT key, time, \(members.map { "json_extract(value, '$.\($0)')" }.joined(separator: ", "))
      FROM syncRegister WHERE key >= ? AND key < ? AND isApplied
      """, [start, end]
    ).map { row in
      var names: [String: JSONValue] = [:]
      for (index, member) in members.dropLast().enumerated() {
        names[member] = (try row[index + 2] as String?).map { .string($0) }
      }
      return try Register(key: row[0], time: row[1], episode: .object(names), origin: row[5])
    }
  }

  /// Whether another register has a transcript of the episode.
  func isKept(_ episode: Int64, besides key: String, find: (JSONValue) throws -> Int64?) throws -> Bool {
    // Those of the same feed: "transcript/FEED ".
    let feed = key.prefix { $0 != " " }
    return try registers(from: "\(feed) ", to: "\(feed)!").contains {
      try $0.key.bytes != key.bytes && $0.origin != nil && find($0.episode) == episode
    }
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

extension String {
  /// Keys are compared as SQLite does it, byte by byte. Swift takes both forms of “é” for the same text.
  fileprivate var bytes: [UInt8] { Array(utf8) }
}
