import Foundation
import GRDB
import Model

/// Podcasts that the listener looks at without subscribing. They are stored as any other, so that their episodes play,
/// queue and keep their places; and go when nothing of them is left that the listener did.
extension Library {
  /// Stores a feed that was just read, to be looked at. What is subscribed to stays so.
  /// - Parameters:
  ///   - source: where it was found; nil: by its address. Only of a new one, as is the picture of that place.
  @discardableResult
  public func visit(
    feed: Feed, feedURL: String, source: PodcastSource? = nil, imageURLOverride: String? = nil,
    credentials: Credentials? = nil, info: RefreshInfo = RefreshInfo(), now: Date
  ) throws(StoreError) -> PodcastID {
    try keep(
      feed: feed, feedURL: feedURL, source: source, imageURLOverride: imageURLOverride, credentials: credentials,
      info: info, subscribes: false, now: now)
  }

  /// What was once subscribed to is not forgotten, however often it is looked at.
  static func noteVisit(_ db: Database, of podcast: PodcastID, isNew: Bool, now: Date) throws {
    try db.execute(
      sql: "UPDATE podcast SET visited = ?1 WHERE id = ?2 AND (?3 OR visited IS NOT NULL)",
      arguments: [now.seconds, podcast.rawValue, isNew])
  }

  /// Whether it is only looked at.
  public func isVisited(_ podcast: PodcastID) throws(StoreError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT visited IS NOT NULL FROM podcast WHERE id = ?", arguments: [podcast.rawValue]) ?? false
    }
  }

  /// Removes podcasts that were only looked at, and of which nothing is queued, begun, heard, clipped, listed, tagged or
  /// downloaded.
  /// - Parameter before: only those that were last looked at before then.
  /// - Returns: how many.
  @discardableResult
  public func forgetVisited(before: Date) throws(StoreError) -> Int {
    let isEmpty = try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM podcast WHERE visited IS NOT NULL)") ?? true
    }
    // Nothing is written at every start for what is not there.
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

  /// The subscriptions by every name under which another place may know them: `feed KEY`, `guid GUID`, `apple ID`.
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

  /// A subscription with this podcast:guid whose own feed cannot be read any more: the same podcast, before it moved.
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

  /// podcast:guid of a podcast; nil when its feed does not say, or was not read yet.
  public func podcastGUID(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT iif(json_valid(extras), json_extract(extras, '$.guid'), NULL) FROM podcastContent WHERE podcastID = ?
          """, arguments: [podcast.rawValue])
    }
  }

  /// Another subscription whose feed has this podcast:guid. One that can still be asked wins over one that is gone.
  public func twin(of podcast: PodcastID, guid: String) throws(StoreError) -> (id: PodcastID, isGone: Bool)? {
    try read { db in
      // `instr` is a quick look at what is then read as JSON: a first refresh asks for every podcast among all.
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

  /// podcast:medium of a podcast; nil when its feed does not say.
  public func medium(of podcast: PodcastID) throws(StoreError) -> String? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT iif(json_valid(extras), json_extract(extras, '$.medium'), NULL) FROM podcastContent
          WHERE podcastID = ?
          """, arguments: [podcast.rawValue])
    }
  }
}
