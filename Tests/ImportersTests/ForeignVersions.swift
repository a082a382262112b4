/// Databases of other versions of the programs, with the columns of those versions.
enum ForeignVersions {
  /// Newsbeuter 0.x has no columns for enclosures, flags and deleted items.
  static let newsbeuter = """
    CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL);
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL,
      author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL,
      content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL);
    INSERT INTO rss_feed VALUES ('https://a.example/feed', '', 'A'), ('https://b.example/feed', '', 'B');
    INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread)
      VALUES ('g1', 'One', '', '', 'https://a.example/feed', 1, '', 0);
    """

  /// gPodder 2.20, whose file gPodder 3 converts.
  static let gPodder2 = """
    CREATE TABLE channels (id INTEGER PRIMARY KEY, url TEXT, title TEXT, override_title TEXT, link TEXT, description TEXT,
      username TEXT, password TEXT, feed_update_enabled INTEGER);
    CREATE TABLE episodes (id INTEGER PRIMARY KEY, channel_id INTEGER, url TEXT, title TEXT, length INTEGER, mimetype TEXT,
      guid TEXT, link TEXT, pubDate INTEGER, state INTEGER, played INTEGER, locked INTEGER, filename TEXT,
      total_time INTEGER, current_position INTEGER, current_position_updated INTEGER);
    INSERT INTO channels VALUES (1, 'https://a.example/feed', 'A', 'Mine', '', '', 'me', 'secret', 1);
    INSERT INTO episodes VALUES
      (1, 1, 'https://a.example/1.mp3', 'One', 0, '', 'g1', '', 1793606400, 0, 1, 0, NULL, 600, 0, 0),
      (2, 1, 'https://a.example/2.mp3', 'Two', 0, '', 'g2', '', 1793606400, 1, 0, 1, NULL, 600, 93, 1793606500),
      (3, 1, 'https://a.example/3.mp3', 'Three', 0, '', 'g3', '', 1793606400, 0, 0, 0, NULL, 600, 0, 0);
    """

  /// AntennaPod 0.9.6: the row of an episode refers to its file, and there is no time of the last playback.
  static let oldAntennaPod = """
    CREATE TABLE Feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, file_url TEXT, download_url TEXT, link TEXT);
    CREATE TABLE FeedItems (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT,
      media INTEGER, feed INTEGER);
    CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, file_url TEXT, download_url TEXT,
      downloaded INTEGER, position INTEGER, filesize INTEGER, mime_type TEXT);
    CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
    INSERT INTO Feeds VALUES (1, 'A', NULL, 'https://a.example/feed', '');
    INSERT INTO FeedItems VALUES (1, 'One', 1793606400000, 1, '', 8, 1), (2, 'Two', 1793606400000, 0, '', 9, 1);
    INSERT INTO FeedMedia VALUES (8, 600000, NULL, 'https://a.example/1.mp3', 0, 0, 0, ''),
      (9, 600000, NULL, 'https://a.example/2.mp3', 0, 93500, 0, '');
    INSERT INTO Queue VALUES (0, 2, 1);
    """

  /// shellcaster 1.0 has no guids.
  static let oldShellcaster = """
    CREATE TABLE podcasts (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL UNIQUE);
    CREATE TABLE episodes (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL,
      description TEXT, pubdate INTEGER, duration INTEGER, played INTEGER, hidden INTEGER);
    CREATE TABLE files (id INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE);
    INSERT INTO podcasts VALUES (1, 'A', 'https://a.example/feed');
    INSERT INTO episodes VALUES (1, 1, 'One', 'https://a.example/1.mp3', '', 1793606400, 600, 1, 0);
    """
}
