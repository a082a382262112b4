/// Which episodes existed when the listener subscribed, and whether they count as new.
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

  /// The condition of the first index. `SchemaBacklog` replaces it.
  private static let condition =
    "status < 3 AND (isBacklog = 0 OR statusUpdated IS NOT NULL OR positionUpdated IS NOT NULL)"
}
