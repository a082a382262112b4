/// The table of smart playlists.
enum SchemaCollections {
  static let sql = """
    CREATE TABLE smartPlaylist (
      playlistID INTEGER PRIMARY KEY REFERENCES playlist(id) ON DELETE CASCADE,
      filter TEXT NOT NULL                -- EpisodeFilter.description
    );

    """
}

/// Chapters by source. The first schema stored only the merged list, which was later mistaken for a source.
enum SchemaChapters {
  static let sql = """
    CREATE TABLE chapterSource (          -- beside those of the feed itself, which are in the extras
      episodeID INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
      source TEXT NOT NULL CHECK (source IN ('json', 'file')),
      address TEXT,                       -- of the JSON
      chapters TEXT NOT NULL,             -- JSON; [] where the source was read and has none
      updated REAL NOT NULL,
      PRIMARY KEY (episodeID, source)
    ) WITHOUT ROWID;
    -- Nobody knows where the merged lists came from. They stand for the source that the next playing asks again.
    INSERT INTO chapterSource (episodeID, source, address, chapters, updated)
      SELECT m.episodeID, iif(a.address IS NULL, 'file', 'json'), a.address, m.chapters, m.updated
      FROM chapters m JOIN (
        SELECT e.id, iif(json_valid(c.extras), json_extract(c.extras, '$.chaptersURL'), NULL) AS address
        FROM episode e LEFT JOIN episodeContent c ON c.episodeID = e.id
      ) a ON a.id = m.episodeID;
    DROP TABLE chapters;

    """
}

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

/// Podcasts that were visited without subscribing, and live items on air.
enum SchemaVisited {
  static let sql = """
    -- When it was last looked at; NULL for what is, or once was, subscribed to.
    ALTER TABLE podcast ADD COLUMN visited REAL;
    -- How many podcast:liveItem are on air, as the feed last said.
    ALTER TABLE podcast ADD COLUMN live INTEGER NOT NULL DEFAULT 0;

    """
}

/// The dictionaries of compressed show notes: `StoredNotes`.
enum SchemaNotes {
  static let sql = """
    CREATE TABLE notesDictionary (
      id INTEGER PRIMARY KEY,             -- as the frames that need it name it (RFC 8878, 3.1.1.1.3)
      madeAt INTEGER NOT NULL,            -- the last episode when it was made
      dictionary BLOB NOT NULL            -- of Zstandard
    );
    -- The notes of episodes up to this one may still lie there as text; where `packNotes` goes on.
    INSERT INTO meta (key, value)
      SELECT 'notesToPack', last FROM (SELECT max(episodeID) AS last FROM episodeContent) WHERE last IS NOT NULL;

    """
}

/// The New screen by what an episode is, not by when it was changed: an undo changes an episode, and restores its rank
/// in the back catalogue.
enum SchemaBacklog {
  static let sql = """
    ALTER TABLE undoEpisode ADD COLUMN catalogueRank INTEGER;
    -- NULL: stored by a version that did not change it.
    ALTER TABLE undoEpisode ADD COLUMN isBacklog INTEGER;
    DROP INDEX episodeNew;
    -- Marked as new by the listener. These stay on the New screen.
    UPDATE episode SET isBacklog = 0, catalogueRank = NULL
      WHERE isBacklog AND status = 0 AND (statusUpdated IS NOT NULL OR positionUpdated IS NOT NULL);
    CREATE INDEX episodeNew
      ON episode (pubDate, podcastID, id, status, isBacklog, position, heardAt) WHERE \(condition);

    """

  /// The condition of the New screen. Episodes that were begun are no longer backlog. An episode that the listener
  /// marks as new has no `isBacklog`. SQLite uses the index only for queries with exactly this condition.
  static let condition = "status < 3 AND (isBacklog = 0 OR status > 0 OR position > 0 OR heardAt IS NOT NULL)"
}
