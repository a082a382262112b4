import Foundation
import GRDB
import Model
import Sync

/// Finds a podcast's episodes by the identifiers of other devices and servers: by guid, else by media address, else
/// by the address without query and percent-encoding. Identifiers shared by two episodes are ignored.
struct EpisodeNames {
  private var guids: [String: Int64?] = [:]
  private var addresses: [String: Int64?] = [:]
  /// Built only when the other indexes have no match.
  private var keys: [String: Int64?]?

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
      if let guid = try row[1] as String? { Self.add(id, guid, to: &guids) }
      if let address = try row[2] as String? { Self.add(id, address, to: &addresses) }
    }
  }

  private static func add(_ id: Int64?, _ name: String, to names: inout [String: Int64?]) {
    names.updateValue(names[name] == nil ? id : nil, forKey: name)
  }

  private static func key(_ address: String) -> String {
    let key = AddressKey.media(address)
    return key.removingPercentEncoding ?? key
  }

  mutating func find(_ episode: EpisodeReference) -> Int64? {
    if let guid = episode.guid, let id = guids[guid] ?? nil { return id }
    guard let address = episode.mediaURL else { return nil }
    if let id = addresses[address] ?? nil { return id }
    if keys == nil {
      var keys: [String: Int64?] = [:]
      for (address, id) in addresses { Self.add(id, Self.key(address), to: &keys) }
      self.keys = keys
    }
    return keys?[Self.key(address)] ?? nil
  }
}
