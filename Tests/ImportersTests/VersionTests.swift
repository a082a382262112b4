import Foundation
import Model
import Testing

@testable import Importers

/// Files of older and newer versions than those in `ImporterTests`.
@Suite struct VersionTests {
  private let files: ForeignFiles

  init() throws { files = try ForeignFiles() }

  private func read(_ name: String, _ sql: String) throws -> ForeignLibrary {
    try #require(try files.importer.read(try files.database(name, sql)))
  }

  @Test func newsbeuterWithoutEnclosuresIsRead() throws {
    let library = try read("cache.db", ForeignVersions.newsbeuter)
    // Without enclosures a podcast cannot be recognized. A feed that was never fetched may be a podcast.
    #expect(library.podcasts.map(\.feedURL) == ["https://b.example/feed"])
    #expect(library.notes.contains("1 feed has no audio or video and was left out."))
  }

  @Test func newsboatFiltersAreRemoved() throws {
    _ = try files.text(
      "urls",
      """
      "filter:~/bin/clean --all:https://a.example/feed" comedy
      exec:~/bin/make-feed
      """)
    let library = try read(
      "cache.db",
      Foreign.newsboat + """
        UPDATE rss_feed SET rssurl = 'filter:~/bin/clean --all:' || rssurl;
        UPDATE rss_item SET feedurl = 'filter:~/bin/clean --all:' || feedurl;
        """)
    #expect(library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(library.podcasts.first?.title == "A" && library.podcasts.first?.tags == ["comedy"])
    #expect(library.podcasts.first?.episodes.isEmpty == false)
    #expect(library.notes.contains("1 feed is fetched without the program that filtered it."))
    #expect(library.notes.contains("1 entry of urls (queries, programs) is not a feed."))
  }

  @Test func gPodder2LibraryIsRead() throws {
    let library = try read("database.sqlite", ForeignVersions.gPodder2)
    let podcast = try #require(library.podcasts.first)
    #expect(library.program == "gPodder" && podcast.title == "Mine" && podcast.user == "me")
    #expect(podcast.episodes.map(\.title) == ["One", "Two"])
    #expect(podcast.episodes.map(\.status) == [.played, .paused])
    #expect(podcast.episodes.last?.position == 93 && podcast.episodes.last?.tags == ["archive"])
  }

  @Test func antennaPodWithoutPlaybackTimesIsRead() throws {
    let episodes = try #require(try read("export.db", ForeignVersions.oldAntennaPod).podcasts.first).episodes
    #expect(episodes.map(\.mediaURL) == ["https://a.example/1.mp3", "https://a.example/2.mp3"])
    #expect(episodes.map(\.status) == [.played, .paused] && episodes.map(\.updated) == [nil, nil])
    #expect(episodes.last?.position == 93.5 && episodes.last?.queuePosition == 0)
  }

  @Test func antennaPodArchiveBecomesSubscriptions() throws {
    let library = try read("export.db", Foreign.antennaPod + "UPDATE Feeds SET state = 2 WHERE id = 1;")
    #expect(library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(library.notes.contains("1 archived podcast becomes a normal subscription."))
  }

  @Test func shellcasterWithoutGuidsIsRead() throws {
    let episode = try #require(try read("data.db", ForeignVersions.oldShellcaster).podcasts.first?.episodes.first)
    #expect(episode.guid == nil && episode.status == .played && episode.duration == 600)
  }

  /// Unknown columns and tables, before and after the known ones.
  @Test(arguments: [
    ("castero.db", Foreign.castero, "episode"), ("data.db", Foreign.hullcaster, "episodes"),
    ("cache.db", Foreign.newsboat, "rss_item"), ("Database", Foreign.gPodder, "episode"),
    ("Antennapod.db", Foreign.antennaPod, "FeedMedia"),
  ])
  func databaseOfANewerVersionIsRead(name: String, sql: String, table: String) throws {
    let known = try read(name, sql)
    try FileManager.default.removeItem(atPath: "\(files.path)/\(name)")
    let newer = try read(
      name, "CREATE TABLE future (x);" + sql + "ALTER TABLE \(table) ADD COLUMN future TEXT DEFAULT 'x';")
    #expect(newer == known && !known.podcasts.isEmpty)
  }

  /// The stamp shows that the file was changed during the copy.
  @Test func fileStampChangesWhenTheFileIsWritten() throws {
    let path = try files.text("castero.db", "a")
    let before = FileStamp.all(of: path)
    #expect(FileStamp.all(of: path) == before)
    _ = try files.text("castero.db-wal", "b")
    #expect(FileStamp.all(of: path) != before)
  }
}
