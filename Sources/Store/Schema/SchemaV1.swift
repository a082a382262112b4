/// The first schema. Times are seconds since 1970 as REAL, lengths are seconds or bytes, flags are 0 or 1.
///
/// `episode` has only short columns, because lists scan it; the long texts of the feed are in `episodeContent`. The
/// listener's own data has foreign keys without CASCADE, so that even a bug in the refresh could not delete it.
enum SchemaV1 {
  static let sql = podcasts + episodes + counters + listener + search + undo

  private static let podcasts = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    CREATE TABLE podcast (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedURL TEXT NOT NULL,
      feedKey TEXT NOT NULL UNIQUE,       -- AddressKey.feed(feedURL)
      title TEXT NOT NULL,
      titleKey TEXT NOT NULL,             -- folded, for the order of lists
      iTunesAuthor TEXT,
      source TEXT NOT NULL,               -- rss, apple, spotify
      sourceID TEXT NOT NULL,             -- URL, collectionId, id
      isSubscribed INTEGER NOT NULL,
      subscriptionUpdated REAL NOT NULL,
      episodes INTEGER NOT NULL DEFAULT 0, -- not deleted; kept by triggers
      unplayed INTEGER NOT NULL DEFAULT 0, -- kept by triggers
      lastPubDate REAL,                   -- of the newest episode, computed
      health TEXT NOT NULL DEFAULT 'unknown', -- unknown, good, connectivity, invalid, gone
      healthMessage TEXT,
      failures INTEGER NOT NULL DEFAULT 0, -- in a row
      lastAsked REAL,
      lastRefreshed REAL,                 -- asked with success
      notBefore REAL,                     -- the server wants to be left alone until then
      etag TEXT,
      lastModified TEXT,
      digest TEXT
    );
    CREATE TABLE podcastContent (
      podcastID INTEGER PRIMARY KEY REFERENCES podcast(id) ON DELETE CASCADE,
      summary TEXT, link TEXT, imageURL TEXT, itunesImageURL TEXT, imageURLOverride TEXT,
      language TEXT, lastBuildDate REAL,
      extras TEXT                         -- PodcastExtras as JSON
    );
    CREATE TABLE podcastSettings (
      podcastID INTEGER PRIMARY KEY REFERENCES podcast(id),
      settings TEXT NOT NULL              -- JSON
    );
    CREATE TABLE podcastTag (
      podcastID INTEGER NOT NULL REFERENCES podcast(id), tag TEXT NOT NULL, PRIMARY KEY (podcastID, tag)
    ) WITHOUT ROWID;

    """

  private static let episodes = """
    CREATE TABLE episode (
      id INTEGER PRIMARY KEY,             -- never used twice: see the trigger episodeRemoved
      podcastID INTEGER NOT NULL REFERENCES podcast(id),
      status INTEGER NOT NULL DEFAULT 0,  -- 0 new, 1 playing, 2 paused, 3 played, 4 deleted
      statusUpdated REAL,
      position REAL NOT NULL DEFAULT 0,
      positionUpdated REAL,
      heardAt REAL,                       -- when it last sounded
      measuredDuration REAL,              -- what the player found, better than what the feed says
      isGone INTEGER NOT NULL DEFAULT 0,  -- has left its feed
      pubDate REAL,
      duration INTEGER,
      contentHash INTEGER NOT NULL,       -- of all that the feed says; equal means nothing to write
      title TEXT,
      titleKey TEXT,                      -- folded
      guid TEXT,
      mediaURL TEXT,
      mediaKey TEXT,                      -- AddressKey.media(mediaURL)
      mediaType TEXT,
      mediaBytes INTEGER,
      season INTEGER,
      episodeNumber INTEGER
    );
    CREATE INDEX episodeListed ON episode (podcastID, pubDate, id, status) WHERE status < 4;
    CREATE INDEX episodeUnplayed ON episode (pubDate, podcastID, id, status) WHERE status < 3;
    CREATE INDEX episodeHidden ON episode (podcastID) WHERE status = 4;
    CREATE INDEX episodeHeard ON episode (heardAt) WHERE heardAt IS NOT NULL;
    CREATE TABLE episodeContent (
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
      document INTEGER,                   -- row in search; NULL when it is not indexed
      textHash INTEGER,                   -- of what was indexed
      link TEXT, imageURL TEXT,
      people TEXT,                        -- names, a line each, for the search; roles and more are in the extras
      extras TEXT,                        -- EpisodeExtras as JSON
      summary TEXT, contentHTML TEXT
    );
    CREATE TABLE chapters (               -- fetched, or found in the file; the feed's own are in the extras
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
      chapters TEXT NOT NULL, updated REAL NOT NULL
    );
    CREATE TABLE transcript (
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
      transcript TEXT NOT NULL, updated REAL NOT NULL
    );

    """

  /// Counters maintained by triggers, so that a list of 500 podcasts need not count 150,000 episodes, and no
  /// statement can forget to update them.
  private static let counters = """
    CREATE TRIGGER episodeAdded AFTER INSERT ON episode BEGIN
      UPDATE podcast SET episodes = episodes + (new.status < 4), unplayed = unplayed + (new.status < 3)
        WHERE id = new.podcastID;
    END;
    CREATE TRIGGER episodeRemoved AFTER DELETE ON episode BEGIN
      UPDATE podcast SET episodes = episodes - (old.status < 4), unplayed = unplayed - (old.status < 3)
        WHERE id = old.podcastID;
      -- The undo log may still name it. AUTOINCREMENT would see to that as well, and cost a third of a first refresh.
      UPDATE meta SET value = old.id WHERE key = 'lastEpisode' AND old.id > CAST(value AS INTEGER);
    END;
    CREATE TRIGGER episodeChanged AFTER UPDATE OF status, podcastID ON episode
      WHEN old.status <> new.status OR old.podcastID <> new.podcastID BEGIN
      UPDATE podcast SET episodes = episodes - (old.status < 4), unplayed = unplayed - (old.status < 3)
        WHERE id = old.podcastID;
      UPDATE podcast SET episodes = episodes + (new.status < 4), unplayed = unplayed + (new.status < 3)
        WHERE id = new.podcastID;
    END;

    """

  private static let listener = """
    CREATE TABLE episodeTag (
      episodeID INTEGER NOT NULL REFERENCES episode(id), tag TEXT NOT NULL, PRIMARY KEY (episodeID, tag)
    ) WITHOUT ROWID;
    CREATE TABLE download (
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id),
      fileName TEXT NOT NULL, downloadComplete INTEGER NOT NULL, bytes INTEGER,
      resumeData TEXT, updated REAL NOT NULL
    );
    CREATE TABLE queue (
      position INTEGER PRIMARY KEY, episodeID INTEGER NOT NULL UNIQUE REFERENCES episode(id)
    );
    CREATE TABLE clip (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episodeID INTEGER NOT NULL REFERENCES episode(id),
      startTime REAL NOT NULL, endTime REAL NOT NULL, title TEXT, dateCreated REAL NOT NULL,
      clipURL TEXT UNIQUE, userID TEXT NOT NULL,
      CHECK (endTime > startTime AND startTime >= 0)
    );
    CREATE INDEX clipEpisode ON clip (episodeID);
    CREATE TABLE clipTag (
      clipID INTEGER NOT NULL REFERENCES clip(id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (clipID, tag)
    ) WITHOUT ROWID;
    CREATE TABLE playlist (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT NOT NULL, slug TEXT, url TEXT,
      sharePermission TEXT NOT NULL DEFAULT 'isPrivate'
        CHECK (sharePermission IN ('isPublic', 'isSharableWithLink', 'isPrivate')),
      lastUpdated REAL NOT NULL,
      kind TEXT UNIQUE                    -- myEpisodes, myClips, else NULL
    );
    CREATE TABLE playlistItem (
      playlistID INTEGER NOT NULL REFERENCES playlist(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      episodeID INTEGER REFERENCES episode(id),
      clipID INTEGER REFERENCES clip(id) ON DELETE CASCADE,
      PRIMARY KEY (playlistID, position),
      CHECK ((episodeID IS NULL) <> (clipID IS NULL))
    ) WITHOUT ROWID;
    CREATE INDEX playlistItemEpisode ON playlistItem (episodeID) WHERE episodeID IS NOT NULL;
    CREATE INDEX playlistItemClip ON playlistItem (clipID) WHERE clipID IS NOT NULL;
    CREATE TABLE event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episodeID INTEGER NOT NULL REFERENCES episode(id),
      kind TEXT NOT NULL,                 -- play, start, pause, delete, download, new
      fromTime REAL, toTime REAL, total REAL,
      speed REAL,                         -- 1.5: two seconds of the clock are three of the episode
      timestamp REAL NOT NULL,
      deviceID TEXT NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0     -- 1 once a sync server has it
    );
    CREATE INDEX eventEpisode ON event (episodeID);
    CREATE INDEX eventPlayed ON event (timestamp) WHERE kind = 'play';
    CREATE INDEX eventUnsent ON event (id) WHERE NOT sent;

    """

  /// The full-text index. `PendingSearch` creates the same in memory.
  static let searchTable = """
    CREATE VIRTUAL TABLE search USING fts5(
      title, notes, people, chapters, transcript, scope,
      content='', tokenize="unicode61 remove_diacritics 2"
    );
    """

  /// The weights of the columns.
  static let searchRank = "INSERT INTO search (search, rank) VALUES ('rank', 'bm25(8.0, 1.0, 4.0, 2.0, 0.5, 0.0)');"

  /// The search index has no content of its own (`content=''`): the texts are stored once, as the feed has them.
  /// `SearchWriter` explains the row numbers. Rows of `search` without an episode are dead: the join skips them, and
  /// `renewSearchIndex` removes them.
  ///
  /// The column `scope` contains one word for the podcast (`SearchText.scope`), so that a search in one podcast just
  /// adds a word.
  ///
  /// `automerge` is off, so that a refresh never waits for a merge; `mergeSearchIndex` merges afterwards.
  private static let search = """
    \(searchTable)
    CREATE TABLE searchDocument (
      id INTEGER PRIMARY KEY,             -- rowid in search
      episodeID INTEGER                   -- NULL: dead. No foreign key: it would need an index
    );
    CREATE TRIGGER episodeContentRemoved AFTER DELETE ON episodeContent WHEN old.document IS NOT NULL BEGIN
      UPDATE searchDocument SET episodeID = NULL WHERE id = old.document;
    END;
    CREATE TABLE searchPending (          -- to be indexed, in this order; marking again gives a new id
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      episodeID INTEGER NOT NULL UNIQUE REFERENCES episode(id) ON DELETE CASCADE
    );
    INSERT INTO search (search, rank) VALUES ('hashsize', 4194304); -- fewer, larger segments: a fifth less work
    INSERT INTO search (search, rank) VALUES ('automerge', 0);
    \(searchRank)

    """

  private static let undo = """
    CREATE TABLE undo (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      timestamp REAL NOT NULL,
      label TEXT NOT NULL,                -- what was done, for people
      step TEXT NOT NULL                  -- UndoStep as JSON
    );
    CREATE TABLE undoEpisode (
      undoID INTEGER NOT NULL REFERENCES undo(id) ON DELETE CASCADE,
      episodeID INTEGER NOT NULL,
      status INTEGER NOT NULL, statusUpdated REAL, position REAL NOT NULL, positionUpdated REAL,
      PRIMARY KEY (undoID, episodeID)
    ) WITHOUT ROWID;
    CREATE TABLE undoQueue (
      undoID INTEGER NOT NULL REFERENCES undo(id) ON DELETE CASCADE,
      position INTEGER NOT NULL, episodeID INTEGER NOT NULL,
      PRIMARY KEY (undoID, position)
    ) WITHOUT ROWID;

    """
}
