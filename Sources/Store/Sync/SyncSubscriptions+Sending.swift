import Foundation
import GRDB
import Model
import Sync

/// Which subscriptions are sent, and what is stored about them before and after.
extension SyncSubscriptions {
  struct Unsent {
    var key: String
    var url: String
    var isSubscribed: Bool
    var time: Double
    var seen: Double?
    var agreed: Double?
    var title: String?
    /// The addresses that the server has for the feed.
    var names: [String]
  }

  static func unsent(_ db: Database, isTimed: Bool, limit: Int) throws -> [Unsent] {
    let isPending =
      isTimed
      ? "p.isSubscribed + (s.feedKey IS NOT NULL) > 0 AND s.agreed IS NOT p.subscriptionUpdated"
      : "(p.isSubscribed <> coalesce(s.server, 0) OR s.attempted = 1 + p.isSubscribed)"
    return try db.rows(
      """
      SELECT p.feedKey, p.feedURL, p.isSubscribed, p.subscriptionUpdated, s.seen, s.agreed, p.title, s.url, s.serverURL
      FROM podcast p LEFT JOIN syncSubscription s ON s.feedKey = p.feedKey
      WHERE p.feedURL LIKE 'http%' AND p.visited IS NULL AND s.held IS NULL AND \(isPending)
      UNION ALL
      -- A feed that has moved: its old address is known to the server only.
      SELECT s.feedKey, s.url, 0, 0, s.seen, s.agreed, NULL, s.url, s.serverURL FROM syncSubscription s
      WHERE s.server AND \(isTimed ? "0" : "1") AND NOT EXISTS (SELECT 1 FROM podcast p WHERE p.feedKey = s.feedKey)
      ORDER BY 1 LIMIT ?
      """, [limit]
    ).map {
      try Unsent(
        key: $0[0], url: $0[1], isSubscribed: $0[2], time: $0[3], seen: $0[4], agreed: $0[5], title: $0[6],
        names: [$0[7], $0[8]].compactMap { $0 as String? })
    }
  }

  func outgoing(limit: Int, without: Set<String>) throws -> SyncOutgoing {
    var outgoing = SyncOutgoing()
    let isTimed = rules.traits.storesSubscriptionTimes
    for unsent in try Self.unsent(db, isTimed: isTimed, limit: limit + without.count)
    where !without.contains(unsent.key) && outgoing.keys.count < limit {
      // An address that no server accepts is not sent.
      guard let url = SyncAddress.sent(unsent.url) else { continue }
      var change = SubscriptionChange(url: url, isSubscribed: unsent.isSubscribed)
      if isTimed {
        let state = Versioned(
          value: unsent.isSubscribed, time: unsent.time, version: unsent.time, seen: unsent.seen,
          agreed: unsent.agreed)
        change.time = state.sharedTime(rules.clock)
        change.title = unsent.title
      }
      // For a server each spelling is another feed, and it may have got this one from another program. A name that the
      // server has made of the address is not meant.
      let others =
        isTimed || unsent.isSubscribed
        ? []
        : unsent.names.uniqued().filter {
          $0 != url && AddressKey.feed($0) == AddressKey.feed(url)
        }
      for change in [change] + others.map({ SubscriptionChange(url: $0, isSubscribed: false) }) {
        outgoing.batch.subscriptions.append(change)
        outgoing.keys.append(unsent.key)
        outgoing.versions.append(unsent.time)
      }
    }
    return outgoing
  }

  static func willSend(_ db: Database, _ outgoing: SyncOutgoing) throws {
    for (key, change) in zip(outgoing.keys, outgoing.batch.subscriptions) {
      try db.run(
        """
        INSERT INTO syncSubscription (feedKey, url, attempted) VALUES (?1, ?2, ?3)
        ON CONFLICT (feedKey) DO UPDATE SET attempted = ?3
        """, [key, change.url, code(change.isSubscribed)])
    }
  }

  func didSend(_ outgoing: SyncOutgoing, _ receipt: SyncReceipt) throws {
    for (index, change) in outgoing.batch.subscriptions.enumerated() {
      try db.run(
        """
        UPDATE syncSubscription SET server = ?1, attempted = 0, seen = max(coalesce(seen, ?2), ?2), agreed = ?3
        WHERE feedKey = ?4
        """, [change.isSubscribed, change.time, outgoing.versions[index], outgoing.keys[index]])
      guard case .some(.some(let name)) = receipt.renamed[change.url] else { continue }
      // The server has a name of its own for the feed, and will report it by that name. It is not tried, and it does
      // not become the feed's address: gpodder.net's software encodes the query once more, which breaks many addresses.
      let key = outgoing.keys[index]
      try db.run(
        "UPDATE syncSubscription SET serverURL = ? WHERE feedKey = ?", [AddressKey.feed(name) == key ? nil : name, key])
    }
  }

  static func wasRefused(_ db: Database, _ outgoing: SyncOutgoing) throws {
    for key in outgoing.keys {
      try db.run("UPDATE syncSubscription SET attempted = 0 WHERE feedKey = ?", [key])
    }
  }
}
