import Foundation
import GRDB
import Model

/// Finding episodes by names that people and other programs use.
extension Library {
  /// Episodes of any podcast with this media address or guid. Exact matches are preferred; otherwise an address without
  /// a query finds those that have one. With another query it may be another episode (`play.php?id=2`). Scans all
  /// episodes, so it is for verbs, not for key presses.
  /// - Parameter withDeleted: includes deleted episodes.
  public func episodes(named name: String, withDeleted: Bool = false) throws(StoreError) -> [EpisodeID] {
    let condition = withDeleted ? "" : "AND \(StatusIs.listed)"
    return try read { db in
      var names = [("mediaURL", name), ("guid", name)]
      if !name.contains("?") { names.append(("mediaKey", AddressKey.media(name))) }
      for (column, value) in names {
        let ids = try Int64.fetchAll(
          db, sql: "SELECT id FROM episode WHERE \(column) = ? \(condition) ORDER BY id", arguments: [value])
        if !ids.isEmpty { return ids.map { EpisodeID($0) } }
      }
      return []
    }
  }
}
