import Foundation
import GRDB
import TemporaryFiles

@testable import Importers

/// A temporary directory with files of another program. SQL makes the program's tables. The directory is deleted when
/// the value is released.
final class ForeignFiles {
  private let place: TemporaryDirectory
  var path: String { place.path + "/source" }
  /// Outside `path`, so that a test can check that nothing is written into `path`.
  var scratch: String { place.path + "/scratch" }

  init() throws {
    place = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Makes a database and returns its path.
  func database(_ name: String, _ sql: String) throws -> String {
    let file = "\(path)/\(name)"
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return file
  }

  func text(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// Names and contents of all files.
  func contents() throws -> [String: Data] {
    var all: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      all[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }
    return all
  }

  var importer: Importer { Importer(scratchDirectory: scratch) }
}

/// The tables of the programs that the importers read, with the types of their columns.
enum Foreign {
  static let castero = """
    PRAGMA user_version = 4;
    CREATE TABLE feed (key text primary key, title text, description text, link text, last_build_date text, copyright text);
    CREATE TABLE episode (id integer primary key, feed_key text, title text, description text, link text, pubdate text,
      copyright text, enclosure text, played bit not null default 0);
    CREATE TABLE queue (id integer primary key, ep_id integer);
    CREATE TABLE progress (ep_id integer primary key, time integer);
    INSERT INTO feed VALUES ('https://a.example/feed', 'A', '', 'https://a.example/', '', ''), ('/home/me/own.xml', 'F', '', '', '', '');
    INSERT INTO episode VALUES
      (1, 'https://a.example/feed', 'One', '', 'https://a.example/1', 'Mon, 02 Nov 2026 08:00:00 GMT', '', 'https://a.example/1.mp3', 1),
      (2, 'https://a.example/feed', 'Two', '', '', 'Tue, 3 Nov 2026 08:00:00 +0000', '', 'https://a.example/2.mp3', 0),
      (3, 'https://a.example/feed', 'Three', '', '', 'nonsense', '', 'https://a.example/3.mp3', 0),
      (4, 'https://a.example/feed', 'Four', '', '', NULL, '', NULL, 0);
    INSERT INTO progress VALUES (2, 93500);
    INSERT INTO queue VALUES (1, 3), (2, 2);
    """

  static let shellcaster = """
    CREATE TABLE podcasts (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL UNIQUE, description TEXT,
      author TEXT, explicit INTEGER, last_checked INTEGER);
    CREATE TABLE episodes (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL,
      guid TEXT, description TEXT, pubdate INTEGER, duration INTEGER, played INTEGER, hidden INTEGER);
    CREATE TABLE files (id INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE);
    CREATE TABLE version (id INTEGER PRIMARY KEY NOT NULL, version TEXT NOT NULL);
    INSERT INTO version VALUES (1, '2.1.0');
    INSERT INTO podcasts VALUES (1, 'A', 'https://a.example/feed', '', '', 0, 0);
    INSERT INTO episodes VALUES
      (1, 1, 'One', 'https://a.example/1.mp3', 'g1', '', 1793606400, 600, 1, 0),
      (2, 1, 'Two', 'https://a.example/2.mp3', 'g2', '', NULL, NULL, 0, 1),
      (3, 1, 'Three', 'https://a.example/3.mp3', 'g3', '', 1793606400, 600, 0, 0);
    """

  static let hullcaster = """
    CREATE TABLE podcasts (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL UNIQUE, description TEXT,
      author TEXT, explicit INTEGER, last_checked INTEGER);
    CREATE TABLE episodes (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL,
      guid TEXT, description TEXT, pubdate INTEGER, duration INTEGER, position INTEGER, played INTEGER);
    CREATE TABLE files (id INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE);
    CREATE TABLE queue (position INTEGER PRIMARY KEY NOT NULL, episode_id INTEGER NOT NULL);
    CREATE TABLE params (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL);
    INSERT INTO podcasts VALUES (7, 'A', 'https://a.example/feed', '', '', 0, 0);
    INSERT INTO episodes VALUES (1, 7, 'One', 'https://a.example/1.mp3', 'g1', '', 1793606400, 600, 93, 0),
      (2, 7, 'Two', 'https://a.example/2.mp3', 'g2', '', 1793606400, 600, 0, 1),
      (3, 7, 'Three', 'https://a.example/3.mp3', '', '', 1793606400, 600, 0, 0);
    INSERT INTO queue VALUES (0, 3), (1, 1);
    """

  static let newsboat = """
    CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL);
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL,
      author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL,
      content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
      enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0);
    INSERT INTO rss_feed VALUES ('https://a.example/feed', 'https://a.example/', 'A'), ('https://n.example/rss', '', 'News');
    INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, enclosure_url, enclosure_type, enqueued, flags, deleted) VALUES
      ('g1', 'One', '', 'https://a.example/1', 'https://a.example/feed', 1793606400, '', 0, 'https://a.example/1.mp3', 'audio/mpeg', 0, 'ab', 0),
      ('g2', 'Two', '', '', 'https://a.example/feed', 0, '', 1, 'https://a.example/2.mp3', 'audio/mpeg', 1, '', 0),
      ('g3', 'Three', '', '', 'https://a.example/feed', 0, '', 1, 'https://a.example/3.mp3', 'audio/mpeg', 1, NULL, 0),
      ('g4', 'Four', '', '', 'https://a.example/feed', 0, '', 1, 'https://a.example/4.mp3', 'audio/mpeg', 0, NULL, 1),
      ('g5', 'Five', '', '', 'https://a.example/feed', 0, '', 1, 'https://a.example/5.mp3', 'audio/mpeg', 1, NULL, 0),
      ('g6', 'Six', '', '', 'https://a.example/feed', 0, '', 1, 'https://a.example/6.mp3', 'audio/mpeg', 0, NULL, 0),
      ('n1', 'Text', '', '', 'https://n.example/rss', 0, '', 0, '', '', 0, NULL, 0);
    """

  static let gPodder = """
    CREATE TABLE podcast (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL DEFAULT '',
      link TEXT NOT NULL DEFAULT '', auth_username TEXT NULL, auth_password TEXT NULL,
      pause_subscription INTEGER NOT NULL DEFAULT 0, section TEXT NOT NULL DEFAULT '');
    CREATE TABLE episode (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '',
      url TEXT NOT NULL, published INTEGER NOT NULL DEFAULT 0, guid TEXT NOT NULL, link TEXT NOT NULL DEFAULT '',
      state INTEGER NOT NULL DEFAULT 0, is_new INTEGER NOT NULL DEFAULT 0, archive INTEGER NOT NULL DEFAULT 0,
      total_time INTEGER NOT NULL DEFAULT 0, current_position INTEGER NOT NULL DEFAULT 0,
      current_position_updated INTEGER NOT NULL DEFAULT 0, last_playback INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE version (version integer);
    INSERT INTO podcast VALUES (1, 'A', 'https://a.example/feed', '', 'me', 'secret', 0, 'Comedy'), (2, 'B', 'https://b.example/feed', '', NULL, NULL, 1, 'audio');
    INSERT INTO episode VALUES
      (1, 1, 'One', 'https://a.example/1.mp3', 1793606400, 'g1', '', 0, 0, 0, 600, 0, 0, 0),
      (2, 1, 'Two', 'https://a.example/2.mp3', 0, 'g2', '', 1, 0, 1, 600, 93, 1793606500, 0),
      (3, 1, 'Three', 'https://a.example/3.mp3', 0, 'g3', '', 0, 0, 0, 600, 595, 1793606500, 0),
      (4, 1, 'Four', 'https://a.example/4.mp3', 0, 'g4', '', 2, 1, 0, 0, 0, 0, 0),
      (5, 2, 'Five', 'https://b.example/5.mp3', 0, 'g5', '', 0, 1, 0, 0, 0, 0, 0);
    """

  static let antennaPod = """
    CREATE TABLE Feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT, download_url TEXT,
      link TEXT, username TEXT, password TEXT, tags TEXT, state INTEGER DEFAULT 0);
    CREATE TABLE FeedItems (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT,
      media INTEGER, feed INTEGER, item_identifier TEXT);
    CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, download_url TEXT, position INTEGER,
      playback_completion_date INTEGER, feeditem INTEGER, played_duration INTEGER, last_played_time INTEGER);
    CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
    CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
    INSERT INTO Feeds VALUES (1, 'A', 'Mine', NULL, 'https://a.example/feed', '', NULL, NULL, '#root' || char(30) || 'Comedy', 0),
      (2, 'Folder', NULL, NULL, 'antennapod_local:content://x', '', NULL, NULL, '', 0),
      (3, 'Seen', NULL, NULL, 'https://c.example/feed', '', NULL, NULL, '', 1);
    INSERT INTO FeedItems VALUES (1, 'One', 1793606400000, 1, '', 1, 1, 'g1'), (2, 'Two', 1793606400000, 0, '', 2, 1, 'g2'),
      (3, 'Three', 0, -1, '', 3, 1, 'g3'), (4, 'Four', 0, 1, '', 0, 1, 'g4'), (5, 'X', 0, 1, '', 0, 3, 'x');
    INSERT INTO FeedMedia VALUES (1, 600000, 'https://a.example/1.mp3', 0, 1793606500000, 1, 0, 1793606500000),
      (2, 600000, 'https://a.example/2.mp3', 93500, 0, 2, 0, 1793606600000), (3, 0, 'https://a.example/3.mp3', 0, 0, 3, 0, 0);
    INSERT INTO Queue VALUES (0, 3, 1), (1, 2, 1);
    INSERT INTO Favorites VALUES (0, 3, 1);
    """

  static let podliner = """
    {"SchemaVersion": 1,
     "Feeds": [{"Id": "11111111-1111-1111-1111-111111111111", "Title": "A", "Url": "https://a.example/feed"},
               {"Id": "22222222-2222-2222-2222-222222222222", "Title": "", "Url": "<feed>"}],
     "Episodes": [
      {"Id": "AAAAAAAA-0000-0000-0000-000000000001", "FeedId": "11111111-1111-1111-1111-111111111111", "AudioUrl": "https://a.example/1.mp3",
       "RssGuid": "g1", "Title": "One", "PubDate": "2026-11-02T08:00:00.1234567+00:00", "DurationMs": 600000,
       "Progress": {"LastPosMs": 93500, "LastPlayedAt": "2026-11-02T08:01:40+00:00"}, "ManuallyMarkedPlayed": false, "Saved": true},
      {"Id": "aaaaaaaa-0000-0000-0000-000000000002", "FeedId": "11111111-1111-1111-1111-111111111111", "AudioUrl": "https://a.example/2.mp3",
       "RssGuid": null, "Title": "Two", "PubDate": null, "DurationMs": 0, "Progress": {"LastPosMs": 0, "LastPlayedAt": null}, "ManuallyMarkedPlayed": true},
      {"Id": "aaaaaaaa-0000-0000-0000-000000000003", "FeedId": "11111111-1111-1111-1111-111111111111", "AudioUrl": "https://a.example/3.mp3", "Title": "Three",
       "DurationMs": 600000, "Progress": {"LastPosMs": 590000}}],
     "Queue": ["aaaaaaaa-0000-0000-0000-000000000001"], "History": []}
    """
}
