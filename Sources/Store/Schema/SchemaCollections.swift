/// The table of smart playlists.
enum SchemaCollections {
  static let sql = """
    CREATE TABLE smartPlaylist (
      playlistID INTEGER PRIMARY KEY REFERENCES playlist(id) ON DELETE CASCADE,
      filter TEXT NOT NULL                -- EpisodeFilter.description
    );

    """
}
