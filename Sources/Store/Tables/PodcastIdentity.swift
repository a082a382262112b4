import Foundation
import GRDB
import Model

/// What identifies a podcast besides its address (podcast:guid, Apple's id), and its podcast:medium.
extension Library {
  /// The subscriptions by all names that directories may use: `feed KEY`, `guid GUID`, `apple ID`.
  public func subscriptionNames() throws(StoreError) -> [String: PodcastID] {
    try read { db in
      let rows = try db.rows(
        """
        SELECT id, feedKey, iif(source = 'apple', sourceID, NULL), \(Extra.guid.value())
        FROM podcast LEFT JOIN podcastContent ON podcastID = id WHERE isSubscribed
        """)
      var names: [String: PodcastID] = [:]
      for row in rows {
        let id = PodcastID(try row[0])
        names["feed " + (try row[1] as String)] = id
        if let apple: String = try row[2] { names["apple " + apple] = id }
        if let guid: String = try row[3] { names["guid " + guid.lowercased()] = id }
      }
      return names
    }
  }

  /// A subscription with this podcast:guid whose feed can no longer be read. It is probably the same podcast before
  /// it moved. A server that was not reached, or that wants a password, may still have the feed. The library has no
  /// time for the next attempt after such a failure, in contrast to an answer such as 404 or 500.
  public func brokenPodcast(guid: String, besides feedURL: String) throws(StoreError) -> PodcastID? {
    try read { db in
      try Int64.fetchOne(
        db,
        """
        SELECT id FROM podcast JOIN podcastContent ON podcastID = id
        WHERE isSubscribed AND feedKey <> ?
          AND (health = 'gone' OR health IN ('connectivity', 'invalid') AND notBefore IS NOT NULL)
          AND lower(\(Extra.guid.value())) = ? LIMIT 1
        """, [AddressKey.feed(feedURL), guid.lowercased()]
      ).map { PodcastID($0) }
    }
  }

  /// The address of the subscription with this podcast:guid, except for a feed that is gone.
  /// - Parameter preferred: wins if several subscriptions have this guid.
  public func feedURL(guid: String, preferred: String?) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        """
        SELECT podcast.feedURL FROM podcast JOIN podcastContent ON podcastID = id
        WHERE isSubscribed AND health IS NOT 'gone' AND lower(\(Extra.guid.value())) = ?
        ORDER BY feedKey = ? DESC LIMIT 1
        """, [guid.lowercased(), preferred.map { AddressKey.feed($0) } ?? ""])
    }
  }

  /// The podcast:guid of a podcast. Nil if its feed has none, or was not read yet.
  public func podcastGUID(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in try Self.extra(.guid, db, of: podcast) }
  }

  /// A text of the podcast's extras. Nil if its feed has none, or was not read yet.
  static func extra(_ extra: Extra, _ db: Database, of podcast: PodcastID) throws -> String? {
    try String.fetchOne(db, "SELECT \(extra.value()) FROM podcastContent WHERE podcastID = ?", [podcast.rawValue])
  }

  /// Whether an episode's address is of a page whose file must be found: a video of YouTube, or what yt-dlp itself has
  /// listed, which no feed can claim.
  public func isPage(_ address: String, of podcast: PodcastID) throws(StoreError) -> Bool {
    if VideoPage.isAddress(address) { return true }
    return try read { db in
      try Bool.fetchOne(
        db, "SELECT substr(feedURL, 1, ?) = ? FROM podcast WHERE id = ?",
        [VideoPage.listPrefix.count, VideoPage.listPrefix, podcast.rawValue]) ?? false
    }
  }

  /// Another subscription with this podcast:guid. One that is not gone is preferred.
  public func duplicate(of podcast: PodcastID, guid: String) throws(StoreError) -> (id: PodcastID, isGone: Bool)? {
    try read { db in
      // `instr` is a fast pre-check before parsing JSON, because a first refresh calls this for every podcast.
      try db.row(
        """
        SELECT id, health = 'gone' FROM podcast JOIN podcastContent ON podcastID = id
        WHERE isSubscribed AND id <> ?1 AND instr(extras, ?2) AND \(Extra.guid.value()) = ?2
        ORDER BY health = 'gone', id LIMIT 1
        """, [podcast.rawValue, guid]
      ).map { (PodcastID(try $0[0]), try $0[1]) }
    }
  }

  /// The podcast:medium of a podcast. Nil if its feed has none.
  public func medium(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in try Self.extra(.medium, db, of: podcast) }
  }
}
