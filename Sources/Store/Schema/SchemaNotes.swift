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
