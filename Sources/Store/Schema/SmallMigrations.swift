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

/// The dictionaries of compressed show notes: `NotesPacker`.
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

/// Transcripts that the listener has made or imported, beside the publisher's, and the list of those to make.
enum SchemaTranscribing {
  static let sql = """
    CREATE TABLE madeTranscript (
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
      transcript TEXT NOT NULL,           -- JSON, as in `transcript`
      origin TEXT NOT NULL,               -- JSON of TranscriptOrigin
      updated REAL NOT NULL
    );
    CREATE TABLE transcribing (
      id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order
      episodeID INTEGER NOT NULL UNIQUE REFERENCES episode(id) ON DELETE CASCADE,
      added REAL NOT NULL,
      failure TEXT                        -- NULL: it waits
    );

    """
}

/// Rules, and what they did.
enum SchemaRules {
  static let sql = """
    CREATE TABLE rule (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      position INTEGER NOT NULL,          -- rules are applied in this order
      name TEXT NOT NULL,
      filter TEXT NOT NULL,               -- EpisodeFilter
      action TEXT NOT NULL,               -- RuleAction.text
      isOn INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE ruleAct (                -- no rule does the same to an episode again
      episodeID INTEGER NOT NULL REFERENCES episode(id) ON DELETE CASCADE,
      action TEXT NOT NULL,               -- RuleAction.key
      rule TEXT NOT NULL,                 -- the name of the rule
      run INTEGER NOT NULL,               -- what was done in one run is undone together
      timestamp REAL NOT NULL,
      isTakenBack INTEGER NOT NULL DEFAULT 0, -- the run was undone
      isWaiting INTEGER NOT NULL DEFAULT 0, -- for work outside of the library: a download, a file to delete, a notice
      PRIMARY KEY (episodeID, action)
    ) WITHOUT ROWID;
    CREATE INDEX ruleActWaiting ON ruleAct (episodeID) WHERE isWaiting;
    CREATE INDEX ruleActRun ON ruleAct (run);
    CREATE INDEX ruleActHidden ON ruleAct (timestamp) WHERE action = 'deleted';

    """
}

/// Bookmarks, which are clips without an end, parts to skip, and notes. SQLite cannot remove a `NOT NULL`, so the table
/// is made again.
enum SchemaMarks {
  static let sql =
    """
    CREATE TABLE newClip (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episodeID INTEGER NOT NULL REFERENCES episode(id),
      startTime REAL NOT NULL,
      endTime REAL,                       -- NULL: a bookmark, or a note about the episode
      title TEXT, dateCreated REAL NOT NULL,
      clipURL TEXT UNIQUE, userID TEXT NOT NULL,
      kind TEXT NOT NULL DEFAULT 'clip',  -- Clip.Kind
      note TEXT,                          -- of the listener
      CHECK (startTime >= 0 AND (endTime IS NULL OR endTime > startTime))
    );
    INSERT INTO newClip (id, episodeID, startTime, endTime, title, dateCreated, clipURL, userID)
      SELECT id, episodeID, startTime, endTime, title, dateCreated, clipURL, userID FROM clip;
    -- The ids of deleted clips must not be given again, because undo still knows them.
    DELETE FROM sqlite_sequence WHERE name = 'newClip';
    UPDATE sqlite_sequence SET name = 'newClip' WHERE name = 'clip';
    DROP TABLE clip;
    ALTER TABLE newClip RENAME TO clip;
    CREATE INDEX clipEpisode ON clip (episodeID);

    """ + SchemaSync.triggers(of: "clip")
}
