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
