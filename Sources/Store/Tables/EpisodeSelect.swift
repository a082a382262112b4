import GRDB
import Model

/// An `EpisodeQuery` as SQL. Each scope is written so that an index provides rows and order; `ListeningTests` checks
/// SQLite's query plans.
struct EpisodeSelect {
  var sql: String
  var arguments = StatementArguments()

  /// - Parameters:
  ///   - db: for which podcasts are heard from the first to the last.
  ///   - context: what a filter refers to.
  ///   - column: `id` or `podcastID`.
  init(
    _ query: EpisodeQuery, _ db: Database, _ context: FilterContext = FilterContext(), column: String = "id"
  ) throws {
    var scope = try Self.scope(query, db, context)
    let part = query.titleContains?.withoutNUL.folded ?? ""
    // Titles are in the table. Scanning it and sorting the few matches takes a fifth of the time of looking up
    // 170,000 rows in index order.
    if scope.from == Self.newEpisodes, !part.isEmpty { scope.from = "episode e NOT INDEXED" }
    if !part.isEmpty || query.filter != nil { scope.applyLimit() }
    if let filter = query.filter { scope.narrow(to: filter, context) }
    sql = "SELECT e.\(column) FROM \(scope.from) WHERE \(scope.condition)"
    arguments += scope.arguments
    // The plus sign keeps SQLite on the index that provides the order.
    if query.unplayedOnly { sql += " AND +e.\(StatusIs.unplayed)" }
    if !part.isEmpty {
      let podcasts = query.alsoFromPodcasts.map(\.description).joined(separator: ",")
      sql += " AND (instr(e.titleKey, ?) > 0\(podcasts.isEmpty ? "" : " OR +e.podcastID IN (\(podcasts))"))"
      arguments += [part]
    }
    sql += " ORDER BY \(scope.order)"
    if let limit = scope.limit { sql += " LIMIT \(limit)" }
  }

  private static let newEpisodes = "episode e INDEXED BY episodeNew"

  /// - Parameter isFiltered: the filter needs all columns.
  private static func new(_ serials: SerialNews, isFiltered: Bool) -> Scope {
    // Checked for each row: the list of former podcasts is short and mostly empty, which takes half the time.
    let isNew = "\(SchemaBacklog.condition) AND +podcastID NOT IN (SELECT id FROM podcast WHERE NOT isSubscribed)"
    let order = "e.pubDate DESC, e.podcastID DESC, e.feedOrder DESC, e.id DESC"
    guard !serials.podcasts.isEmpty else {
      return Scope(from: newEpisodes, condition: isNew, order: order)
    }
    func list(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: ",") }
    let columns = isFiltered ? "*" : "id, podcastID, pubDate, feedOrder, status, titleKey"
    return Scope(
      from: """
        (SELECT \(columns) FROM episode INDEXED BY episodeNew WHERE \(isNew)
          AND +podcastID NOT IN (\(list(serials.podcasts)))
        UNION ALL SELECT \(columns) FROM episode WHERE id IN (\(list(serials.next)))) e
        """, condition: "1", order: order)
  }

  struct Scope {
    /// With `episode e`.
    var from: String
    var condition: String
    var order: String
    var arguments: StatementArguments = []
    var limit: Int?

    /// Selects the limited number of episodes first, so that what follows narrows these. Only `.matching` has a limit,
    /// and no arguments in `from`.
    mutating func applyLimit() {
      guard let limit else { return }
      condition = "e.id IN (SELECT e.id FROM \(from) WHERE \(condition) ORDER BY \(order) LIMIT \(limit))"
      self.limit = nil
    }

    mutating func narrow(to filter: EpisodeFilter, _ context: FilterContext) {
      let narrower = FilterSQL(filter, context)
      // The order of the joins stays, because it provides the order of the rows.
      if !from.contains("podcast p") { from += " CROSS JOIN podcast p ON p.id = e.podcastID" }
      condition += " AND \(narrower.sql)"
      arguments += narrower.arguments
      if filter.order != .newest { order = narrower.order }
      limit = filter.limit
    }
  }

  private static func scope(_ query: EpisodeQuery, _ db: Database, _ context: FilterContext) throws -> Scope {
    // There is no index of deleted episodes.
    let findsDeleted = query.filter?.findsDeleted ?? false
    let listed = findsDeleted ? "1" : "e.\(StatusIs.listed)"
    switch query.scope {
    case .podcast(let id):
      return Scope(
        from: "episode e" + (findsDeleted ? "" : " INDEXED BY episodeListed"),
        condition: "e.podcastID = ? AND \(listed) AND e.id NOT IN \(ExtraEpisode.liveIDs)",
        order: try ListeningOrder.isOldestFirst(db, id)
          ? "e.pubDate, e.feedOrder, e.id" : "e.pubDate DESC, e.feedOrder DESC, e.id DESC",
        arguments: [id.rawValue])
    // No deleted episode is new, so they are looked for in all podcasts.
    case .new where findsDeleted:
      return Scope(
        from: "episode e JOIN podcast p ON p.id = e.podcastID",
        condition: "p.isSubscribed AND e.id NOT IN \(ExtraEpisode.liveIDs)",
        order: "e.pubDate DESC, e.podcastID DESC, e.feedOrder DESC, e.id DESC")
    case .new:
      return new(try ListeningOrder.news(db), isFiltered: query.filter != nil)
    case .queue:
      return Scope(from: "queue q JOIN episode e ON e.id = q.episodeID", condition: listed, order: "q.position")
    case .downloads:
      return Scope(
        from: "download d JOIN episode e ON e.id = d.episodeID", condition: listed,
        order: "d.downloadComplete, iif(d.downloadComplete, -d.updated, d.updated), e.id DESC")
    case .history:
      return Scope(
        from: "episode e INDEXED BY episodeHeard", condition: "e.heardAt IS NOT NULL AND \(listed)",
        order: "e.heardAt DESC, e.id DESC")
    case .playlist(let id):
      return Scope(
        from: "playlistItem i JOIN episode e ON e.id = i.episodeID", condition: "i.playlistID = ? AND \(listed)",
        order: "i.position", arguments: [id.rawValue])
    case .matching(let filter):
      return Scope(FilterSQL(filter, context), limit: filter.limit, findsDeleted: findsDeleted || filter.findsDeleted)
    case .these(let ids):
      let list = "[\(ids.map(\.description).joined(separator: ","))]"
      // A filter finds deleted episodes only if it names them.
      return Scope(
        from: "json_each(?) j JOIN episode e ON e.id = j.value", condition: query.filter == nil ? "1" : listed,
        order: "j.key", arguments: [list])
    }
  }
}
