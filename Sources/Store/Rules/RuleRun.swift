import Foundation
import GRDB
import Model

/// One run of rules, inside one transaction: finds the episodes of each rule, acts, and records both for the undo log
/// and in `ruleAct`.
struct RuleRun {
  enum Scope {
    /// Episodes that a refresh has just stored.
    case arrived([Int64])
    /// All episodes, for rules whose conditions change with time.
    case timed
    /// All episodes. Nil: for all rules that are on; else for this one, even if it is off. `among`: only these.
    case chosen(RuleID?, among: Set<Int64>? = nil)
  }

  let library: Library
  let db: Database
  let scope: Scope
  let now: Date
  /// When the refresh began that brought the episodes. Its earlier transactions belong to the same run.
  let refresh: Date?
  private var changes: RuleChanges
  /// Its problems are playlists of rules that do not exist.
  private(set) var report = RuleReport()
  /// The episodes that a rule with `keep` has found.
  private(set) var kept: Set<Int64> = []
  /// The episodes that a refresh has brought, and those of them that are no back catalogue. Nil: all.
  private let arrived: [Int64]?
  private let news: [Int64]?
  /// Read when the first rule needs it. The inner nil: everything is indexed.
  private var texts: PendingSearch??

  init(_ library: Library, _ db: Database, _ scope: Scope, refresh: Date?, now: Date) throws {
    (self.library, self.db, self.scope, self.refresh, self.now) = (library, db, scope, refresh, now)
    changes = try RuleChanges(db, refresh: refresh)
    guard case .arrived(let ids) = scope else {
      (arrived, news) = (nil, nil)
      return
    }
    arrived = ids
    news = try Int64.fetchAll(
      db, "SELECT id FROM episode WHERE id IN (SELECT value FROM json_each(?)) AND catalogueRank IS NULL",
      [ids.description])
  }

  mutating func perform(_ rules: [Rule]) throws {
    for rule in rules {
      // A newer version may have written the filter. Its rule does nothing here.
      guard let filter = try? EpisodeFilter(parsing: rule.filter), isConcerned(rule, filter) else { continue }
      let candidates = filter.condition.namesCatalogue ? arrived : news
      if candidates?.isEmpty == true { continue }
      if case .playlist(let title) = rule.action, try RuleChanges.playlist(db, title) == nil {
        report.problems.append("Rule “\(rule.name)” does nothing: there is no playlist “\(title)”.")
        continue
      }
      if filter.condition.searchesTexts, texts == nil {
        texts = .some(try PendingSearch(db, among: arrived, plainText: library.plainText))
      }
      let earlier = filter.limit != nil || rule.action.queues ? try touchedInRefresh(by: rule) : []
      let select = RuleSelect(
        rule: rule, filter: filter, arrived: candidates, excluded: kept, pending: texts.flatMap(\.self), now: now)
      var found = try select.episodes(db, besides: earlier.count)
      if case .chosen(rule.id, let shown?) = scope { found = found.filter(shown.contains) }
      guard rule.action != .keep else {
        kept.formUnion(found)
        continue
      }
      guard !found.isEmpty else { continue }
      try changes.perform(rule, on: found, library, db, now: now)
      if rule.action.queues { try select.sortInQueue(found + earlier, db) }
      report.acts += found.map { RuleAct(episode: EpisodeID($0), rule: rule.name, action: rule.action) }
    }
    try changes.store(db)
  }

  /// What earlier transactions of the same refresh found for the rule.
  private func touchedInRefresh(by rule: Rule) throws -> [Int64] {
    guard let refresh else { return [] }
    // Later runs have higher numbers. There is an index of them, but none of the times.
    return try Int64.fetchAll(
      db,
      """
      SELECT episodeID FROM ruleAct WHERE rule = ?1 AND action = ?2 AND timestamp >= ?3
        AND run > coalesce((SELECT run FROM ruleAct WHERE timestamp < ?3 ORDER BY run DESC LIMIT 1), 0)
      """, [rule.name, rule.action.key, refresh.seconds])
  }

  private func isConcerned(_ rule: Rule, _ filter: EpisodeFilter) -> Bool {
    switch scope {
    case .arrived: rule.isOn
    case .timed: rule.isOn && (rule.action == .keep || filter.condition.changesWithTime)
    case .chosen(nil, _): rule.isOn
    case .chosen(let id, _): id == rule.id || rule.isOn && rule.action == .keep
    }
  }
}

extension RuleAction {
  fileprivate var queues: Bool { self == .queue || self == .queueNext }
}

/// The episodes that a rule touches.
struct RuleSelect {
  let rule: Rule
  let filter: EpisodeFilter
  /// Finds only these episodes, which a refresh has brought. Nil: all.
  var arrived: [Int64]?
  /// Never finds these.
  var excluded: Set<Int64> = []
  /// What is not indexed yet, for a filter that searches texts.
  let pending: PendingSearch?
  let now: Date

  /// In the order of the filter; oldest first if it has none, so that a queue begins with the oldest.
  /// - Parameter count: how many of the filter's limit are used up.
  func episodes(_ db: Database, backCatalogue: Bool = false, besides count: Int = 0) throws -> [Int64] {
    var context = FilterContext(now: now, arrived: arrived)
    if filter.condition.namesTags { context.tags = try Library.allTags(db) }
    context.pending = try pending?.matches(of: filter.condition) ?? [:]
    var scope = EpisodeSelect.Scope(FilterSQL(filter, context), limit: filter.limit, findsDeleted: false)
    func narrow(_ condition: String, _ arguments: StatementArguments = []) {
      scope.condition += " AND " + condition
      scope.arguments += arguments
    }
    narrow(Self.isNotPlaying)
    narrow("NOT EXISTS (SELECT 1 FROM ruleAct WHERE episodeID = e.id AND action = ?)", [rule.action.key])
    if backCatalogue {
      narrow("e.catalogueRank IS NOT NULL")
    } else if !filter.condition.namesCatalogue {
      narrow("e.catalogueRank IS NULL")
    }
    if let arrived { narrow("e.id IN (SELECT value FROM json_each(?))", [arrived.description]) }
    if !excluded.isEmpty { narrow("e.id NOT IN (SELECT value FROM json_each(?))", [excluded.sorted().description]) }
    if let (condition, values) = try isUseful(db) { narrow(condition, values) }
    let limit = scope.limit.map { " LIMIT \(max(0, $0 - count))" } ?? ""
    let found = try Int64.fetchAll(
      db, "SELECT e.id FROM \(scope.from) WHERE \(scope.condition) ORDER BY \(scope.order)\(limit)", scope.arguments)
    return filter.order == .newest ? found.reversed() : found
  }

  /// Puts these episodes in the order of the filter, in the places that they have in the queue.
  func sortInQueue(_ episodes: [Int64], _ db: Database) throws {
    guard episodes.count > 1 else { return }
    let scope = EpisodeSelect.Scope(FilterSQL(filter, FilterContext(now: now)), limit: nil, findsDeleted: false)
    let order = try Int64.fetchAll(
      db, "SELECT e.id FROM \(scope.from) WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY \(scope.order)",
      [episodes.description])
    let queue = try QueueTable.read(db)
    let queued = Set(queue)
    var sorted = (filter.order == .newest ? order.reversed() : order).filter(queued.contains)[...]
    let moved = Set(sorted)
    try QueueTable.write(db, queue.map { moved.contains($0) ? sorted.removeFirst() : $0 })
  }

  /// Neither the playing episode nor the one that is loaded and paused.
  private static let isNotPlaying = """
    NOT (e.\(StatusIs.playing) OR e.\(StatusIs.paused)
      AND e.id = (\(LoadedEpisode.played)))
    """

  /// No other device has marked it as new. If it has just arrived, no device has touched it, except for a rule.
  private var isUndecided: String {
    guard arrived != nil else { return "NOT (e.\(StatusIs.new) AND \(Self.isElsewhere(.new)))" }
    return """
      (e.statusUpdated IS NULL AND e.positionUpdated IS NULL
        OR EXISTS (SELECT 1 FROM ruleAct WHERE episodeID = e.id AND action IN ('played', 'deleted')))
      """
  }

  /// Another device has done this to the episode. Perhaps its rules did, and the listener took it back there.
  private static func isElsewhere(_ kind: ListeningEvent.Kind) -> String {
    """
    EXISTS (SELECT 1 FROM event WHERE episodeID = e.id AND kind = '\(kind.name)'
      AND deviceID <> (SELECT value FROM meta WHERE key = 'deviceID'))
    """
  }

  /// The condition under which the action would change something and is allowed.
  private func isUseful(_ db: Database) throws -> (sql: String, arguments: StatementArguments)? {
    switch rule.action {
    // An episode that a device has taken out of the queue stays out.
    case .queue, .queueNext:
      (
        """
        e.\(StatusIs.unplayed) AND NOT EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id)
        AND NOT EXISTS (
          SELECT 1 FROM syncRegister
          WHERE key = 'queue/' || p.feedKey || ' ' || coalesce(e.guid, e.mediaURL) AND value IS NULL)
        """, []
      )
    case .download:
      (
        """
        e.mediaURL IS NOT NULL AND e.mediaURL NOT LIKE 'file:%'
        AND NOT EXISTS (SELECT 1 FROM download WHERE episodeID = e.id)
        """, []
      )
    case .played: ("e.\(StatusIs.unplayed) AND \(isUndecided) AND NOT \(Self.isElsewhere(.played))", [])
    // Never what the listener has begun or collected.
    case .deleted:
      (
        """
        NOT (e.\(StatusIs.begun) OR e.position > 0) AND NOT EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id)
        AND NOT EXISTS (SELECT 1 FROM clip WHERE episodeID = e.id)
        AND NOT EXISTS (SELECT 1 FROM playlistItem WHERE episodeID = e.id)
        AND \(isUndecided) AND NOT \(Self.isElsewhere(.delete))
        """, []
      )
    case .tag(let tag): ("NOT EXISTS (SELECT 1 FROM episodeTag WHERE episodeID = e.id AND tag = ?)", [tag])
    case .playlist(let title):
      try RuleChanges.playlist(db, title).map { id in
        ("NOT EXISTS (SELECT 1 FROM playlistItem WHERE episodeID = e.id AND playlistID = ?)", [id.rawValue])
      }
    case .transcribe:
      (
        """
        e.mediaURL IS NOT NULL AND NOT EXISTS (SELECT 1 FROM transcribing WHERE episodeID = e.id)
        AND NOT EXISTS (SELECT 1 FROM madeTranscript WHERE episodeID = e.id)
        """, []
      )
    case .notify, .keep: nil
    }
  }
}
