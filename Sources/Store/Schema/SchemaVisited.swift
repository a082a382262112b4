/// Podcasts that were visited without subscribing, and live items on air.
enum SchemaVisited {
  static let sql = """
    -- When it was last looked at; NULL for what is, or once was, subscribed to.
    ALTER TABLE podcast ADD COLUMN visited REAL;
    -- How many podcast:liveItem are on air, as the feed last said.
    ALTER TABLE podcast ADD COLUMN live INTEGER NOT NULL DEFAULT 0;

    """
}
