/// New without a flood: which episodes were there when the listener subscribed, and whether they count as new.
enum SchemaNew {
  static let sql = """
    -- Among the episodes that were there when the listener subscribed, 0 for the newest; NULL: came later.
    ALTER TABLE episode ADD COLUMN catalogueRank INTEGER;
    -- Of the back catalogue, and not among those that count as new (CatalogueRule).
    ALTER TABLE episode ADD COLUMN isBacklog INTEGER NOT NULL DEFAULT 0;
    DROP INDEX episodeUnplayed;
    CREATE INDEX episodeNew
      ON episode (pubDate, podcastID, id, status, isBacklog, statusUpdated, positionUpdated) WHERE \(condition);
    -- Where the listener has put the podcast; NULL: nowhere yet.
    ALTER TABLE podcast ADD COLUMN place INTEGER;

    """

  /// What the New screen lists. What the listener has done something with is no backlog any more. The index holds only for
  /// queries that say it in these words.
  static let condition =
    "status < 3 AND (isBacklog = 0 OR statusUpdated IS NOT NULL OR positionUpdated IS NOT NULL)"
}
