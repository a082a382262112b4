import GRDB
import Model

/// The back catalogue: which of the episodes that existed when the listener subscribed count as new.
extension Library {
  /// Applies the rule to the podcast's back catalogue, even if another rule was applied before.
  public func setCatalogueRule(_ rule: CatalogueRule, of podcast: PodcastID) throws(StoreError) {
    try write { db in try Self.setCatalogueRule(db, rule, of: podcast) }
  }

  /// The rule last applied to podcasts without a rule of their own. Nil: none yet.
  public func generalCatalogueRule() throws(StoreError) -> CatalogueRule? {
    try read { db in try Self.generalCatalogueRule(db) }
  }

  /// Applies the rule to all podcasts without a rule of their own.
  /// - Parameter own: podcasts with a rule of their own.
  public func setGeneralCatalogueRule(_ rule: CatalogueRule, besides own: Set<PodcastID>) throws(StoreError) {
    try write { db in
      let others = own.map(\.description).sorted().joined(separator: ",")
      try Self.setCatalogueRule(db, rule, where: "podcastID NOT IN (\(others))", [])
      try db.setSetting(Self.generalRuleKey, rule.description)
    }
  }

  /// The episodes among these that the New screen lists, in the same order.
  public func newEpisodes(among episodes: [EpisodeID]) throws(StoreError) -> [EpisodeID] {
    try read { db in
      let isNew = "SELECT 1 FROM episode WHERE id = ? AND \(SchemaBacklog.condition)"
      return try episodes.filter { try db.hasRow(isNew, [$0.rawValue]) }
    }
  }

  static func setCatalogueRule(_ db: Database, _ rule: CatalogueRule, of podcast: PodcastID) throws {
    try setCatalogueRule(db, rule, where: "podcastID = ?", [podcast.rawValue])
  }

  /// The rule that was applied last to podcasts without one of their own.
  static func generalCatalogueRule(_ db: Database) throws -> CatalogueRule? {
    try db.setting(generalRuleKey).flatMap { CatalogueRule(rawValue: $0) }
  }

  private static let generalRuleKey = "catalogueRule"

  private static func setCatalogueRule(
    _ db: Database, _ rule: CatalogueRule, where condition: String, _ arguments: StatementArguments
  ) throws {
    let isBacklog = rule.newest.map { "catalogueRank >= \($0)" } ?? "0"
    try db.execute(
      sql: """
        UPDATE episode SET isBacklog = \(isBacklog)
        WHERE catalogueRank IS NOT NULL AND isBacklog <> (\(isBacklog)) AND \(condition)
        """, arguments: arguments)
  }
}
