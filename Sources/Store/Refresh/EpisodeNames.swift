import Foundation
import GRDB
import Model

/// Episodes as people and other programs name them.
extension Library {
  /// The episodes, of any podcast, whose media is at this address or whose guid this is; the address may differ in its
  /// query, as tokens do. Exact matches go before others. Walks all episodes: for a verb, not for a key.
  /// - Parameter withDeleted: also those that no list shows.
  public func episodes(named name: String, withDeleted: Bool = false) throws(StoreError) -> [EpisodeID] {
    let condition = withDeleted ? "" : "AND status < 4"
    return try read { db in
      for (column, value) in [("mediaURL", name), ("guid", name), ("mediaKey", AddressKey.media(name))] {
        let ids = try Int64.fetchAll(
          db, sql: "SELECT id FROM episode WHERE \(column) = ? \(condition) ORDER BY id", arguments: [value])
        if !ids.isEmpty { return ids.map { EpisodeID($0) } }
      }
      return []
    }
  }
}
