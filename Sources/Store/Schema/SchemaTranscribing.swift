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
