import GRDB
import Model
import Sync

/// Finds the podcasts that a server means. Servers have names of their own for some feeds: they escape addresses, or
/// drop parts of them. These names never replace the listener's address.
struct SyncFeedNames {
  private let db: Database
  /// Folders contain the addresses as devices wrote them.
  private let isExact: Bool
  /// Keys of podcasts by the keys of `syncSubscription.serverURL`.
  private var aliases: [String: String]?
  /// Keys of podcasts by their decoded forms. Nil: two podcasts have this form.
  private var decoded: [String: String?] = [:]

  init(_ db: Database, _ traits: SyncTraits) {
    self.db = db
    isExact = traits.storesSubscriptionTimes
  }

  /// The key of the podcast with this name. If there is none, it is the key of the address.
  mutating func key(of url: String) throws -> String {
    let key = AddressKey.feed(url)
    guard !isExact, try Library.podcastID(db, feedKey: key) == nil else { return key }
    if aliases == nil { try load() }
    if let alias = aliases?[key] { return alias }
    let form = AddressKey.decoded(url)
    guard let same = decoded[form] else {
      // The server may have a second name for this feed.
      decoded[form] = .some(key)
      return key
    }
    return same ?? key
  }

  /// Called when the address of a feed has changed only in its encoding. The old one stays its name on the server.
  static func respell(_ db: Database, _ old: String, as new: String) throws {
    let (from, to) = (AddressKey.feed(old), AddressKey.feed(new))
    try db.run(
      """
      UPDATE OR REPLACE syncSubscription SET feedKey = ?1, url = ?2, serverURL = coalesce(serverURL, url)
      WHERE feedKey = ?3
      """, [to, new, from])
    try db.run("UPDATE OR REPLACE syncWaiting SET feedKey = ? WHERE feedKey = ?", [to, from])
  }

  private mutating func load() throws {
    var aliases: [String: String] = [:]
    let names = try db.rows(
      "SELECT serverURL, feedKey FROM syncSubscription WHERE serverURL IS NOT NULL ORDER BY feedKey")
    for row in names { aliases[AddressKey.feed(try row[0])] = try row[1] }
    self.aliases = aliases
    for url in try String.fetchAll(db, "SELECT feedURL FROM podcast") {
      let form = AddressKey.decoded(url)
      decoded.updateValue(decoded[form] == nil ? AddressKey.feed(url) : nil, forKey: form)
    }
  }
}

extension Library {
  /// Whether the podcast's address is the one that a sync server has for it, so that the server may have changed it.
  public func hasAddressOfServer(_ podcast: PodcastID) throws(StoreError) -> Bool {
    try read { db in
      try db.hasRow(
        """
        SELECT 1 FROM podcast p JOIN syncSubscription s ON s.feedKey = p.feedKey
        WHERE p.id = ? AND s.serverURL IS NULL AND NOT EXISTS (SELECT 1 FROM syncAccount WHERE kind = 'folder')
        """, [podcast.rawValue])
    }
  }

  /// Whether the podcast has an episode with the guid or the address of one of these, or no episodes at all.
  public func matches(_ episodes: [FeedEpisode], _ podcast: PodcastID) throws(StoreError) -> Bool {
    try read { db in
      let rows = try db.rows("SELECT guid, mediaURL FROM episode WHERE podcastID = ?", [podcast.rawValue])
      let guids = Set(try rows.compactMap { try $0[0] as String? })
      let addresses = Set(try rows.compactMap { try ($0[1] as String?).map { AddressKey.decoded($0) } })
      return rows.isEmpty
        || episodes.contains { episode in
          episode.guid.map(guids.contains) == true
            || episode.mediaURL.map { addresses.contains(AddressKey.decoded($0)) } == true
        }
    }
  }
}
