/// The order of episodes that their dates do not order.
enum SchemaOrder {
  static let sql = """
    -- Larger for later episodes. 0: the date decides.
    ALTER TABLE episode ADD COLUMN feedOrder INTEGER NOT NULL DEFAULT 0;
    -- Whether the feed lists its first episode first; NULL: it has dates.
    ALTER TABLE podcast ADD COLUMN isOldestFirst INTEGER;
    DROP INDEX episodeListed;
    CREATE INDEX episodeListed ON episode (podcastID, pubDate, feedOrder, id, status) WHERE status < 4;
    DROP INDEX episodeNew;
    CREATE INDEX episodeNew
      ON episode (pubDate, podcastID, feedOrder, id, status, isBacklog, position, heardAt)
      WHERE \(SchemaBacklog.condition);

    """
}
