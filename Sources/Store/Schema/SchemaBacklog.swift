/// The New screen by what an episode is, not by when it was changed: an undo changes an episode, and restores its place
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
