import GRDB
import Model

/// An `EpisodeQuery` as SQL. Each scope is written so that an index provides rows and order; `ListeningTests` checks
/// SQLite's query plans.
struct EpisodeSelect {
  var sql: String
  var arguments = StatementArguments()

  /// - Parameters:
  ///   - context: what a filter refers to.
  ///   - oldestFirst: order of a podcast's episodes.
  ///   - column: of the table `episode`.
  init(
    _ query: EpisodeQuery, _ context: FilterContext = FilterContext(), oldestFirst: Bool = false,
    column: String = "id"
  ) {
    var scope = Self.scope(query.scope, context)
    if oldestFirst { scope.order = "e.pubDate, e.feedOrder, e.id" }
    let part = query.titleContains?.withoutNUL.folded ?? ""
    // Titles are in the table. Scanning it and sorting the few matches takes a fifth of the time of looking up
    // 170,000 rows in index order.
    if query.scope == .new, !part.isEmpty { scope.from = "episode e NOT INDEXED" }
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

  struct Scope {
    var from: String
    var condition: String
    var order: String
    var arguments: StatementArguments = []
    var limit: Int?
  }

  private static func scope(_ scope: EpisodeQuery.Scope, _ context: FilterContext) -> Scope {
    switch scope {
    case .podcast(let id):
      Scope(
        from: "episode e INDEXED BY episodeListed",
        condition: "e.podcastID = ? AND e.\(StatusIs.listed) AND e.id NOT IN \(ExtraEpisode.liveIDs)",
        order: "e.pubDate DESC, e.feedOrder DESC, e.id DESC", arguments: [id.rawValue])
    case .new:
      Scope(
        from: "episode e INDEXED BY episodeNew",
        // Checked for each row: the list of former podcasts is short and mostly empty, which takes half the time.
        condition: "\(SchemaBacklog.condition) AND +e.podcastID NOT IN (SELECT id FROM podcast WHERE NOT isSubscribed)",
        order: "e.pubDate DESC, e.podcastID DESC, e.feedOrder DESC, e.id DESC")
    case .queue:
      Scope(
        from: "queue q JOIN episode e ON e.id = q.episodeID", condition: "e.\(StatusIs.listed)", order: "q.position")
    case .downloads:
      Scope(
        from: "download d JOIN episode e ON e.id = d.episodeID", condition: "e.\(StatusIs.listed)",
        order: "d.downloadComplete, iif(d.downloadComplete, -d.updated, d.updated), e.id DESC")
    case .history:
      Scope(
        from: "episode e INDEXED BY episodeHeard", condition: "e.heardAt IS NOT NULL AND e.\(StatusIs.listed)",
        order: "e.heardAt DESC, e.id DESC")
    case .playlist(let id):
      Scope(
        from: "playlistItem i JOIN episode e ON e.id = i.episodeID",
        condition: "i.playlistID = ? AND e.\(StatusIs.listed)", order: "i.position", arguments: [id.rawValue])
    case .matching(let filter): Scope(FilterSQL(filter, context), limit: filter.limit)
    }
  }
}
