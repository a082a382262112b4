import Foundation
import GRDB
import Model

/// Episodes as people and other programs name them.
extension Library {
  /// The episodes, of any podcast, whose media is at this address or whose guid this is; the address may differ in its
  /// query, as tokens do. Exact matches go before others. Walks all episodes: for a verb, not for a key.
  public func episodes(named name: String) throws(StoreError) -> [EpisodeID] {
    try read { db in
      for (column, value) in [("mediaURL", name), ("guid", name), ("mediaKey", AddressKey.media(name))] {
        let ids = try Int64.fetchAll(
          db, sql: "SELECT id FROM episode WHERE \(column) = ? AND status < 4 ORDER BY id", arguments: [value])
        if !ids.isEmpty { return ids.map { EpisodeID($0) } }
      }
      return []
    }
  }
}
