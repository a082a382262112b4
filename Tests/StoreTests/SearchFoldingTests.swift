import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Words as people type them find titles with special letters, in the index, in snippets and in filters.
@Suite struct SearchFoldingTests {
  private static let titles = [
    "Eeler’s Choice", "Don't stop", "żółć i kawa", "Мой ёжик", "Lange Straße", "L'Œuvre complète", "Smørrebrød",
    "ﬁnal oﬀer", "Ｆｕｌｌ width", "İstanbul ve Diyarbakır", "Đorđe i Þór", "Rock ’n’ Roll", "п’ять хвилин", "Hawaiʻi",
    "Earshot™ ½",
  ]

  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    var episodes = Samples.episodes(1...Self.titles.count)
    for index in episodes.indices { episodes[index].title = Self.titles[index] }
    podcast = try box.subscribe(episodes)
  }

  private func found(_ words: String) throws -> [String] { try library.search(words).map(\.row.title) }

  static let words: [(String, String)] = [
    ("eelers choice", "Eeler’s Choice"), ("eeler choice", "Eeler’s Choice"), ("eeler's choice", "Eeler’s Choice"),
    ("\"eeler’s choice\"", "Eeler’s Choice"), ("dont stop", "Don't stop"), ("don’t stop", "Don't stop"),
    ("zolc", "żółć i kawa"), ("ŻÓŁĆ", "żółć i kawa"), ("ежик", "Мой ёжик"), ("ЁЖИК мой", "Мой ёжик"),
    ("strasse", "Lange Straße"), ("STRASSE lange", "Lange Straße"), ("straße", "Lange Straße"),
    ("oeuvre complete", "L'Œuvre complète"), ("l'oeuvre", "L'Œuvre complète"), ("loeuvre", "L'Œuvre complète"),
    ("smorrebrod", "Smørrebrød"), ("SMØRREBRØD", "Smørrebrød"), ("final offer", "ﬁnal oﬀer"),
    ("full", "Ｆｕｌｌ width"), ("istanbul diyarbakir", "İstanbul ve Diyarbakır"), ("dorde thor", "Đorđe i Þór"),
    ("rock'n'roll", "Rock ’n’ Roll"), ("rock n roll", "Rock ’n’ Roll"), ("пять", "п’ять хвилин"),
    ("п'ять", "п’ять хвилин"), ("hawaii", "Hawaiʻi"), ("earshot", "Earshot™ ½"), ("earshot 4", ""),
  ]

  @Test(arguments: words) func typedWordsFindTheTitle(words: String, title: String) throws {
    #expect(try found(words) == (title.isEmpty ? [] : [title]))
  }

  @Test(arguments: [
    ("smørrebrød", "Smørrebrød"), ("STRASSE", "Lange Straße"), ("dont", "Don't stop"), ("oeuvre", "L'Œuvre complète"),
    ("don’t", "Don't stop"), ("ﬁnal", "ﬁnal oﬀer"),
  ])
  func filterFoldsLikeTheSearch(words: String, title: String) throws {
    var query = EpisodeQuery(.podcast(podcast))
    query.titleContains = words
    let ids = try library.episodeIDs(query)
    #expect(try library.episodeRows(ids).map(\.title) == [title])
  }

  @Test(arguments: [
    ("dont", "so I Don’t know", 5), ("strasse", "die Straße", 4), ("oeuvre", "c'est l’œuvre", 8), ("ß", "Gasse", 2),
    ("smor", "ein Smørrebrød", 4), ("ежик", "мой ёжик", 4), ("it's", "and its name", 4),
  ])
  func wordIsFoundInATextAsItWasWritten(word: String, text: String, offset: Int) throws {
    let place = try #require(WordFinder(word).first(in: text))
    #expect(text.distance(from: text.startIndex, to: place) == offset)
  }

  @Test func foldedTextsAreEqual() {
    for (one, other) in [
      ("ＡＢＣ", "abc"), ("\u{304B}\u{3099}", "が"), ("e\u{301}té", "ete"), ("ΣΊΣΥΦΟΣ", "σισυφος"),
      ("Daten\u{AD}schutz\u{200B}", "datenschutz"),
    ] {
      #expect(TextFolding.fold(one) == TextFolding.fold(other), "\(one)")
    }
    #expect(TextFolding.fold("が") != TextFolding.fold("か") && TextFolding.fold("हिन्दी") == "हिन्दी")
    #expect(TextFolding.fold("flow 流動") == "flow 流動")
  }

  /// A library from before: its keys and its index were made by another rule.
  @Test func olderLibraryIsIndexedAgain() throws {
    try library.write { db in
      try db.execute(
        sql: """
          UPDATE episode SET titleKey = lower(title);
          INSERT INTO search (search) VALUES ('delete-all');
          UPDATE episodeContent SET textHash = 1;
          """)
      try SchemaFolding.migrate(db)
    }
    #expect(try library.pendingCount() == Self.titles.count)
    #expect(try found("smorrebrod") == ["Smørrebrød"])
    #expect(try library.pendingCount() == 0)
    var query = EpisodeQuery(.podcast(podcast))
    query.titleContains = "strasse"
    #expect(try library.episodeIDs(query).count == 1)
  }

  @Test func titleWithASoftHyphenIsFoundAfterTheMigration() throws {
    _ = try library.indexPending()
    try library.write { db in
      try db.execute(sql: "UPDATE episode SET title = ?, titleKey = 'x' WHERE id = 1", arguments: ["Daten\u{AD}schutz"])
      try SchemaFolding.migrateInvisible(db)
    }
    #expect(try library.pendingCount() == 1)
    #expect(try found("datenschutz") == ["Daten\u{AD}schutz"])
    var query = EpisodeQuery(.podcast(podcast))
    query.titleContains = "Datenschutz"
    #expect(try library.episodeIDs(query).count == 1)
  }

  @Test func unchangedTextsAreNotIndexedAgain() throws {
    _ = try library.indexPending()
    let before = try library.deadDocumentCount()
    try library.write { db in try SchemaFolding.migrate(db) }
    try library.indexAllPending()
    #expect(try library.deadDocumentCount() == before)
  }
}
