import Foundation
import GRDB
import Model

/// SQL expressions for the counts that a row of `podcast` has.
enum EpisodeCount {
  /// Its episodes that are not deleted.
  static let listed = "(SELECT count(*) FROM episode WHERE \(isListed))"
  static let unplayed = "(SELECT count(*) FROM episode WHERE \(isListed) AND +\(StatusIs.unplayed))"

  /// How many episodes of each podcast the New screen lists, by the podcast's id. It is the screen's own query, so that
  /// the two agree.
  static func new(_ db: Database) throws -> [Int64: Int] {
    let select = try EpisodeSelect(EpisodeQuery(.new), db, column: "podcastID")
    return try RawStatement.integers(db, select.sql, select.arguments).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The same count of one podcast.
  static func new(_ db: Database, of podcast: PodcastID) throws -> Int {
    let serial = try ListeningOrder.news(db, of: podcast)
    guard serial.podcasts.isEmpty else { return serial.next.count }
    let sql = """
      SELECT count(*) FROM episode INDEXED BY episodeListed
      WHERE podcastID = ?1 AND \(StatusIs.listed) AND \(SchemaBacklog.condition)
        AND (SELECT isSubscribed FROM podcast WHERE id = ?1)
      """
    return try Int.fetchOne(db, sql, [podcast.rawValue]) ?? 0
  }

  private static let isListed = "podcastID = podcast.id AND \(StatusIs.listed) AND id NOT IN \(ExtraEpisode.liveIDs)"
}

/// Podcasts and subscriptions.
extension Library {
  /// The podcasts with their tags.
  /// - Parameter withFormer: includes former subscriptions.
  public func podcasts(
    withFormer: Bool = false, order: PodcastOrder = .title
  ) throws(StoreError) -> [PodcastRow] {
    try read { db in
      let condition = withFormer ? "WHERE visited IS NULL" : "WHERE isSubscribed"
      let sql = "SELECT \(PodcastColumns.list) FROM podcast \(condition) ORDER BY naturalKey(titleKey), id"
      let new = try EpisodeCount.new(db)
      return order.sorted(
        try db.rows(sql).map { row in
          var podcast = try PodcastColumns.row(row)
          podcast.new = new[podcast.id.rawValue] ?? 0
          return podcast
        })
    }
  }

  /// Moves the podcast to `index` among the others, in the manual order.
  /// - Parameter shown: all podcasts in the displayed order, which becomes the manual order.
  public func movePodcast(_ podcast: PodcastID, to index: Int, among shown: [PodcastID]) throws(StoreError) {
    var order = shown.filter { $0 != podcast }
    order.insert(podcast, at: min(max(0, index), order.count))
    try write { [order] db in
      for (rank, id) in order.enumerated() {
        try db.run("UPDATE podcast SET place = ? WHERE id = ?", [rank, id.rawValue])
      }
    }
  }

  /// Nil if the podcast does not exist.
  public func podcastDetail(_ id: PodcastID) throws(StoreError) -> PodcastDetail? {
    try read { db in
      guard
        let row = try db.row("\(PodcastColumns.selectDetail) WHERE id = ?", [id.rawValue])
      else { return nil }
      let library = PodcastColumns.library(row)
      var podcast = try PodcastColumns.row(row)
      podcast.new = try EpisodeCount.new(db, of: id)
      return try PodcastDetail(
        row: podcast, feed: PodcastColumns.feed(row), imageURLOverride: library[0],
        source: PodcastSource(source: library[1], id: library[2]), isSubscribed: library[3],
        subscriptionUpdated: Date(seconds: library[4]), lastRefreshed: Date(seconds: library[5]))
    }
  }

  /// The podcast with this feed address, subscribed or not. Scheme, case of the host, trailing slash and fragment are
  /// ignored.
  public func podcastID(feedURL: String) throws(StoreError) -> PodcastID? {
    try read { db in try Self.podcastID(db, feedURL: feedURL) }
  }

  /// Whether the listener is subscribed to this address.
  public func isSubscribed(feedURL: String) throws(StoreError) -> Bool {
    try read { db in
      try Bool.fetchOne(db, "SELECT isSubscribed FROM podcast WHERE feedKey = ?", [AddressKey.feed(feedURL)]) ?? false
    }
  }

  static func podcastID(_ db: Database, feedURL: String) throws -> PodcastID? {
    try podcastID(db, feedKey: AddressKey.feed(feedURL))
  }

  static func podcastID(_ db: Database, feedKey: String) throws -> PodcastID? {
    try Int64.fetchOne(db, "SELECT id FROM podcast WHERE feedKey = ?", [feedKey])
      .map { PodcastID($0) }
  }

  /// Nil if the podcast does not exist.
  static func isSubscribed(_ db: Database, _ podcast: PodcastID) throws -> Bool? {
    try Bool.fetchOne(db, "SELECT isSubscribed FROM podcast WHERE id = ?", [podcast.rawValue])
  }

  /// Nil if the podcast does not exist.
  static func title(_ db: Database, of podcast: PodcastID) throws -> String? {
    try String.fetchOne(db, "SELECT title FROM podcast WHERE id = ?", [podcast.rawValue])
  }

  /// Nil if the podcast does not exist.
  static func feedURL(_ db: Database, of podcast: PodcastID) throws -> String? {
    try String.fetchOne(db, "SELECT feedURL FROM podcast WHERE id = ?", [podcast.rawValue])
  }

  /// Unsubscribes and keeps all data, so that subscribing again restores everything.
  public func unsubscribe(_ podcast: PodcastID, now: Date) throws(StoreError) {
    try setSubscribed(podcast, false, verb: "Unsubscribe from", now: now)
  }

  /// Subscribes again to a podcast that is still stored.
  public func resubscribe(_ podcast: PodcastID, now: Date) throws(StoreError) {
    try setSubscribed(podcast, true, verb: "Subscribe to", now: now)
  }

  private func setSubscribed(_ id: PodcastID, _ isSubscribed: Bool, verb: String, now: Date) throws(StoreError) {
    try write { db in
      guard
        let row = try db.row("SELECT title, isSubscribed FROM podcast WHERE id = ?", [id.rawValue])
      else { throw StoreError.unknown("podcast \(id)") }
      let (title, before) = (try row[0] as String, try row[1] as Bool)
      guard before != isSubscribed else { return }
      try UndoLog.record(
        db, label: "\(verb) “\(title)”", step: .subscription(podcast: id, isSubscribed: before), now: now)
      try Self.setSubscribed(db, id, isSubscribed, now: now)
    }
  }

  static func setSubscribed(_ db: Database, _ id: PodcastID, _ isSubscribed: Bool, now: Date) throws {
    try db.run(
      """
      UPDATE podcast SET isSubscribed = ?1, subscriptionUpdated = ?2, visited = iif(?1, NULL, visited) WHERE id = ?3
      """, [isSubscribed, now.seconds, id.rawValue])
  }

  /// Replaces the podcast's tags, as one step of the undo log.
  /// - Returns: whether they have changed.
  @discardableResult
  public func setTags(_ tags: [String], of podcast: PodcastID, now: Date = Date()) throws(StoreError) -> Bool {
    try write { db in try TagTable.podcast.change(db, tags, of: podcast.rawValue, now: now) }
  }

  /// Sets an image that overrides the feed's. Nil: the feed's own.
  static func setImageURLOverride(_ db: Database, _ url: String?, of podcast: PodcastID) throws {
    try db.run("UPDATE podcastContent SET imageURLOverride = ? WHERE podcastID = ?", [url, podcast.rawValue])
  }
}

/// Converts between columns of `podcast` and `podcastContent` and values of the model.
enum PodcastColumns {
  private static let inList = [
    "id", "feedURL", "title", "iTunesAuthor", "unplayed", "episodes", "lastPubDate", "health", "healthMessage",
    "(SELECT group_concat(tag, char(31)) FROM (SELECT tag FROM podcastTag WHERE podcastID = podcast.id ORDER BY tag))",
    "place", "live > 0",
  ]

  static let list = inList.joined(separator: ", ")

  /// Values of the feed in `podcast`.
  static let inPodcast: [FeedColumn<FeedPodcast>] = [FeedColumn("iTunesAuthor", text: \.iTunesAuthor)]

  /// Values of the feed in `podcastContent`.
  static let inContent: [FeedColumn<FeedPodcast>] = [
    FeedColumn("summary", text: \.summary),
    FeedColumn("link", text: \.link),
    FeedColumn("imageURL", text: \.imageURL),
    FeedColumn("itunesImageURL", text: \.itunesImageURL),
    FeedColumn("language", text: \.language),
    FeedColumn("lastBuildDate", date: \.lastBuildDate),
  ]

  /// All values of the feed that have a column.
  static let inFeed = inPodcast + inContent

  /// What only the library knows, in the order in which `Library.podcastDetail` reads it.
  private static let inLibrary = [
    "imageURLOverride", "source", "sourceID", "isSubscribed", "subscriptionUpdated", "lastRefreshed",
  ]

  /// Columns for the page of one podcast. They are read by index, as those of an episode.
  private static let detail = inList + inFeed.map(\.name) + ["extras"] + inLibrary

  /// A condition follows.
  static let selectDetail =
    "SELECT \(detail.joined(separator: ", ")) FROM podcast LEFT JOIN podcastContent ON podcastID = id"

  /// A row that starts with `list`.
  static func row(_ row: CheckedRow) throws -> PodcastRow {
    try PodcastRow(
      id: PodcastID(row[0]), feedURL: row[1], title: row[2], author: row[3], unplayed: row[4], episodes: row[5],
      lastPubDate: Date(seconds: row[6]), health: FeedHealth(health: row[7], message: row[8]),
      tags: (row[9] as String?)?.split(separator: "\u{1F}").map(String.init) ?? [], rank: row[10], isLive: row[11])
  }

  /// The feed's version of the podcast, from a row of `selectDetail`.
  static func feed(_ row: CheckedRow) throws -> FeedPodcast {
    var feed = FeedPodcast(extras: try row[inList.count + inFeed.count])
    try inFeed.read(row.dropFirst(inList.count), into: &feed)
    feed.feedURL = try row[1]
    feed.title = try row[2]
    feed.lastPubDate = try Date(seconds: row[6])
    return feed
  }

  /// The columns `inLibrary` of a row of `selectDetail`.
  static func library(_ row: CheckedRow) -> CheckedRow { row.dropFirst(detail.count - inLibrary.count) }

  /// The key for sorting lists: without case, diacritics and a leading "The".
  static func sortKey(_ title: String) -> String {
    let folded = title.trimmed.folded
    return folded.hasPrefix("the ") ? String(folded.dropFirst(4)) : folded
  }
}
