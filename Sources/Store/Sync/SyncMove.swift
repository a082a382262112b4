import Foundation
import GRDB
import Model

/// Recognizes a feed that moved on another device. Servers without times of subscriptions report it as one removed and
/// one added podcast.
enum SyncMove {
  /// Called when the feed of a podcast was stored. If a sync added the podcast and, with the same pull, removed another
  /// one with the same episodes, the listener's data of that one is moved.
  static func adoptData(_ db: Database, of podcast: PodcastID, now: Date) throws {
    // All changes of one pull have the same time.
    let removed = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT o.id FROM podcast n JOIN syncSubscription t ON t.feedKey = n.feedKey AND t.server = 1
          JOIN podcast o ON o.id <> n.id AND NOT o.isSubscribed AND o.subscriptionUpdated = n.subscriptionUpdated
          JOIN syncSubscription s ON s.feedKey = o.feedKey AND s.server = 0
          WHERE n.id = ? AND n.isSubscribed ORDER BY o.id
          """), arguments: [podcast.rawValue])
    guard !removed.isEmpty,
      let url = try String.fetchOne(db, sql: "SELECT feedURL FROM podcast WHERE id = ?", arguments: [podcast.rawValue])
    else { return }
    let new = try StoredKeys(db, podcast: podcast).keys
    let shared = try removed.map {
      (id: $0, count: FeedMove.sharedEpisodes(try StoredKeys(db, podcast: PodcastID($0)).keys, new))
    }
    guard let old = shared.max(by: { $0.count < $1.count }), old.count > 0 else { return }
    try Library.moveFeed(db, PodcastID(old.id), to: url, now: now)
  }
}
