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
