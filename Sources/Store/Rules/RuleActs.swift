import Foundation
import GRDB
import Model

/// Running rules, and what they did.
extension Library {
  /// Runs rules over the whole library.
  /// - Parameters:
  ///   - rule: runs this one, even if it is off, after the rules with `keep`; nil: all that are on.
  ///   - episodes: the rule touches only these, which the listener has agreed to; nil: all.
  public func runRules(
    _ rule: RuleID? = nil, among episodes: [EpisodeID]? = nil, now: Date
  ) throws(StoreError) -> RuleReport {
    let among = episodes.map { Set($0.map(\.rawValue)) }
    return try write { db in try self.runRules(db, .chosen(rule, among: among), now: now) }
  }

  /// Runs the rules whose conditions change with time, once a day, or at once.
  /// - Parameter isDue: runs them even if they ran today.
  /// - Parameter timeZone: of the day.
  public func runTimedRules(
    isDue: Bool = false, now: Date, timeZone: TimeZone = .current
  ) throws(StoreError) -> RuleReport {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let today = calendar.startOfDay(for: now).seconds
    let isAnyTimed = try rules().contains { rule in
      rule.isOn && (try? EpisodeFilter(parsing: rule.filter))?.condition.changesWithTime == true
    }
    guard isAnyTimed else { return RuleReport() }
    let last = try read { db in try db.meta("rulesRun") }
    if !isDue, last.flatMap(Double.init) == today { return RuleReport() }
    return try write { db in
      try db.setMeta("rulesRun", "\(today)")
      return try self.runRules(db, .timed, now: now)
    }
  }

  /// What a rule would do now. It need not be stored.
  public func preview(_ rule: Rule, now: Date) throws(StoreError) -> RulePreview {
    try read { db in
      var preview = RulePreview()
      let filter: EpisodeFilter
      do throws(FilterError) { filter = try EpisodeFilter(parsing: rule.filter) } catch {
        throw StoreError.invalid(error.description)
      }
      let pending = filter.condition.searchesTexts ? try PendingSearch(db, plainText: plainText) : nil
      let select = RuleSelect(rule: rule, filter: filter, pending: pending, now: now)
      let found = try select.episodes(db)
      preview.episodes = found.map { EpisodeID($0) }
      if !filter.condition.namesCatalogue {
        preview.backCatalogue = try select.episodes(db, backCatalogue: true).count
      }
      let month = now.seconds - 30 * 86_400
      preview.recent =
        try Int.fetchOne(
          db, "SELECT count(*) FROM episode WHERE pubDate >= ? AND id IN (SELECT value FROM json_each(?))",
          [month, found.description]) ?? 0
      return preview
    }
  }

  /// The rules that may touch episodes of a podcast: all but those that name other podcasts only.
  public func rules(for podcast: PodcastID) throws(StoreError) -> [Rule] {
    let rules = try rules()
    return try read { db in
      try rules.filter { rule in
        guard let filter = try? EpisodeFilter(parsing: rule.filter) else { return false }
        guard case .all(let parts) = filter.condition else {
          return try Self.mayHold(db, filter.condition, podcast)
        }
        return try parts.allSatisfy { try Self.mayHold(db, $0, podcast) }
      }
    }
  }

  /// False if the condition says that the podcast is another one.
  private static func mayHold(
    _ db: Database, _ condition: EpisodeFilter.Condition, _ podcast: PodcastID
  ) throws -> Bool {
    switch condition {
    case .text(.podcast, _, _), .text(.language, _, _), .not(.text(.podcast, _, _)):
      let sql = FilterSQL(EpisodeFilter(condition), FilterContext())
      return try Bool.fetchOne(
        db, sql: "SELECT \(sql.sql) FROM podcast p JOIN (SELECT ? AS podcastID) e ON p.id = e.podcastID",
        arguments: sql.arguments + [podcast.rawValue]) ?? false
    case .any(let parts): return try parts.contains { try mayHold(db, $0, podcast) }
    case .all(let parts): return try parts.allSatisfy { try mayHold(db, $0, podcast) }
    default: return true
    }
  }

  /// What rules did with the episode, and was not taken back.
  static func ruleActs(_ db: Database, of episode: EpisodeID) throws -> [RuleAct] {
    return try db.rows(
      "SELECT action, rule FROM ruleAct WHERE episodeID = ? AND NOT isTakenBack ORDER BY timestamp, action",
      [episode.rawValue]
    ).compactMap { row in
      let text: String = try row[0]
      return try RuleAction(text).map { RuleAct(episode: episode, rule: try row[1], action: $0) }
    }
  }

  /// The episodes that rules have deleted since then, newest first.
  public func hiddenByRules(since: Date) throws(StoreError) -> [EpisodeID] {
    try read { db in
      try Int64.fetchAll(
        db,
        """
        SELECT e.id FROM ruleAct a JOIN episode e ON e.id = a.episodeID
        WHERE a.action = 'deleted' AND a.timestamp >= ? AND NOT a.isTakenBack AND e.\(StatusIs.deleted)
        ORDER BY e.pubDate DESC, e.id DESC
        """, [since.seconds]
      ).map { EpisodeID($0) }
    }
  }

  /// The downloads that rules want, and those to cancel or whose files to delete. Each is returned once. One that the
  /// listener no longer wants is left out: the episode was played or deleted since, or its podcast is not subscribed.
  public func takeRuleDownloads() throws(StoreError) -> (wanted: [EpisodeID], unwanted: [EpisodeID]) {
    let (downloads, deleted) = (RuleAction.download.key, RuleAction.deleted.key)
    let work = try takeWork([downloads, deleted])
    let wanted = work.filter { $0.action == downloads && !$0.isTakenBack && !$0.isOver }
    let unwanted = work.filter { ($0.action == downloads) == $0.isTakenBack }
    return (wanted.map(\.episode), unwanted.map(\.episode))
  }

  /// What rules announce. Each is returned once, and not after a day.
  public func takeRuleNotices(now: Date) throws(StoreError) -> [RuleAct] {
    try takeWork([RuleAction.notify.key]).filter { !$0.isTakenBack && $0.timestamp > now.seconds - 86_400 }
      .map { RuleAct(episode: $0.episode, rule: $0.rule, action: .notify) }
  }

  private struct Work {
    var episode: EpisodeID
    var action: String
    var rule: String
    var timestamp: Double
    var isTakenBack: Bool
    /// The listener has finished with the episode since, or with its podcast.
    var isOver: Bool
  }

  private func takeWork(_ actions: [String]) throws(StoreError) -> [Work] {
    let isWaiting = "isWaiting AND action IN (\(actions.map { "'\($0)'" }.joined(separator: ", ")))"
    guard try read({ db in try db.hasRow("SELECT 1 FROM ruleAct WHERE \(isWaiting)") }) else { return [] }
    return try write { db in
      let rows = try db.rows(
        """
        SELECT episodeID, action, rule, timestamp, isTakenBack OR action = 'deleted' AND NOT EXISTS (
          SELECT 1 FROM episode WHERE id = episodeID AND \(StatusIs.deleted)) AS isTakenBack, NOT EXISTS (
          SELECT 1 FROM episode e JOIN podcast p ON p.id = e.podcastID
          WHERE e.id = episodeID AND p.isSubscribed AND e.\(StatusIs.listed)
            AND (ruleAct.wasPlayed OR NOT e.\(StatusIs.played)))
        FROM ruleAct WHERE \(isWaiting) ORDER BY timestamp, episodeID
        """)
      try db.run("UPDATE ruleAct SET isWaiting = 0 WHERE \(isWaiting)")
      return try rows.map { row in
        try Work(
          episode: EpisodeID(row[0]), action: row[1], rule: row[2], timestamp: row[3], isTakenBack: row[4],
          isOver: row[5])
      }
    }
  }

  /// Runs the rules that are on for episodes that refreshes have stored in this transaction. The results get what the
  /// rules did.
  func runRules(
    _ db: Database, for results: inout [ApplyResult], refresh: Date?, now: Date
  ) throws {
    let arrived = results.flatMap { $0.new.map(\.rawValue) }
    guard !arrived.isEmpty else { return }
    let report = try runRules(db, .arrived(arrived), refresh: refresh, now: now)
    guard !report.isEmpty else { return }
    for index in results.indices where !results[index].new.isEmpty {
      let new = Set(results[index].new)
      results[index].rules = RuleReport(
        acts: report.acts.filter { new.contains($0.episode) }, problems: report.problems)
    }
  }

  private func runRules(
    _ db: Database, _ scope: RuleRun.Scope, refresh: Date? = nil, now: Date
  ) throws -> RuleReport {
    // A rule of a newer version must not stop a refresh.
    let rules = try RuleTable.read(db, skipsUnknown: true)
    guard !rules.isEmpty else { return RuleReport() }
    var run = try RuleRun(self, db, scope, refresh: refresh, now: now)
    try run.perform(rules)
    return run.report
  }
}
