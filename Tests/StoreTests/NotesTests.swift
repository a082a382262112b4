import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Show notes are stored compressed, which readers do not notice.
@Suite struct NotesTests {
  private static let words = [
    "bread", "harbour", "signal", "evening", "zürich", "理論", "garden", "letter", "winter", "painting", "theatre",
  ]

  /// Notes of some hundred bytes, different for each number.
  private static func notes(_ number: Int) -> String {
    let text = (0..<60).map { words[(number &* 31 &+ $0 &* ($0 &+ number)) % words.count] }.joined(separator: " ")
    return "<p>Sponsored by \(number). \(text)</p><a href=\"https://example.org/\(number)\">more</a>"
  }

  private static func episodes(_ numbers: Range<Int>) -> [FeedEpisode] {
    numbers.map { number in
      var episode = Samples.episode(number)
      episode.contentHTML = notes(number)
      episode.summary = number % 2 == 0 ? "short" : notes(number + 1)
      return episode
    }
  }

  /// Expects that every episode has the notes of its feed.
  private func expectNotes(_ library: Library, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for podcast in try library.podcasts() {
      for id in try library.episodeIDs(EpisodeQuery(.podcast(podcast.id))) {
        let feed = try #require(try library.episode(id)).feed
        let number = try #require(feed.guid.flatMap { Int($0.dropFirst("guid-".count)) })
        let expected = try #require(Self.episodes(number..<number + 1).first)
        #expect(feed.contentHTML == expected.contentHTML, sourceLocation: sourceLocation)
        #expect(feed.summary == expected.summary, sourceLocation: sourceLocation)
      }
    }
  }

  private func count(_ library: Library, _ condition: String) throws -> Int {
    try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM episodeContent WHERE \(condition)") ?? 0 }
  }

  @Test func longNotesArePackedAndShortOnesAreNot() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Self.episodes(0..<10))
    #expect(try count(box.library, "typeof(contentHTML) = 'blob' AND length(contentHTML) < 400") == 10)
    #expect(try count(box.library, "typeof(summary) = 'text' AND summary = 'short'") == 5)
    try expectNotes(box.library)
    let withWord = Self.episodes(0..<10).count { $0.contentHTML?.contains("理論") == true }
    #expect(withWord > 0)
    #expect(try box.library.search("理論").count == withWord)
    #expect(try box.library.search("harbour").first?.match.snippet.contains("harbour") == true)
    let filter = try EpisodeFilter(parsing: "has:notes")
    #expect(try box.library.episodeIDs(EpisodeQuery(.matching(filter))).count == 10)
    // Applying the same feed again changes nothing.
    let same = Samples.feed(Self.episodes(0..<10))
    let again = try box.library.apply(feed: same, to: podcast, now: Samples.later(9))
    #expect(again.updated == 0 && again.new.isEmpty)
    var changed = Self.episodes(0..<10)
    changed[3].contentHTML = Self.notes(3) + "changed"
    let other = try box.library.apply(feed: Samples.feed(changed), to: podcast, now: Samples.later(9))
    #expect(other.updated == 1)
    #expect(try count(box.library, "plain(contentHTML) LIKE '%changed' AND typeof(contentHTML) = 'blob'") == 1)
    #expect(try box.library.integrityCheck() == [])
  }

  /// A library of 400 episodes. An earlier version has compressed the last 100 with a dictionary.
  private func older() throws -> TemporaryLibrary {
    let box = try TemporaryLibrary()
    try box.subscribe(Self.episodes(0..<300), url: "https://example.org/1")
    try box.subscribe(Self.episodes(300..<400), url: "https://example.org/2")
    try OlderNotes.pack(in: box.library, after: 300)
    return box
  }

  @Test func notesOfADictionaryAreRead() throws {
    let box = try older()
    #expect(try box.value(Int.self, "SELECT count(*) FROM notesDictionary") == 1)
    try expectNotes(box.library)
    try box.reopen()
    try expectNotes(box.library)
    #expect(try box.library.integrityCheck() == [])
  }

  @Test func missingDictionaryHidesOnlyTheNotes() throws {
    let box = try older()
    try box.library.write { try $0.execute(sql: "DELETE FROM notesDictionary") }
    try box.reopen()
    #expect(try box.library.integrityCheck() == ["the notes of 100 episodes cannot be read"])
    let id = try #require(try box.library.episodeIDs(EpisodeQuery(.podcast(PodcastID(2)))).first)
    #expect(try box.library.episode(id)?.feed.contentHTML == nil)
    #expect(try box.library.episode(id)?.row.title == "Episode 399")
  }

  @Test(arguments: [
    "", "00", "28B52FFD", "28B52FFD00", "28B52FFDE0FFFFFFFFFFFFFF7F00", "28B52FFD2000010000",
    "FFFFFFFFFFFFFFFFFFFFFFFF",
  ])
  func invalidFramesGiveNoText(hex: String) throws {
    let box = try TemporaryLibrary()
    #expect(try box.value(Bool.self, "SELECT coalesce(plain(x'\(hex)'), '') = ''") == true)
    #expect(try box.value(String.self, "SELECT plain('as it is')") == "as it is")
    #expect(try box.value(Bool.self, "SELECT plain(NULL) IS NULL AND plain(5) = 5") == true)
  }

  /// An older library has its notes as plain text. They are compressed in steps, and each intermediate state is
  /// valid.
  @Test func oldNotesArePackedPieceByPiece() throws {
    let box = try TemporaryLibrary()
    let path = box.directory + "/old.db"
    let old = try Library(path: path)
    _ = try old.subscribe(
      feed: Samples.feed(Self.episodes(0..<1300)), feedURL: "https://example.org/", now: Samples.now)
    // The state that migration v11 leaves: MigrationTests runs it on a library of v10.
    try old.write { db in
      try db.execute(
        sql: """
          UPDATE episodeContent SET summary = plain(summary), contentHTML = plain(contentHTML);
          DELETE FROM notesDictionary;
          INSERT INTO meta (key, value) SELECT 'notesToPack', max(episodeID) FROM episodeContent;
          """)
    }
    try old.close()

    var library = try Library(path: path)
    #expect(try count(library, "typeof(contentHTML) = 'blob'") == 0)
    try expectNotes(library)
    #expect(try library.packNotes())
    #expect(try count(library, "typeof(contentHTML) = 'blob'") == 200)
    try library.close()
    // The process was killed between two steps: the next start continues.
    library = try Library(path: path)
    try expectNotes(library)
    try library.maintain()
    #expect(try count(library, "typeof(contentHTML) <> 'blob'") == 0)
    #expect(try library.packNotes() == false)
    let pages = try library.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    try library.compactIfDue()
    let fewer = try library.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    #expect(fewer < pages)
    #expect(
      try library.read { try String.fetchOne($0, sql: "SELECT value FROM meta WHERE key = 'compactionDue'") } == nil)
    try expectNotes(library)
    #expect(try library.integrityCheck() == [])
  }

  @Test func restoreMergesTheNotesOfBothLibraries() throws {
    let box = try older()
    let touched = try box.library.episodeIDs(EpisodeQuery(.podcast(PodcastID(2)))).prefix(3)
    try box.library.setStatus(Array(touched), .played, now: Samples.now)
    let backup = try box.library.backUp(now: Samples.now)
    let copy = box.directory + "/copy.db"
    try FileManager.default.copyItem(atPath: backup.path, toPath: copy)
    #expect(try Library(path: copy).episode(touched[0])?.feed.contentHTML != nil, "the dictionary is in the backup")
    try box.library.close()
    try Library.restore(backup.path, to: box.path, now: Samples.now)
    let restored = try Library(path: box.path)
    try expectNotes(restored)
    #expect(try restored.integrityCheck() == [])
  }
}
