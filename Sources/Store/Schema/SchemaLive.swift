/// Live items that the listener has played are stored as episodes (`ExtraEpisode`), but are no episodes of the podcast:
/// they are not counted.
enum SchemaLive {
  static let sql = """
    CREATE INDEX episodeLive ON episode (podcastID) WHERE \(condition("guid"));
    DROP TRIGGER episodeAdded;
    DROP TRIGGER episodeRemoved;
    DROP TRIGGER episodeChanged;
    CREATE TRIGGER episodeAdded AFTER INSERT ON episode WHEN NOT \(condition("new.guid")) BEGIN
      UPDATE podcast SET episodes = episodes + (new.status < 4), unplayed = unplayed + (new.status < 3)
        WHERE id = new.podcastID;
    END;
    CREATE TRIGGER episodeRemoved AFTER DELETE ON episode BEGIN
      UPDATE podcast SET episodes = episodes - (old.status < 4), unplayed = unplayed - (old.status < 3)
        WHERE id = old.podcastID AND NOT \(condition("old.guid"));
      -- The undo log may still name it. AUTOINCREMENT would see to that as well, and cost a third of a first refresh.
      UPDATE meta SET value = old.id WHERE key = 'lastEpisode' AND old.id > CAST(value AS INTEGER);
    END;
    CREATE TRIGGER episodeChanged AFTER UPDATE OF status, podcastID ON episode
      WHEN (old.status <> new.status OR old.podcastID <> new.podcastID) AND NOT \(condition("new.guid")) BEGIN
      UPDATE podcast SET episodes = episodes - (old.status < 4), unplayed = unplayed - (old.status < 3)
        WHERE id = old.podcastID;
      UPDATE podcast SET episodes = episodes + (new.status < 4), unplayed = unplayed + (new.status < 3)
        WHERE id = new.podcastID;
    END;
    UPDATE episode SET catalogueRank = NULL, isBacklog = 1 WHERE \(condition("guid"));
    UPDATE podcast SET
      episodes = (SELECT count(*) FROM episode e WHERE podcastID = podcast.id AND status < 4 AND NOT \(condition("guid"))),
      unplayed = (SELECT count(*) FROM episode e WHERE podcastID = podcast.id AND status < 3 AND NOT \(condition("guid"))),
      lastPubDate =
        (SELECT max(pubDate) FROM episode e WHERE podcastID = podcast.id AND status < 4 AND NOT \(condition("guid")))
      WHERE id IN (SELECT podcastID FROM episode WHERE \(condition("guid")));

    """

  /// The guid of a live item. SQLite uses the index only for exactly this condition. False for NULL.
  static func condition(_ guid: String) -> String { "(substr(\(guid), 1, 13) IS 'earshot:live:')" }
}
