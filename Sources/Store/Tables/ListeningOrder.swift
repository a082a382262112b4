import GRDB
import Model

/// The podcasts whose episodes are heard from the first to the last, and where the listener is in them. What the
/// listener has set decides. Else these are serials (itunes:type), audiobooks (podcast:medium), and feeds without dates
/// that begin with the first episode (`FeedOrder`).
enum ListeningOrder {
  /// The subscribed ones that New treats as serials: the listener or the publisher has said so. The order of a feed
  /// without dates says nothing about how it is heard.
  /// - Parameter podcast: looks at this one only; nil: at all.
  private static func serials(_ db: Database, of podcast: PodcastID?) throws -> [Int64] {
    let own: [PodcastID: EpisodeOrder]
    let rows: [CheckedRow]
    let select = "SELECT id, \(isSerial) FROM podcast WHERE isSubscribed"
    if let podcast {
      // Not by a scan, because a list of all podcasts asks for each.
      own = try Library.podcastSettings(db, podcast).order.map { [podcast: $0] } ?? [:]
      rows = try db.rows("\(select) AND id = ?", [podcast.rawValue])
    } else {
      own = try Library.podcastSettings(db).compactMapValues(\.order)
      rows = try db.rows("\(select) ORDER BY id")
    }
    return try rows.compactMap { row in
      let (id, isSerial) = (try row[0] as Int64, try row[1] as Bool)
      return own[PodcastID(id)].map { $0 == .oldest } ?? isSerial ? id : nil
    }
  }

  static func isOldestFirst(_ db: Database, _ podcast: PodcastID) throws -> Bool {
    if let own = try Library.podcastSettings(db, podcast).order { return own == .oldest }
    return try Bool.fetchOne(db, "SELECT \(isByFeed) FROM podcast WHERE id = ?", [podcast.rawValue]) ?? false
  }

  /// A condition on the table `podcast`. `instr` is a fast pre-check before parsing JSON, because every list asks.
  private static let isSerial = """
    EXISTS (
      SELECT 1 FROM podcastContent c
      WHERE c.podcastID = podcast.id AND (instr(c.extras, '"serial"') AND \(Extra.type.value(in: "c.extras")) = 'serial'
        OR \(Extra.medium.value(in: "c.extras")) LIKE 'audiobook%'))
    """
  private static let isByFeed = "(isOldestFirst IS 1 OR \(isSerial))"

  /// What New lists of these podcasts: of each, the next episode after the last heard. Of a podcast that was not begun,
  /// its first episode, if any of it counts as new.
  /// - Parameter podcast: looks at this one only; nil: at all.
  static func news(_ db: Database, of podcast: PodcastID? = nil) throws -> SerialNews {
    let podcasts = try serials(db, of: podcast)
    let isAnyNew = "SELECT 1 FROM episode WHERE podcastID = ? AND \(SchemaBacklog.condition)"
    let next = try podcasts.compactMap { podcast -> Int64? in
      let last = try lastHeard(db, podcast)
      let isBegun = try last.map { try $0[4] != emptied } ?? false
      guard try isBegun || db.hasRow(isAnyNew, [podcast]) else { return nil }
      return try first(db, unheardOf: PodcastID(podcast))?.rawValue
    }
    return SerialNews(podcasts: podcasts, next: next)
  }

  /// Nothing of the serials of these episodes is new any more, until a new episode arrives. Otherwise New could not be
  /// emptied: of each serial it would list the next episode.
  static func emptyNew(_ db: Database, of episodes: [EpisodeID], _ undoID: Int64) throws {
    let all = Set(try serials(db, of: nil))
    let podcast = "SELECT podcastID FROM episode WHERE id = ?"
    var emptiedPodcasts: Set<Int64> = []
    for episode in episodes {
      guard let id = try Int64.fetchOne(db, podcast, [episode.rawValue]), all.contains(id) else { continue }
      emptiedPodcasts.insert(id)
      try db.run("UPDATE episode SET isBacklog = \(emptied), catalogueRank = NULL WHERE id = ?", [episode.rawValue])
    }
    let rest = "podcastID = ? AND \(StatusIs.unplayed) AND isBacklog = 0"
    for id in emptiedPodcasts.sorted() {
      try UndoLog.storeEpisodes(db, undoID, where: rest, [id])
      try db.run("UPDATE episode SET isBacklog = 1, catalogueRank = NULL WHERE \(rest)", [id])
    }
  }

  /// `isBacklog` of the last episode of a serial with which New was emptied.
  private static let emptied = 2

  /// The first episode to hear: the last heard one if it has not ended, else the next unheard one after it.
  static func first(_ db: Database, unheardOf podcast: PodcastID) throws -> EpisodeID? {
    let order = "coalesce(pubDate, \(beforeAllDates)), feedOrder, id"
    let last = try lastHeard(db, podcast.rawValue)
    if let last, try last[3] { return EpisodeID(try last[2]) }
    return try Int64.fetchOne(
      db,
      """
      SELECT id FROM episode INDEXED BY episodeListed
      WHERE podcastID = ? AND \(StatusIs.listed) AND +\(StatusIs.unplayed) AND \(ExtraEpisode.isOther)
        AND (\(order)) > (?, ?, ?)
      ORDER BY pubDate, feedOrder, id LIMIT 1
      """,
      [
        podcast.rawValue, try last?[0] as Double? ?? 2 * beforeAllDates, try last?[1] as Int64? ?? 0,
        try last?[2] as Int64? ?? 0,
      ]
    ).map { EpisodeID($0) }
  }

  /// Its rank in the order (date, order, id), whether it is not played to its end, and `isBacklog`.
  private static func lastHeard(_ db: Database, _ podcast: Int64) throws -> CheckedRow? {
    try db.row(
      """
      SELECT coalesce(pubDate, \(beforeAllDates)), feedOrder, id, \(StatusIs.unplayed), isBacklog
      FROM episode INDEXED BY episodeListed
      WHERE podcastID = ? AND \(StatusIs.listed) AND \(ExtraEpisode.isOther)
        AND (NOT \(StatusIs.new) OR position > 0 OR heardAt IS NOT NULL)
      ORDER BY pubDate DESC, feedOrder DESC, id DESC LIMIT 1
      """, [podcast])
  }

  /// Stands for a missing date, which is sorted first.
  private static let beforeAllDates = -1e15
}

/// The podcasts that are heard from the first to the last, and what New lists of them.
struct SerialNews {
  var podcasts: [Int64] = []
  var next: [Int64] = []
}
