import Foundation
import GRDB
import Model

/// Podcasts that the listener visits without subscribing. They are stored like others, so that their episodes can be
/// played and queued and keep their positions. They are deleted when the listener's data no longer refers to them.
extension Library {
  /// Stores a feed for a visit. A subscription stays a subscription.
  /// - Parameters:
  ///   - source: where the podcast was found; nil: by its address. Source and image are only stored for a new
  ///     podcast.
  @discardableResult
  public func visit(
    feed: Feed, feedURL: String, source: PodcastSource? = nil, imageURLOverride: String? = nil,
    credentials: Credentials? = nil, info: RefreshInfo = RefreshInfo(), now: Date
  ) throws(StoreError) -> PodcastID {
    try keep(
      feed: feed, feedURL: feedURL, source: source, imageURLOverride: imageURLOverride, credentials: credentials,
      info: info, subscribes: false, now: now)
  }

  /// Former subscriptions do not become visited podcasts, so they are never deleted.
  static func noteVisit(_ db: Database, of podcast: PodcastID, isNew: Bool, now: Date) throws {
    try db.execute(
      sql: "UPDATE podcast SET visited = ?1 WHERE id = ?2 AND (?3 OR visited IS NOT NULL)",
      arguments: [now.seconds, podcast.rawValue, isNew])
  }

  /// Whether the podcast is only visited.
  public func isVisited(_ podcast: PodcastID) throws(StoreError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT visited IS NOT NULL FROM podcast WHERE id = ?", arguments: [podcast.rawValue]) ?? false
    }
  }

  /// Deletes visited podcasts of which nothing is queued, started, played, clipped, in a playlist, tagged or
  /// downloaded.
  /// - Parameter before: only those last visited before this date.
  /// - Returns: how many were deleted.
  @discardableResult
  public func deleteVisited(before: Date) throws(StoreError) -> Int {
    let isEmpty = try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM podcast WHERE visited IS NOT NULL)") ?? true
    }
    // Avoids a write transaction at every start.
    guard !isEmpty else { return 0 }
    return try write { db in
      let ids = try Int64.fetchAll(db, sql: Self.forgettable, arguments: [before.seconds])
      for id in ids {
        for table in ["podcastSettings", "podcastCredentials", "episode", "podcastContent"] {
          try db.execute(sql: "DELETE FROM \(table) WHERE podcastID = ?", arguments: [id])
        }
        try db.execute(sql: "DELETE FROM podcast WHERE id = ?", arguments: [id])
      }
      return ids.count
    }
  }

  private static let forgettable = """
    SELECT id FROM podcast p WHERE visited IS NOT NULL AND NOT isSubscribed AND visited < ?
    AND NOT EXISTS (SELECT 1 FROM podcastTag WHERE podcastID = p.id)
    AND NOT EXISTS (SELECT 1 FROM episode e WHERE e.podcastID = p.id AND \(EpisodeTouched.condition("e")))
    """

  /// The subscriptions by all names that directories may use: `feed KEY`, `guid GUID`, `apple ID`.
  public func subscriptionNames() throws(StoreError) -> [String: PodcastID] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, feedKey, iif(source = 'apple', sourceID, NULL),
            iif(json_valid(extras), json_extract(extras, '$.guid'), NULL)
          FROM podcast LEFT JOIN podcastContent ON podcastID = id WHERE isSubscribed
          """
      ).map(CheckedRow.init)
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
  /// it moved.
  public func brokenPodcast(guid: String, besides feedURL: String) throws(StoreError) -> PodcastID? {
    try read { db in
      try Int64.fetchOne(
        db,
        sql: """
          SELECT id FROM podcast JOIN podcastContent ON podcastID = id
          WHERE isSubscribed AND health IN ('connectivity', 'invalid', 'gone') AND feedKey <> ?
            AND json_valid(extras) AND lower(json_extract(extras, '$.guid')) = ? LIMIT 1
          """, arguments: [AddressKey.feed(feedURL), guid.lowercased()]
      ).map { PodcastID($0) }
    }
  }

  /// The podcast:guid of a podcast. Nil if its feed has none, or was not read yet.
  public func podcastGUID(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT iif(json_valid(extras), json_extract(extras, '$.guid'), NULL) FROM podcastContent WHERE podcastID = ?
          """, arguments: [podcast.rawValue])
    }
  }

  /// Another subscription with this podcast:guid. One that is not gone is preferred.
  public func duplicate(of podcast: PodcastID, guid: String) throws(StoreError) -> (id: PodcastID, isGone: Bool)? {
    try read { db in
      // `instr` is a fast pre-check before parsing JSON, because a first refresh calls this for every podcast.
      try Row.fetchOne(
        db,
        sql: """
          SELECT id, health = 'gone' FROM podcast JOIN podcastContent ON podcastID = id
          WHERE isSubscribed AND id <> ?1 AND instr(extras, ?2) AND json_valid(extras)
            AND json_extract(extras, '$.guid') = ?2
          ORDER BY health = 'gone', id LIMIT 1
          """, arguments: [podcast.rawValue, guid]
      ).map { (PodcastID(try CheckedRow($0)[0]), try CheckedRow($0)[1]) }
    }
  }

  /// The podcast:medium of a podcast. Nil if its feed has none.
  public func medium(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in try Self.medium(db, of: podcast) }
  }

  static func medium(_ db: Database, of podcast: PodcastID) throws -> String? {
    // `instr` is a fast pre-check before parsing JSON, because every list of a podcast's episodes asks.
    try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT iif(instr(extras, '"medium"') AND json_valid(extras), json_extract(extras, '$.medium'), NULL)
          FROM podcastContent WHERE podcastID = ?
          """), arguments: [podcast.rawValue])
  }
}
