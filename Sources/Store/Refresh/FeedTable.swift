import Foundation
import GRDB
import Model

/// Storing the results of refreshes.
extension Library {
  /// Subscribes to a feed that was just fetched: podcast and episodes in one transaction. A former subscription gets
  /// all its data back.
  /// - Parameters:
  ///   - feedURL: the address for future refreshes.
  ///   - source: where the podcast was found; nil: by its address. A subscription keeps its source and image. Another
  ///     known podcast gets those that it lacks.
  ///   - credentials: replace those of a known podcast; nil: they stay.
  ///   - isVisit: the listener only visits the podcast. A subscription stays a subscription.
  @discardableResult
  public func subscribe(
    feed: Feed, feedURL: String, source: PodcastSource? = nil, imageURLOverride: String? = nil,
    credentials: Credentials? = nil, info: RefreshInfo = RefreshInfo(), isVisit: Bool = false, now: Date
  ) throws(StoreError) -> PodcastID {
    let feedURL = feedURL.withoutUserInfo
    let known = try podcastID(feedURL: feedURL)
    let prepared = try prepare(feed, of: known, info: info)
    return try write { db in
      let known = try Self.podcastID(db, feedURL: feedURL)
      let id =
        try known
        ?? Self.insertPodcast(
          db, feedURL: feedURL, source: source ?? .rss(url: feedURL), isSubscribed: !isVisit, now: now)
      let wasSubscribed = try Self.isSubscribed(db, id)
      if known != nil { try Self.secureAddress(db, of: id, feedURL) }
      if let credentials {
        try db.run("DELETE FROM podcastCredentials WHERE podcastID = ?", [id.rawValue])
        try CredentialColumns.insert(db, credentials, of: id)
      }
      if isVisit {
        try Self.recordVisit(db, of: id, isNew: known == nil, now: now)
      } else if wasSubscribed == false {
        try Self.setSubscribed(db, id, true, now: now)
      }
      var search = SearchWriter(db)
      var results = [
        try self.apply(
          db, prepared, to: id, isCatalogue: known == nil || wasSubscribed == false && !isVisit, &search, now: now)
      ]
      try search.finish()
      try self.runRules(db, for: &results, refresh: info.refresh, now: now)
      if known == nil || wasSubscribed == false { try Self.setOrigin(db, source, imageURLOverride, of: id) }
      return id
    }
  }

  /// Inserts a podcast without episodes; `apply` writes the rest.
  static func insertPodcast(
    _ db: Database, feedURL: String, source: PodcastSource, title: String = "", isSubscribed: Bool, now: Date
  ) throws -> PodcastID {
    let columns = source.columns
    try db.run(
      """
      INSERT INTO podcast (feedURL, feedKey, title, titleKey, source, sourceID, isSubscribed, subscriptionUpdated)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        feedURL.withoutNUL, AddressKey.feed(feedURL), title, PodcastColumns.sortKey(title), columns.source, columns.id,
        isSubscribed, now.seconds,
      ])
    return PodcastID(db.lastInsertedRowID)
  }

  /// Stores where a podcast was found and its image there, unless it has others.
  private static func setOrigin(
    _ db: Database, _ source: PodcastSource?, _ image: String?, of podcast: PodcastID
  ) throws {
    if let columns = source?.columns, columns.source != "rss" {
      try db.run(
        "UPDATE podcast SET source = ?, sourceID = ? WHERE id = ? AND source = 'rss'",
        [columns.source, columns.id, podcast.rawValue])
    }
    guard let image else { return }
    try db.run(
      "UPDATE podcastContent SET imageURLOverride = ? WHERE podcastID = ? AND imageURLOverride IS NULL",
      [image, podcast.rawValue])
  }

  /// The http and https forms of an address are one podcast. If the listener enters the https address, http is no
  /// longer used; otherwise a password for https would never be sent.
  private static func secureAddress(_ db: Database, of podcast: PodcastID, _ url: String) throws {
    guard url.lowercased().hasPrefix("https://") else { return }
    try db.run(
      """
      UPDATE podcast SET feedURL = ?1, sourceID = iif(source = 'rss', ?1, sourceID)
      WHERE id = ?2 AND feedURL LIKE 'http://%'
      """, [url.withoutNUL, podcast.rawValue])
    try CredentialColumns.narrow(db, of: podcast, to: url)
  }

  /// Stores more pages or archives of a feed (RFC 5005): adds and updates episodes, and changes nothing else.
  @discardableResult
  public func applyPage(
    _ feed: Feed, to podcast: PodcastID, catalogueRule: CatalogueRule = .all, now: Date
  ) throws(StoreError) -> ApplyResult {
    let prepared = try prepare(feed, of: podcast)
    return try write { db in
      var search = SearchWriter(db)
      let result = try self.applyPage(
        db, prepared.podcast, prepared.episodes, to: podcast, catalogueRule: catalogueRule, &search)
      try search.finish()
      return result
    }
  }

  /// Subscriptions that may be refreshed. Those not requested for the longest time come first. Left out are ended feeds
  /// (410), those for which a server asked for a pause, unless the clock was wrong then, and built-in ones
  /// (`earshot:`), which have no server. Feeds that failed for another reason are included: the listener may know that
  /// the cause is gone.
  /// - Parameter podcasts: returns these regardless; nil: all.
  public func podcastsToRefresh(
    _ podcasts: [PodcastID]? = nil, now: Date
  ) throws(StoreError) -> [RefreshCandidate] {
    let condition =
      podcasts.map { "id IN (\($0.map(\.description).joined(separator: ",")))" }
        ?? """
        health <> 'gone' AND (health NOT IN (\(RequestedPause.codes)) OR coalesce(notBefore, 0) <= \(now.seconds)
          OR lastAsked > \(now.seconds))
        AND feedURL NOT LIKE 'earshot:%'
        """
    return try read { db in
      let pauses = try podcasts == nil ? Self.serverPauses(db, now: now) : [:]
      return try CheckedRow.fetchAll(
        db,
        sql: """
          SELECT id, feedURL, title, etag, lastModified, digest, lastRefreshed, failures, validatorsURL,
            \(Extra.newFeedURL.value()), origin, user, password,
            iif(json_valid(settings), json_extract(settings, '$.userAgent'), NULL)
          FROM podcast LEFT JOIN podcastContent c ON c.podcastID = id LEFT JOIN podcastCredentials s ON s.podcastID = id
          LEFT JOIN podcastSettings o ON o.podcastID = id
          WHERE isSubscribed AND \(condition) ORDER BY lastAsked, id
          """
      ).map { row in
        try RefreshCandidate(
          id: PodcastID(row[0]), refresh: now, feedURL: row[1], title: row[2],
          validators: FeedValidators(etag: row[3], lastModified: row[4], bodyDigest: row[5], url: row[8]),
          lastRefreshed: Date(seconds: row[6]), failures: row[7], newFeedURL: row[9],
          credentials: CredentialColumns.credentials(row.dropFirst(10)),
          userAgent: (row[13] as String?).flatMap { UserAgent($0) })
      }.filter { pauses[Self.server($0.feedURL)] == nil }
    }
  }

  /// The servers that want no requests yet, by `server`, with the ends of their pauses. Answers for their other feeds
  /// end no pause: their requests may be older than the refusal. A refusal from the future came before the clock was
  /// set back, and counts no longer.
  static func serverPauses(_ db: Database, now: Date) throws -> [String: Date] {
    let rows = try db.rows(
      """
      SELECT feedURL, notBefore FROM podcast
      WHERE isSubscribed AND health = '\(RequestedPause.server.rawValue)' AND notBefore > ?1 AND lastAsked <= ?1
      """, [now.seconds])
    let ends = try rows.map { (Self.server(try $0[0]), Date(timeIntervalSince1970: try $0[1])) }
    return Dictionary(ends, uniquingKeysWith: max)
  }

  /// Host and port, as HTTPClient pauses them. An address without them stands for itself.
  static func server(_ feedURL: String) -> String { Origin(feedURL).map { "\($0.host):\($0.port)" } ?? feedURL }
}

extension Library {
  /// - Parameter isCatalogue: the episodes existed before the listener subscribed. Always assumed if the feed was
  ///   never read before.
  @discardableResult
  func apply(
    _ db: Database, _ feed: PreparedFeed, to podcast: PodcastID, isCatalogue: Bool = false,
    _ search: inout SearchWriter, now: Date
  ) throws -> ApplyResult {
    let before = try db.row(
      """
      SELECT lastRefreshed IS NOT NULL, lastBuildDate, subscriptionUpdated
      FROM podcast LEFT JOIN podcastContent ON podcastID = id
      WHERE id = ?
      """, [podcast.rawValue])
    let wasRead: Bool? = try before?[0]
    var channel = feed.podcast
    let built = try before.flatMap { Date(seconds: try $0[1]) }
    let isOldCopy =
      feed.info.isOldCopy
      || channel.lastBuildDate.flatMap { date in
        built.map { RefreshSchedule.isOldCopy(of: date, newer: $0, now: now) }
      } ?? false
    if let built, isOldCopy { channel.lastBuildDate = channel.lastBuildDate.map { max($0, built) } }
    // What is stored of the podcast is better than a part of its head, or nothing.
    let hasHead = !feed.episodes.isEmpty || channel.title != nil && !channel.isCutOff
    if wasRead == true, channel.isCutOff, hasHead {
      // What stands after the items is missing.
      try Self.writePodcast(db, Self.completed(db, channel, podcast), podcast)
    } else if wasRead != true || hasHead {
      try Self.writePodcast(db, channel, podcast)
    }
    let rule = feed.info.catalogueRule
    let subscribed = try before.flatMap { Date(seconds: try $0[2]) } ?? now
    let writer = try FeedWriter(
      db, podcast, plainText: plainText,
      catalogue: isCatalogue || wasRead == false
        ? BackCatalogue(rule: rule, firstRank: 0)
        : BackCatalogue(rule: rule, news: (subscribed, now)))
    var result = try writer.write(channel, feed.episodes, isOldCopy: isOldCopy, &search)
    var info = feed.info
    // A part that cannot be read is no reason to look at the rest less often.
    if info.problem != nil { info.notBefore = now }
    try Self.setHealth(db, podcast, feed.health, info: info, wasRead: true, now: now)
    try SyncMove.adoptData(db, of: podcast, now: now)
    try Self.updateNewestDate(db, podcast)
    result.synced = try SyncEpisodes.applyWaiting(self, db, podcast: podcast, now: now).count
    return result
  }

  /// Stores episodes of a further page.
  func applyPage(
    _ db: Database, _ page: FeedPodcast, _ episodes: [PreparedEpisode], to podcast: PodcastID,
    catalogueRule: CatalogueRule = .all, _ search: inout SearchWriter
  ) throws -> ApplyResult {
    var page = page
    page.isArchive = true
    let writer = try FeedWriter(db, podcast, plainText: plainText, catalogue: BackCatalogue(rule: catalogueRule))
    let result = try writer.write(page, episodes, &search)
    try Self.updateNewestDate(db, podcast)
    return result
  }

  /// With what is stored of the podcast where the feed has nothing.
  private static func completed(_ db: Database, _ feed: FeedPodcast, _ podcast: PodcastID) throws -> FeedPodcast {
    let stored = try db.row("\(PodcastColumns.selectDetail) WHERE id = ?", [podcast.rawValue])
    guard let stored else { throw StoreError.unknown("podcast \(podcast)") }
    let known = try PodcastColumns.feed(stored)
    var part = feed
    // Flags are members also if they are false. Other values that are absent are no members of the JSON.
    part.isComplete = feed.isComplete || known.isComplete
    part.usesPodping = feed.usesPodping || known.usesPodping
    let texts = try [known, part].map { try JSONCoding.encode($0) }
    let text = try String.fetchOne(db, sql: "SELECT json_patch(?, ?)", arguments: [texts[0], texts[1]])
    return JSONCoding.extras(FeedPodcast.self, text) ?? feed
  }

  private static func writePodcast(_ db: Database, _ feed: FeedPodcast, _ podcast: PodcastID) throws {
    // "Untitled" if the feed has no title.
    let title = feed.title?.withoutNUL.trimmed ?? ""
    let shown = title.isEmpty ? "Untitled" : title
    let names = ["title", "titleKey", "live"] + PodcastColumns.inPodcast.map(\.name)
    let values = StatementArguments([shown, PodcastColumns.sortKey(shown)]) + [feed.liveItems.count { $0.isOnAir }]
    try db.run(
      ColumnList.update("podcast", names) + " WHERE id = ?",
      values + StatementArguments(PodcastColumns.inPodcast.map { $0.value(feed) }) + [podcast.rawValue])
    guard db.changesCount > 0 else { throw StoreError.unknown("podcast \(podcast)") }
    let content = ["podcastID", "extras"] + PodcastColumns.inContent.map(\.name)
    try db.run(
      ColumnList.upsert(into: "podcastContent", content),
      [podcast.rawValue, try feed.extras()]
        + StatementArguments(PodcastColumns.inContent.map { $0.value(feed) }))
  }

  /// - Parameter wasRead: whether the feed was read, if only in part. Nil: it was, if it is in good health.
  static func setHealth(
    _ db: Database, _ podcast: PodcastID, _ health: FeedHealth, info: RefreshInfo, wasRead: Bool? = nil, now: Date
  ) throws {
    let columns = health.columns
    let isGood = wasRead ?? (health == .good)
    try db.run(
      """
      UPDATE podcast SET health = ?, healthMessage = ?, failures = iif(?3, 0, failures + 1), lastAsked = ?4,
        lastRefreshed = iif(?3, ?4, lastRefreshed), notBefore = ?5 WHERE id = ?6
      """,
      [
        info.pause?.rawValue ?? columns.health, columns.message, isGood, now.seconds,
        info.notBefore?.seconds, podcast.rawValue,
      ])
    guard db.changesCount > 0 else { throw StoreError.unknown("podcast \(podcast)") }
    guard let validators = info.validators, isGood else { return }
    try db.run(
      "UPDATE podcast SET etag = ?, lastModified = ?, digest = ?, validatorsURL = ? WHERE id = ?",
      [validators.etag, validators.lastModified, validators.bodyDigest, validators.url, podcast.rawValue])
  }

  /// Sets the date of the newest episode in the feed. It counts even if the listener has deleted it.
  static func updateNewestDate(_ db: Database, _ podcast: PodcastID) throws {
    // Two SELECTs, because each uses a partial index.
    let dates = [StatusIs.listed, StatusIs.deleted].map { status in
      """
      SELECT max(pubDate) AS date FROM episode
      WHERE podcastID = ?1 AND \(status) AND NOT isGone AND id NOT IN \(ExtraEpisode.liveIDs)
      """
    }
    try db.run(
      """
      UPDATE podcast SET lastPubDate = (SELECT max(date) FROM (\(dates.joined(separator: " UNION ALL ")))) WHERE id = ?1
      """, [podcast.rawValue])
  }
}
