import Foundation
import GRDB
import Model

/// Episodes for lists and for detail pages. A list loads the ids of all episodes, but the rows only of those on
/// screen.
extension Library {
  /// The ids of a list, in order. With eight bytes per episode, they are the only part of a list that is loaded
  /// completely.
  /// - Parameter now: the time from which a filter counts "today" and ages.
  public func episodeIDs(_ query: EpisodeQuery, now: Date = Date()) throws(StoreError) -> [EpisodeID] {
    let select = try select(query, now: now)
    return try read { db in try Self.episodeIDs(db, try select(db)) }
  }

  /// A list and the rows on screen, in one read: each read costs as much as ten rows.
  /// - Parameters:
  ///   - selected: the episode around which rows are loaded; nil or missing: the one to begin with.
  ///   - count: how many rows at most.
  /// - Returns: `start` is the episode to begin with, if the list is that of a podcast that is heard from the first to
  ///   the last.
  public func episodeList(
    _ query: EpisodeQuery, around selected: EpisodeID?, count: Int, now: Date = Date()
  ) throws(StoreError) -> (ids: [EpisodeID], rows: [EpisodeRow], start: EpisodeID?) {
    let select = try select(query, now: now)
    return try read { db in
      let ids = try Self.episodeIDs(db, try select(db))
      var start: EpisodeID?
      if case .podcast(let podcast) = query.scope, try ListeningOrder.isOldestFirst(db, podcast) {
        start = try ListeningOrder.first(db, unheardOf: podcast)
      }
      let window = Self.window(ids, around: selected ?? start, count)
      return (ids, count > 0 ? try self.episodeRows(db, window) : [], start)
    }
  }

  /// The ids near the selection: half of `count` on either side.
  private static func window(_ ids: [EpisodeID], around selected: EpisodeID?, _ count: Int) -> ArraySlice<EpisodeID> {
    let index = selected.flatMap { ids.firstIndex(of: $0) } ?? 0
    let first = max(0, min(index - count / 2, ids.count - count))
    return ids[first..<min(ids.count, first + count)]
  }

  private static func episodeIDs(_ db: Database, _ select: EpisodeSelect) throws -> [EpisodeID] {
    try RawStatement.integers(db, select.sql, select.arguments).map { EpisodeID($0) }
  }

  /// The rows of these episodes, in this order. Missing episodes are left out.
  public func episodeRows(_ ids: [EpisodeID]) throws(StoreError) -> [EpisodeRow] {
    try read { db in try self.episodeRows(db, ids) }
  }

  func episodeRows(_ db: Database, _ ids: some Sequence<EpisodeID>) throws -> [EpisodeRow] {
    let statement = try RawStatement(
      db, "SELECT \(EpisodeColumns.list) FROM episode e JOIN podcast p ON p.id = e.podcastID WHERE e.id = ?")
    let rows = try ids.compactMap { try statement.first($0.rawValue, EpisodeColumns.row) }
    // Without other devices there is nothing more to ask.
    guard rows.contains(where: { $0.heardAt != nil }), try db.hasRow("SELECT 1 FROM syncDevice") else { return rows }
    return try rows.map { row in
      guard row.heardAt != nil else { return row }
      var row = row
      row.otherDevice = try otherDevice(db, row.id)
      return row
    }
  }

  /// Nil if it does not exist.
  public func episode(_ id: EpisodeID) throws(StoreError) -> EpisodeDetail? {
    try read { db in try episode(db, id) }
  }

  /// The details of these episodes, in this order. Missing episodes are left out.
  public func episodes(_ ids: some Sequence<EpisodeID>) throws(StoreError) -> [EpisodeDetail] {
    try read { db in try ids.compactMap { try episode(db, $0) } }
  }

  private func episode(_ db: Database, _ id: EpisodeID) throws -> EpisodeDetail? {
    guard let row = try db.row("\(EpisodeColumns.selectDetail) WHERE e.id = ?", [id.rawValue]) else { return nil }
    let library = EpisodeColumns.library(row)
    var detail = try EpisodeDetail(
      row: EpisodeColumns.row(row), feed: EpisodeColumns.feed(row), podcastImageURL: library[0],
      podcastAddress: library[1], fileName: library[2], statusUpdated: Date(seconds: library[3]),
      positionUpdated: Date(seconds: library[4]), otherDevice: otherDevice(db, id),
      tags: try TagTable.episode.tags(db, of: id.rawValue),
      madeTranscript: try (library[5] as String?).map { try JSONCoding.decode(TranscriptOrigin.self, $0) },
      marks: try StoredClip.marks(db, of: id))
    detail.playlists = try ((library[6] as String?) ?? "").split(separator: ",").compactMap { Int64($0) }.sorted()
      .map { PlaylistID($0) }
    detail.acts = try Self.ruleActs(db, of: id)
    if detail.feed.persons.isEmpty { detail.podcastPersons = try Self.persons(db, of: detail.row.podcast) }
    return detail
  }

  private static func persons(_ db: Database, of podcast: PodcastID) throws -> [Person] {
    // The extras are decoded only if they contain people.
    let sql = "SELECT iif(\(Extra.persons.isIn()), extras, NULL) FROM podcastContent WHERE podcastID = ?"
    return FeedPodcast(extras: try String.fetchOne(db, sql, [podcast.rawValue])).persons
  }

  /// The name of the device with the episode's last event. Nil: this device.
  private func otherDevice(_ db: Database, _ id: EpisodeID) throws -> String? {
    let device = try String.fetchOne(
      db, "SELECT deviceID FROM event WHERE episodeID = ? ORDER BY id DESC LIMIT 1", [id.rawValue])
    guard let device, device != deviceID else { return nil }
    return try SyncName.device(db, device)
  }

  /// Finds an episode by guid or media address. Verbs and imports identify episodes this way.
  /// - Parameter podcast: searches only this podcast.
  public func episodeID(
    guid: String? = nil, mediaURL: String? = nil, in podcast: PodcastID
  ) throws(StoreError) -> EpisodeID? {
    try read { db in
      let find = { (column: String, value: String?) throws -> EpisodeID? in
        guard let value else { return nil }
        return try Int64.fetchOne(
          db, "SELECT id FROM episode WHERE podcastID = ? AND \(column) = ? LIMIT 1", [podcast.rawValue, value]
        ).map { EpisodeID($0) }
      }
      return try find("guid", guid) ?? find("mediaURL", mediaURL)
        ?? find("mediaKey", mediaURL.map(AddressKey.media))
    }
  }

  /// What the feed of a podcast says about each episode that it has listed the last time, by media address.
  public func feedEpisodes(of podcast: PodcastID) throws(StoreError) -> [String: FeedEpisode] {
    try read { db in
      let sql = "\(EpisodeColumns.selectDetail) WHERE e.podcastID = ? AND NOT e.isGone AND e.mediaURL IS NOT NULL"
      var episodes: [String: FeedEpisode] = [:]
      try db.each(sql, [podcast.rawValue]) { row in
        let feed = try EpisodeColumns.feed(row)
        if let address = feed.mediaURL { episodes[address] = feed }
      }
      return episodes
    }
  }

  /// Replaces the episode's tags, as one step of the undo log.
  /// - Returns: whether they have changed.
  @discardableResult
  public func setTags(_ tags: [String], of episode: EpisodeID, now: Date = Date()) throws(StoreError) -> Bool {
    try write { db in try TagTable.episode.change(db, tags, of: episode.rawValue, now: now) }
  }

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
        let ids = try Int64.fetchAll(db, "SELECT id FROM episode WHERE \(column) = ? \(condition) ORDER BY id", [value])
        if !ids.isEmpty { return ids.map { EpisodeID($0) } }
      }
      return []
    }
  }

  /// The guids that several episodes have, so that they name none.
  public func sharedGUIDs() throws(StoreError) -> Set<String> { try read { db in try Self.sharedGUIDs(db) } }

  static func sharedGUIDs(_ db: Database) throws -> Set<String> {
    try String.fetchSet(
      db, sql: "SELECT guid FROM episode WHERE guid IS NOT NULL GROUP BY guid HAVING count(*) > 1")
  }
}

/// Converts between columns of `episode` and `episodeContent` and values of the model.
enum EpisodeColumns {
  private static let inList = [
    "e.id", "e.podcastID", "p.title", "e.title", "e.pubDate", "coalesce(e.measuredDuration, e.duration)", "e.status",
    "e.position", "(SELECT coalesce(bytes, 0) FROM download WHERE episodeID = e.id AND downloadComplete)",
    "EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id)", "e.isGone", "e.mediaURL IS NOT NULL", "e.heardAt",
    "coalesce(e.guid LIKE '\(ExtraEpisode.live)%', 0)",
  ]

  /// Columns for lists, of `episode e JOIN podcast p`.
  static let list = inList.joined(separator: ", ")

  /// Values of the feed in `episode`. Stored hashes depend on the order: a new column is the last one.
  static let inEpisode: [FeedColumn<FeedEpisode>] = [
    FeedColumn("mediaType", text: \.mediaType),
    FeedColumn("mediaBytes", number: \.mediaBytes),
    FeedColumn("title", text: \.title),
    FeedColumn("pubDate", date: \.pubDate),
    FeedColumn("duration", number: \.duration),
    FeedColumn("season", number: \.season),
    FeedColumn("episodeNumber", number: \.episodeNumber),
  ]

  /// Values of the feed in `episodeContent`.
  static let inContent: [FeedColumn<FeedEpisode>] = [
    FeedColumn("link", text: \.link),
    FeedColumn("imageURL", text: \.imageURL),
  ]

  /// All values of the feed that have a column.
  static let inFeed = inEpisode + inContent

  /// What only the library knows, in the order in which `Library.episode` reads it.
  private static let inLibrary = [
    "coalesce(pc.imageURLOverride, pc.itunesImageURL, pc.imageURL)", "coalesce(pc.link, p.feedURL)",
    "iif(d.downloadComplete, d.fileName, NULL)", "e.statusUpdated", "e.positionUpdated",
    "(SELECT origin FROM madeTranscript WHERE episodeID = e.id)",
    "(SELECT group_concat(DISTINCT playlistID) FROM playlistItem WHERE episodeID = e.id)",
  ]

  /// Columns for the page of one episode. They are read by index: GRDB compares a name with that of each column.
  private static let detail =
    inList + inEpisode.map { "e.\($0.name)" } + inContent.map { "c.\($0.name)" }
    + ["c.extras", "e.guid", "e.mediaURL", "plain(c.summary)", "plain(c.contentHTML)"] + inLibrary

  /// A condition follows.
  static let selectDetail = """
    SELECT \(detail.joined(separator: ", "))
    FROM episode e JOIN podcast p ON p.id = e.podcastID
    LEFT JOIN episodeContent c ON c.episodeID = e.id
    LEFT JOIN podcastContent pc ON pc.podcastID = e.podcastID
    LEFT JOIN download d ON d.episodeID = e.id
    """

  /// A row that starts with `list`.
  static func row(_ row: some CheckedColumns) throws -> EpisodeRow {
    let fileBytes: Int64? = try row[8]
    var episode = try EpisodeRow(
      id: EpisodeID(row[0]), podcast: PodcastID(row[1]), podcastTitle: row[2], title: (row[3] as String?) ?? "Untitled",
      pubDate: Date(seconds: row[4]), duration: row[5], status: EpisodeStatus(code: row[6]), position: row[7],
      isDownloaded: fileBytes != nil, isQueued: row[9], isGoneFromFeed: row[10], hasMedia: row[11],
      heardAt: Date(seconds: row[12]), isLive: row[13])
    episode.fileBytes = fileBytes.flatMap { $0 > 0 ? $0 : nil }
    return episode
  }

  /// The feed's version of the episode, from a row of `selectDetail`.
  static func feed(_ row: CheckedRow) throws -> FeedEpisode {
    let rest = row.dropFirst(inList.count + inFeed.count)
    var feed = FeedEpisode(extras: try rest[0])
    try inFeed.read(row.dropFirst(inList.count), into: &feed)
    feed.guid = try rest[1]
    feed.mediaURL = try rest[2]
    feed.summary = try rest[3]
    feed.contentHTML = try rest[4]
    feed.addMedia()
    return feed
  }

  /// The columns `inLibrary` of a row of `selectDetail`.
  static func library(_ row: CheckedRow) -> CheckedRow { row.dropFirst(detail.count - inLibrary.count) }
}
