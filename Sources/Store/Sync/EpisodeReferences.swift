import Foundation
import GRDB
import Model
import Sync

/// Finds a podcast's episodes by the identifiers of other devices and servers: by guid, else by guid and media address,
/// else by the address, else by the address without percent-encoding, else also without its query. Identifiers shared
/// by two episodes are ignored.
struct EpisodeNames {
  private struct Pair: Hashable {
    var guid: String
    var address: String
  }
  private var pairs: [Pair: Int64?] = [:]
  private var guids: [String: Int64?] = [:]
  private var addresses: [String: Int64?] = [:]
  /// Built only when the other indexes have no match. With the query, and without it.
  private var decoded: (whole: [String: Int64?], short: [String: Int64?])?

  init(_ db: Database, podcast: Int64) throws {
    // Two SELECTs, because each uses a partial index.
    let rows = try RawStatement(
      db,
      """
      SELECT id, guid, mediaURL FROM episode WHERE podcastID = ?1 AND \(StatusIs.listed)
      UNION ALL SELECT id, guid, mediaURL FROM episode WHERE podcastID = ?1 AND \(StatusIs.deleted)
      """)
    try rows.each(podcast) { row in
      let id = try row[0] as Int64
      let (guid, address) = (try row[1] as String?, try row[2] as String?)
      if let guid { Self.add(id, guid, to: &guids) }
      if let address { Self.add(id, address, to: &addresses) }
      if let guid, let address { Self.add(id, Pair(guid: guid, address: address), to: &pairs) }
    }
  }

  /// The files of all podcasts that are folders.
  init(foldersIn db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT e.id, e.guid FROM podcast p JOIN episode e ON e.podcastID = p.id
        WHERE p.\(FolderPodcast.condition) AND e.guid IS NOT NULL
        """)
    while let row = try rows.next().map(CheckedRow.init) { Self.add(try row[0], try row[1], to: &guids) }
  }

  private static func add<Name: Hashable>(_ id: Int64?, _ name: Name, to names: inout [Name: Int64?]) {
    names.updateValue(names[name] == nil ? id : nil, forKey: name)
  }

  mutating func find(_ episode: EpisodeReference) -> Int64? {
    if let guid = episode.guid {
      if let id = guids[guid] ?? nil { return id }
      if let address = episode.mediaURL, let id = pairs[Pair(guid: guid, address: address)] ?? nil { return id }
    }
    guard let address = episode.mediaURL else { return nil }
    if let id = addresses[address] ?? nil { return id }
    if decoded == nil {
      var (whole, short): ([String: Int64?], [String: Int64?]) = ([:], [:])
      for (address, id) in addresses {
        Self.add(id, AddressKey.decoded(address), to: &whole)
        Self.add(id, AddressKey.decoded(address, withQuery: false), to: &short)
      }
      decoded = (whole, short)
    }
    return decoded?.whole[AddressKey.decoded(address)]
      ?? decoded?.short[AddressKey.decoded(address, withQuery: false)] ?? nil
  }
}
