import Foundation
import GRDB
import Model
import Testing

@testable import Importers

/// The data that is read from the files of other programs.
@Suite struct ImporterTests {
  private let files: ForeignFiles
  private let published = Date(timeIntervalSince1970: 1_793_606_400)
  private let lastPlayed = Date(timeIntervalSince1970: 1_793_606_500)

  init() throws { files = try ForeignFiles() }

  private func read(_ path: String) throws -> ForeignLibrary { try #require(try files.importer.read(path)) }

  private func episode(_ title: String, in library: ForeignLibrary) -> ForeignEpisode? {
    library.podcasts.flatMap(\.episodes).first { $0.title == title }
  }

  @Test func casteroLibraryIsRead() throws {
    let library = try read(try files.database("castero.db", Foreign.castero))
    #expect(library.program == "castero" && library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(library.notes == ["1 feed in a local file was left out."])
    #expect(library.podcasts.first?.episodes.map(\.title) == ["One", "Two", "Three"])
    #expect(
      episode("One", in: library)
        == ForeignEpisode(
          title: "One", mediaURL: "https://a.example/1.mp3", link: "https://a.example/1", pubDate: published,
          status: .played))
    #expect(episode("Two", in: library)?.position == 93.5 && episode("Two", in: library)?.status == .paused)
    #expect(episode("Two", in: library)?.queuePosition == 2 && episode("Three", in: library)?.queuePosition == 1)
    #expect(episode("Three", in: library)?.pubDate == nil)
  }

  @Test func casteroOfVersion1IsRead() throws {
    let path = try files.database(
      "castero.db",
      """
      CREATE TABLE feed (key text primary key, title text, link text);
      CREATE TABLE episode (id integer primary key, feed_key text, title text, link text, pubdate text, enclosure text);
      INSERT INTO feed VALUES ('https://a.example/feed', 'A', '');
      INSERT INTO episode VALUES (1, 'https://a.example/feed', 'One', '', '', 'https://a.example/1.mp3');
      """)
    #expect(try read(path).podcasts == [ForeignPodcast(feedURL: "https://a.example/feed", title: "A")])
  }

  @Test func shellcasterLibraryIsRead() throws {
    let library = try read(try files.database("data.db", Foreign.shellcaster))
    #expect(library.program == "shellcaster" && library.podcasts.first?.episodes.count == 2)
    #expect(
      episode("One", in: library)
        == ForeignEpisode(
          title: "One", guid: "g1", mediaURL: "https://a.example/1.mp3", pubDate: published, duration: 600,
          status: .played))
    #expect(episode("Two", in: library)?.status == .deleted)
  }

  @Test func hullcasterLibraryIsRead() throws {
    let library = try read(try files.database("data.db", Foreign.hullcaster))
    #expect(library.program == "hullcaster")
    #expect(episode("One", in: library)?.position == 93 && episode("One", in: library)?.queuePosition == 1)
    #expect(episode("Two", in: library)?.status == .played)
    #expect(episode("Three", in: library)?.queuePosition == 0 && episode("Three", in: library)?.guid == nil)
  }

  @Test func newsboatLibraryIsRead() throws {
    let path = try files.database("cache.db", Foreign.newsboat)
    _ = try files.text(
      "urls",
      """
      # a comment
      https://a.example/feed comedy "two words" "~Another title" !
      https://n.example/rss
      "query:Unread:unread = \\"yes\\""
      https://never.example/fetched "~Not yet"
      """)
    _ = try files.text(
      "queue",
      """
      https://a.example/3.mp3 "/home/me/3.mp3" downloaded
      https://a.example/2.mp3 "/home/me/2.mp3"
      https://a.example/6.mp3 "/home/me/6.mp3" finished
      """)
    let library = try read(path)
    #expect(
      library.podcasts.map(\.feedURL) == ["https://a.example/feed", "https://never.example/fetched"])
    #expect(library.podcasts.first?.title == "Another title" && library.podcasts.last?.title == "Not yet")
    #expect(library.podcasts.first?.tags == ["comedy", "two words"])
    #expect(episode("One", in: library)?.status == .played && episode("One", in: library)?.pubDate == published)
    #expect(episode("Four", in: library)?.status == .deleted && episode("Six", in: library)?.status == .played)
    let queue = library.podcasts.flatMap(\.episodes).filter { $0.queuePosition != nil }
    #expect(
      queue.sorted { $0.queuePosition ?? 0 < $1.queuePosition ?? 0 }.map(\.title) == ["Three", "Two", "Five"])
    #expect(library.notes.contains("1 feed has no audio or video and was left out."))
    #expect(library.notes.contains("1 entry of urls (queries, programs) is not a feed."))
    #expect(library.notes.contains("Flags of 1 article have no counterpart here."))
  }

  /// newsboat's `urls` without its cache, or any list of addresses.
  @Test func listOfAddressesIsRead() throws {
    let list = """
      # a comment

      https://a.example/feed comedy "two words" "~Another title" !
      feed://b.example/rss
      "query:Unread:unread = \\"yes\\""
      filter:~/bin/clean:https://c.example/rss
      no address
      https://a.example/feed
      """
    let library = try #require(AddressListImport.read(Data(list.utf8)))
    #expect(
      library.podcasts.map(\.feedURL)
        == ["https://a.example/feed", "feed://b.example/rss", "https://c.example/rss", "no"])
    #expect(
      library.podcasts.first?.title == "Another title" && library.podcasts.first?.tags == ["comedy", "two words"])
    #expect(library.notes == ["1 line (a query or a program) is not a feed."])
    // Windows writes a byte order mark.
    #expect(AddressListImport.read(Data("\u{FEFF}\(list)".utf8)) != nil)
    #expect(AddressListImport.read(Data("\u{FEFF}https://a.example/feed".utf8))?.podcasts.count == 1)
    for text in ["", "# only a comment", "<opml/>", "Some text\nhttps://a.example/feed", "{}"] {
      #expect(AddressListImport.read(Data(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func newsboatWithoutItsFiles() throws {
    let library = try read(try files.database("cache.db", Foreign.newsboat))
    #expect(library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(library.notes.contains { $0.hasPrefix("No file “urls”") })
  }

  @Test func gPodderLibraryIsRead() throws {
    let library = try read(try files.database("Database", Foreign.gPodder))
    let podcast = try #require(library.podcasts.first)
    #expect(podcast.user == "me" && podcast.password == "secret" && podcast.tags == ["Comedy"])
    #expect(podcast.episodes.map(\.status) == [.played, .paused, .played, .played])
    #expect(episode("Two", in: library)?.position == 93 && episode("Two", in: library)?.updated == lastPlayed)
    #expect(episode("Two", in: library)?.tags == ["archive"])
    #expect(library.podcasts.last?.episodes.isEmpty == true && library.podcasts.last?.tags == [])
    #expect(
      library.notes == [
        "1 paused subscription becomes a normal one.", "1 downloaded file stays with gPodder.", "gPodder has no queue.",
      ])
  }

  @Test func antennaPodLibraryIsRead() throws {
    let library = try read(try files.database("AntennaPodBackup.db", Foreign.antennaPod))
    #expect(library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(library.podcasts.first?.title == "Mine" && library.podcasts.first?.tags == ["Comedy"])
    #expect(
      episode("One", in: library)
        == ForeignEpisode(
          title: "One", guid: "g1", mediaURL: "https://a.example/1.mp3", pubDate: published, duration: 600,
          status: .played, updated: lastPlayed))
    #expect(episode("Two", in: library)?.position == 93.5 && episode("Two", in: library)?.queuePosition == 1)
    #expect(episode("Three", in: library)?.tags == ["favorite"] && episode("Three", in: library)?.queuePosition == 0)
    #expect(episode("Four", in: library)?.status == .played && episode("X", in: library) == nil)
    #expect(library.notes.count == 2)
    #expect(library.folders == [ForeignFolder(name: "Folder", title: "Folder")])
  }

  @Test func antennaPodFoldersAreRead() throws {
    let folder = "antennapod_local:content://com.android.externalstorage.documents/tree/primary%3APodcasts%2FMy%20books"
    let library = try read(
      try files.database(
        "AntennaPodBackup.db",
        Foreign.antennaPod
          + """
          UPDATE Feeds SET download_url = '\(folder)' WHERE id = 2;
          UPDATE FeedItems SET feed = 2, link = 'Part 1.mp3' WHERE id = 2;
          """))
    let found = try #require(library.folders.first)
    #expect(library.folders.count == 1 && found.name == "Podcasts/My books" && found.title == "Folder")
    #expect(found.paths == ["/storage/emulated/0/Podcasts/My books", "~/Podcasts/My books"])
    #expect(found.files["Part 1.mp3"]?.position == 93.5)
  }

  /// A path that leads elsewhere is none.
  @Test(arguments: ["primary%3A..%2F..%2Fetc", "raw%3Aetc", "nothing", ""])
  func strangeFoldersHaveNoPath(_ tree: String) throws {
    let folder = "antennapod_local:content://x/tree/" + tree
    let library = try read(
      try files.database(
        "AntennaPodBackup.db", Foreign.antennaPod + "UPDATE Feeds SET download_url = '\(folder)' WHERE id = 2;"))
    #expect(library.folders.map(\.paths) == [[]])
  }

  @Test func podlinerLibraryIsRead() throws {
    let library = try read(try files.text("library.json", Foreign.podliner))
    #expect(library.program == "podliner" && library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    #expect(
      episode("One", in: library)
        == ForeignEpisode(
          title: "One", guid: "g1", mediaURL: "https://a.example/1.mp3", pubDate: published, duration: 600,
          status: .paused, position: 93.5, updated: lastPlayed, queuePosition: 0, tags: ["saved"]))
    #expect(episode("Two", in: library)?.status == .played && episode("Three", in: library)?.status == .played)
  }

  @Test func badValuesOfAPodlinerLibraryAreLeftOut() throws {
    let file = """
      {"Feeds": [{"Id": "f", "Title": 5, "Url": "https://a.example/feed"}, 7],
       "Episodes": [null, {"Id": "a", "FeedId": "f", "Title": "One", "RssGuid": "g", "DurationMs": "long",
                     "Saved": 1, "Progress": {"LastPosMs": 5000, "LastPlayedAt": []}}, {"Id": {}, "FeedId": "f", "Title": "Two", "RssGuid": "h", "ManuallyMarkedPlayed": true}],
       "Queue": [{}, "a"]}
      """
    let library = try read(try files.text("library.json", file))
    #expect(library.podcasts.map(\.feedURL) == ["https://a.example/feed"])
    let expected = ForeignEpisode(title: "One", guid: "g", status: .paused, position: 5, queuePosition: 0)
    #expect(episode("One", in: library) == expected)
    #expect(episode("Two", in: library)?.status == .played)
    let queueless = try read(try files.text("library.json", file.replacing(#"[{}, "a"]"#, with: "{}")))
    #expect(episode("One", in: queueless)?.position == 5 && episode("One", in: queueless)?.queuePosition == nil)
  }

  // MARK: The source file

  @Test(arguments: ["castero.db", "data.db", "cache.db", "Database"])
  func directoryOfAProgramIsAcceptedAndUnchanged(name: String) throws {
    let tables = [
      "castero.db": Foreign.castero, "data.db": Foreign.hullcaster, "cache.db": Foreign.newsboat,
      "Database": Foreign.gPodder,
    ]
    let sql = try #require(tables[name])
    _ = try files.database(name, sql)
    let before = try files.contents()
    #expect(try read(files.path).podcasts.isEmpty == false)
    #expect(try files.contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.scratch) == [])
  }

  /// The other program is running, and its latest changes are only in its write-ahead log.
  @Test func writeAheadLogIsRead() throws {
    let path = try files.database("castero.db", "PRAGMA journal_mode = WAL;" + Foreign.castero)
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; UPDATE episode SET played = 1 WHERE id = 3")
    }
    let before = try files.contents()
    #expect(before["castero.db-wal"]?.isEmpty == false)
    #expect(episode("Three", in: try read(path))?.status == .played)
    #expect(try files.contents() == before)
    try other.close()
  }

  @Test func readOnlyFileIsRead() throws {
    let path = try files.database("castero.db", Foreign.castero)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    #expect(try read(path).podcasts.count == 1)
  }

  // MARK: Files that are not a library

  /// The file is not the problem, so it is not called unreadable.
  @Test func placeOfCopiesThatCannotBeWrittenIsNamed() throws {
    let path = try files.database("castero.db", Foreign.castero)
    for directory in ["/proc/earshot-test", path] {
      let error = #expect(throws: ImportError.self) { try Importer(scratchDirectory: directory).read(path) }
      guard case .noCopy(directory, let why) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(!why.isEmpty)
    }
  }

  private func problem(_ path: String) -> ImportError? {
    do throws(ImportError) {
      _ = try files.importer.read(path)
      return nil
    } catch { return error }
  }

  @Test func otherFilesAreRefused() throws {
    #expect(problem(files.path + "/absent")?.description.hasSuffix("No such file or directory") == true)
    #expect(problem(files.path)?.description.contains("holds none of") == true)
    let other = try files.database("other.db", "CREATE TABLE recipes (id); CREATE TABLE feed (key)")
    #expect(problem(other)?.description.contains("a database of another program") == true)
    #expect(problem(try files.text("a.json", "{\"name\": 1}"))?.description.contains("JSON of another program") == true)
    let lists = try files.text("b.json", "{\"Feeds\": 1, \"Episodes\": {}}")
    #expect(problem(lists)?.description.contains("JSON of another program") == true)
    #expect(problem(try files.text("c.json", "{\"Feeds\": ["))?.description.contains("invalid data") == true)
    // The result is nil, because the caller reads OPML.
    #expect(try files.importer.read(try files.text("a.opml", "<opml/>")) == nil)
    #expect(problem(try files.text("cache.db", ""))?.description.contains("an empty file") == true)
    let own = try files.database(
      "earshot.db", "CREATE TABLE podcast (id); CREATE TABLE episode (id); CREATE TABLE searchDocument (id)")
    #expect(problem(own)?.description.contains("earshot restore") == true)
  }

  /// Any damage is an error or less data, never a crash.
  @Test func damagedDatabasesDoNotCrash() throws {
    let path = try files.database("castero.db", Foreign.castero)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var state: UInt64 = 5
    for round in 0..<60 {
      var bytes = whole
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[100 + Int(state >> 33) % (bytes.count - 100)] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if round % 3 == 0 { bytes = bytes.prefix(Int(state >> 33) % bytes.count) }
      let file = "\(files.path)/damaged.db"
      try bytes.write(to: URL(fileURLWithPath: file))
      _ = problem(file)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.scratch) == [])
  }

  /// Such a file of a few kilobytes could keep the import busy for minutes and take gigabytes.
  @Test(arguments: [
    "ALTER TABLE episode ADD COLUMN more GENERATED ALWAYS AS (hex(zeroblob(400000000)))",
    "CREATE VIRTUAL TABLE more USING fts5(a)", "UPDATE feed SET title = zeroblob(20000000)",
  ])
  func endlessValuesAreRefused(change: String) throws {
    let path = try files.database("castero.db", Foreign.castero + change)
    #expect(throws: ImportError.self) { try files.importer.read(path) }
  }

  /// Columns have values of another type than the program writes.
  @Test func invalidColumnValuesAreIgnored() throws {
    let path = try files.database(
      "data.db",
      Foreign.hullcaster + """
        UPDATE episodes SET position = 'far', duration = 1e300, pubdate = x'00ff', guid = 7 WHERE id = 1;
        INSERT INTO episodes VALUES (9, 7, x'fffe', 'https://a.example/9.mp3', NULL, NULL, 'x', -9e999, 9e999, 0);
        """)
    let one = try #require(episode("One", in: try read(path)))
    #expect(one.position == 0 && one.duration == nil && one.guid == "7" && one.pubDate == nil)
  }

  @Test(arguments: [
    ("Mon, 02 Nov 2026 08:00:00 GMT", 1_793_606_400.0), ("2 Nov 2026 09:30:00 +0130", 1_793_606_400),
    ("Fri, 02 Nov 2026 08:00 -0000", 1_793_606_400), ("yesterday", nil), ("", nil),
  ])
  func casteroDatesAreParsed(text: String, seconds: Double?) {
    #expect(MailDates().read(text)?.timeIntervalSince1970 == seconds)
  }

  @Test func newsboatLinesAreSplitIntoWords() {
    #expect(NewsboatFiles.words(#"a "b c" "d \"e\"" f\ g "" "#) == ["a", "b c", "d \"e\"", "f g", ""])
    #expect(NewsboatFiles.words("   ") == [] && NewsboatFiles.words("\"open") == ["open"])
  }
}
