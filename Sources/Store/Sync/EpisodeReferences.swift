import Foundation
import GRDB
import Model
import Sync

/// Finds a podcast's episodes by the identifiers of other devices and servers: by guid, else by guid and media address,
/// else by the address, else by the address without percent-encoding, else also without its query. Identifiers shared
/// by two episodes are ignored. If the guid is another one, the episode may have a new guid, or it may be the next one
/// with the same address: then it must be older than the change, and the query counts.
struct EpisodeNames {
  private struct Pair: Hashable {
    var guid: String
    var address: String
  }
  private var pairs: [Pair: Int64?] = [:]
  private var guids: [String: Int64?] = [:]
  private var addresses: [String: Int64?] = [:]
  /// The dates of the episodes with a guid, in seconds since 1970; 0 if unknown.
  private var dates: [Int64: Double] = [:]
  /// Built only when the other indexes have no match. With the query, and without it.
  private var decoded: (whole: [String: Int64?], short: [String: Int64?])?

  init(_ db: Database, podcast: Int64) throws {
    // Two SELECTs, because each uses a partial index.
    let rows = try RawStatement(
      db,
      """
      SELECT id, guid, mediaURL, pubDate FROM episode WHERE podcastID = ?1 AND \(StatusIs.listed)
      UNION ALL SELECT id, guid, mediaURL, pubDate FROM episode WHERE podcastID = ?1 AND \(StatusIs.deleted)
      """)
    try rows.each(podcast) { row in
      let id = try row[0] as Int64
      let (guid, address) = (try row[1] as String?, try row[2] as String?)
      if let guid {
        Self.add(id, guid, to: &guids)
        dates[id] = try row[3] as Double? ?? 0
      }
      if let address { Self.add(id, address, to: &addresses) }
      if let guid, let address { Self.add(id, Pair(guid: guid, address: address), to: &pairs) }
    }
  }

  /// The files of all podcasts that are folders.
  init(foldersIn db: Database) throws {
    let rows = try db.rows(
      """
      SELECT e.id, e.guid FROM podcast p JOIN episode e ON e.podcastID = p.id
      WHERE p.\(FolderPodcast.condition) AND e.guid IS NOT NULL
      """)
    for row in rows { Self.add(try row[0], try row[1], to: &guids) }
  }

  private static func add<Name: Hashable>(_ id: Int64?, _ name: Name, to names: inout [Name: Int64?]) {
    names.updateValue(names[name] == nil ? id : nil, forKey: name)
  }

  /// - Parameter time: when the change was made, in seconds since 1970. Nil: unknown.
  mutating func find(_ episode: EpisodeReference, at time: Double? = nil) -> Int64? {
    if let guid = episode.guid {
      if let id = guids[guid] ?? nil { return id }
      if let address = episode.mediaURL, let id = pairs[Pair(guid: guid, address: address)] ?? nil { return id }
    }
    guard let address = episode.mediaURL, let found = find(address: address) else { return nil }
    guard episode.guid != nil, let date = dates[found.id] else { return found.id }
    return found.isWhole && date <= time ?? .infinity ? found.id : nil
  }

  /// - Returns: `isWhole`: with its query.
  private mutating func find(address: String) -> (id: Int64, isWhole: Bool)? {
    if let id = addresses[address] ?? nil { return (id, true) }
    if decoded == nil {
      var (whole, short): ([String: Int64?], [String: Int64?]) = ([:], [:])
      for (address, id) in addresses {
        Self.add(id, AddressKey.decoded(address), to: &whole)
        Self.add(id, AddressKey.decoded(address, withQuery: false), to: &short)
      }
      decoded = (whole, short)
    }
    if let id = decoded?.whole[AddressKey.decoded(address)] ?? nil { return (id, true) }
    return (decoded?.short[AddressKey.decoded(address, withQuery: false)] ?? nil).map { ($0, false) }
  }
}
