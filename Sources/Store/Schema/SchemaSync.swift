/// The state of sync. It belongs to the one account and is deleted with it, except for the names of devices.
enum SchemaSync {
  static let sql =
    tables + triggers

  private static let tables = """
    CREATE TABLE syncAccount (
      id INTEGER PRIMARY KEY CHECK (id = 1), -- at most one; its password is never here
      kind TEXT NOT NULL,                 -- gpodder, nextcloud, folder
      server TEXT NOT NULL,               -- the base address, or the folder
      user TEXT NOT NULL,
      device TEXT NOT NULL,               -- this device's id there
      deviceName TEXT NOT NULL,
      allowsHTTP INTEGER NOT NULL,
      isUnited INTEGER NOT NULL DEFAULT 0, -- a first sync was completed
      lastRun REAL, lastSuccess REAL, lastFull REAL,
      lastError TEXT
    );
    CREATE TABLE syncCursor (category TEXT PRIMARY KEY, cursor TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE syncDevice (device TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE syncSubscription (
      feedKey TEXT PRIMARY KEY,
      url TEXT NOT NULL,                  -- as it was sent, or came
      server INTEGER,                     -- whether the server is believed to have it
      attempted INTEGER NOT NULL DEFAULT 0,
      held REAL,                          -- the time of a removal that waits for the listener's word
      seen REAL, agreed REAL              -- Versioned
    ) WITHOUT ROWID;
    CREATE TABLE syncEpisode (
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE,
      seen REAL, agreed REAL,             -- Versioned; the version is statusUpdated + positionUpdated
      pushes INTEGER NOT NULL DEFAULT 0,
      repairs INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE syncOutbox (             -- beside the events that were not sent
      episodeID INTEGER PRIMARY KEY REFERENCES episode(id) ON DELETE CASCADE
    );
    CREATE TABLE syncWaiting (            -- actions for episodes that are not known yet
      feedKey TEXT NOT NULL, name TEXT NOT NULL,
      guid TEXT, mediaURL TEXT,
      status INTEGER NOT NULL, position REAL NOT NULL, started REAL, total REAL,
      time REAL NOT NULL,                 -- shared
      localTime REAL NOT NULL,            -- the same on this device's clock
      device TEXT,
      PRIMARY KEY (feedKey, name)
    ) WITHOUT ROWID;
    CREATE TABLE syncRegister (
      key TEXT PRIMARY KEY,
      value TEXT,                         -- JSON; NULL: removed
      time REAL NOT NULL, version REAL NOT NULL, seen REAL, agreed REAL,
      isApplied INTEGER NOT NULL          -- 0: what it is about is not known yet
    ) WITHOUT ROWID;
    CREATE TABLE syncName (               -- what playlists and clips are called elsewhere
      kind TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, id), UNIQUE (kind, name)
    ) WITHOUT ROWID;
    CREATE TABLE syncTouched (kind INTEGER PRIMARY KEY);

    """

  /// Triggers that mark changes to the collections. `Library.write` then compares them with the registers in the same
  /// transaction, so no way of changing them can be forgotten.
  private static let triggers =
    [
      "queue", "playlist", "playlistItem", "smartPlaylist", "clip", "clipTag", "podcastTag", "episodeTag",
      "podcastSettings",
    ].map { triggers(of: $0) }.joined()
    + trigger("UPDATE OF imageURLOverride", of: "podcastContent")

  static func triggers(of table: String) -> String {
    ["INSERT", "UPDATE", "DELETE"].map { trigger($0, of: table) }.joined()
  }

  private static func trigger(_ change: String, of table: String) -> String {
    let name = "sync\(change.prefix { $0 != " " }.capitalized)\(table.prefix(1).uppercased() + table.dropFirst())"
    return """
      CREATE TRIGGER \(name) AFTER \(change) ON \(table)
      WHEN EXISTS (SELECT 1 FROM syncAccount WHERE kind = 'folder') BEGIN
        -- Not OR IGNORE: the conflict clause of the statement that fired the trigger would win over it.
        INSERT INTO syncTouched SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM syncTouched WHERE kind = 1);
      END;

      """
  }
}
