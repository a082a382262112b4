import Foundation
import GRDB
import Model
import Synchronization
import Testing

@testable import Store

@Suite struct SearchTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  /// Newest first: 4 has chapters and a transcript, 3 is Chinese and Japanese, 2 French and Korean, 1 English.
  init() throws {
    box = try TemporaryLibrary(notes: NotesReader(plainText: { html in html.replacing(/<[^>]*>/, with: " ") }))
    var episodes = Samples.episodes(1...4)
    episodes[1].title = "Ep. 135 流動的資金盛宴"
    episodes[1].contentHTML = "<p>現代金融理論加上現代科技，解放資本。<b>今日は音楽の歴史</b></p>"
    episodes[2].contentHTML = "<p>L'école des <b>garçons</b> naïfs. 한국어를 배우다</p>"
    episodes[3].title = "Harbour lights"
    episodes[3].contentHTML = "<p>" + String(repeating: "filler ", count: 100) + "the old <i>harbour</i> master</p>"
    episodes[3].persons = [Person(name: "Grace Hopper")]
    podcast = try box.subscribe(episodes)
    ids = try box.episodes(podcast)
    try library.saveChapters(
      [Chapter(start: 0, title: "Intro"), Chapter(start: 754, title: "Zanzibar")], from: .file, of: ids[0],
      now: Samples.now)
    let lines = [
      Transcript.Line(start: 3, text: "hello"), Transcript.Line(start: 61.5, text: "about quokkas and such"),
    ]
    try library.saveTranscript(Transcript(lines: lines), of: ids[0], now: Samples.now)
  }

  private func found(_ words: String) throws -> [EpisodeID] { try library.search(words).map(\.row.id) }

  @Test(arguments: [
    ("流", 1), ("流動", 1), ("資金盛宴", 1), ("現代科技", 1), ("音楽", 1), ("歴史 金融", 1), ("\"流動的\"", 1),
    ("école", 2), ("ecole", 2), ("ECOLE", 2), ("garcons", 2), ("naif", 2), ("한국어", 2), ("국어", 2),
    ("harbour", 3), ("HARB", 3), ("harbour master", 3), ("\"old harbour\"", 3), ("grace", 3), ("hopper lights", 3),
    ("zanzibar", 0), ("quokkas", 0), ("L'école", 2), ("ep. 135", 1), ("-école)", 2), ("(école OR", 9), ("école* ^", 2),
  ])
  func wordsAreFound(words: String, index: Int) throws {
    #expect(try found(words) == (index == 9 ? [] : [ids[index]]))
  }

  @Test(arguments: [
    "動流", "\"harbour old\"", "harbour nonesuch", "", "  ", "\"", "\"\"", "-", "***", "🎙️", "()", "arbour",
  ])
  func searchWithoutHits(words: String) throws { #expect(try found(words) == []) }

  private func subscribe(toNew count: Int) throws -> (PodcastID, Feed) {
    _ = try library.indexPending()
    let feed = Samples.feed(Samples.episodes(101...100 + count), title: "Orchard")
    return (try library.subscribe(feed: feed, feedURL: "https://example.org/orchard", now: Samples.now), feed)
  }

  @Test func indexingOfFewNewEpisodesIsDoneWithTheRefresh() throws {
    _ = try subscribe(toNew: Library.indexedAtOnce)
    #expect(try library.pendingCount() == 0)
    #expect(try library.search("podcast:orchard episode", limit: 1000).count == Library.indexedAtOnce)
  }

  @Test func indexingLaterOverwritesItsEntryInPlace() throws {
    try library.indexAllPending()
    let (_, feed) = try subscribe(toNew: 2000)
    #expect(try library.pendingCount() == feed.episodes.count)
    func pages() throws -> [Int] {
      try library.read { db in
        try Int.fetchAll(db, sql: "SELECT pageno FROM dbstat WHERE name = 'episodeContent' ORDER BY pageno")
      }
    }
    let before = try pages()
    try library.indexAllPending()
    #expect(try library.pendingCount() == 0)
    #expect(try pages() == before)
  }

  @Test func indexingOfManyNewEpisodesIsLeftToTheSearch() throws {
    let count = Library.indexedAtOnce + 1
    var (orchard, feed) = try subscribe(toNew: count)
    #expect(try library.pendingCount() == count)
    let reader = try Library(path: box.path, isReadOnly: true)
    for library in [reader, library] {
      let hits = try library.search("podcast:orchard episode", limit: 1000)
      #expect(hits.count == count && hits.allSatisfy { $0.row.podcast == orchard })
      #expect(try library.search("after:2000", limit: 1000).filter { $0.row.podcast == orchard }.count == count)
      #expect(try library.search("podcast:orchard after:2000", limit: 1000).count == count)
      #expect(try library.search("podcast:orchard before:2000", limit: 1000).isEmpty)
    }
    try reader.close()
    #expect(try library.pendingCount() == 0)
    // What changed is indexed again, and found once.
    for index in feed.episodes.indices { feed.episodes[index].title = "Quince \(index)" }
    try library.apply(feed: feed, to: orchard, now: Samples.now)
    #expect(try library.pendingCount() == count)
    #expect(try library.search("podcast:orchard quince", limit: 1000).count == count)
    #expect(try library.search("podcast:orchard episode", limit: 1000).isEmpty)
  }

  @Test func titleRanksAboveTheNotes() throws {
    var episodes = Samples.episodes(10...12)
    episodes[1].title = "On quinces"
    episodes[0].contentHTML = "quinces " + String(repeating: "and other fruit ", count: 20)
    episodes[2].contentHTML = "fruit " + String(repeating: "and quinces ", count: 2)
    let other = try box.subscribe(episodes, url: "https://other.example")
    #expect(try found("quinces").first == box.episodes(other)[1])
    #expect(try found("quinces").count == 3)
  }

  @Test func snippetShowsTheWords() throws {
    let hit = try #require(try library.search("master").first)
    #expect(hit.match.snippet.hasPrefix("…") && hit.match.snippet.contains("the old harbour master"))
    #expect(hit.row.title == "Harbour lights" && hit.row.podcastTitle == "A Podcast" && hit.match.time == nil)
    let chapter = try #require(try library.search("zanzibar").first)
    #expect(chapter.match.time == 754 && chapter.match.snippet == "Zanzibar")
    let line = try #require(try library.search("quokkas").first)
    #expect(line.match.time == 61.5 && line.match.snippet == "about quokkas and such")
    #expect(try library.search("流動").first?.match.snippet.hasPrefix("現代金融理論加上現代科技") == true)
  }

  @Test func editedEpisodeIsFoundByItsNewWords() throws {
    #expect(try found("harbour") == [ids[3]])
    var episode = Samples.episode(1)
    episode.contentHTML = "<p>Now about lighthouses</p>"
    try library.apply(feed: Samples.feed([episode]), to: podcast, now: Samples.now)
    #expect(try found("harbour") == [])
    #expect(try found("lighthouses") == [ids[3]])
    #expect(try library.deadDocumentCount() > 0)
  }

  @Test func markupThatChangesIsNotIndexedAgain() throws {
    #expect(try found("harbour") == [ids[3]])
    let before = try box.value(Int.self, "SELECT count(*) FROM search_docsize")
    var feed = Samples.feed(Samples.episodes(2...2))
    feed.episodes[0].contentHTML = "<p>L'école des <i>garçons</i> naïfs. 한국어를 배우다</p>"
    #expect(try library.apply(feed: feed, to: podcast, now: Samples.now).updated == 1)
    #expect(try found("garçons") == [ids[2]])
    #expect(try box.value(Int.self, "SELECT count(*) FROM search_docsize") == before)
  }

  @Test func unsubscribedPodcastsAreNotFound() throws {
    try library.unsubscribe(podcast, now: Samples.now)
    #expect(try found("harbour") == [])
    try library.resubscribe(podcast, now: Samples.now)
    #expect(try found("harbour") == [ids[3]])
  }

  @Test func indexingContinuesWhereItStopped() throws {
    _ = try library.indexPending()
    let other = try box.subscribe(Samples.episodes(20...60), url: "https://other.example")
    // A feed's own texts are indexed at once. Chapters are indexed later.
    #expect(try library.indexPending() == 0)
    for id in try box.episodes(other) {
      try library.saveChapters([Chapter(start: 1, title: "Quince")], from: .file, of: id, now: Samples.now)
    }
    #expect(try library.indexPending(limit: 10) == 10)
    try box.reopen()
    #expect(try library.search("Notes", limit: 100).count == 42)
    #expect(try library.search("quince", limit: 100).count == 41)
    #expect(try library.indexPending() == 0)
  }

  @Test func filtersNarrowASearch() throws {
    let other = try library.subscribe(
      feed: Samples.feed(Samples.episodes(20...22), title: "Über Tea"), feedURL: "https://tea.example", now: Samples.now
    )
    let found = { (words: String) throws in
      try self.library.search(words, timeZone: .gmt).map(\.row.title).sorted()
    }
    #expect(try found("notes podcast:uber") == ["Episode 20", "Episode 21", "Episode 22"])
    #expect(try found("podcast:\"ber te\"") == ["Episode 20", "Episode 21", "Episode 22"])
    #expect(try found("notes podcast:nonesuch") == [])
    // Episode 20 is from 2020-10-03, and each further one is a day later.
    #expect(try found("after:2020-10-04 notes") == ["Episode 21", "Episode 22"])
    #expect(try found("after:2020-10-04 before:2020-10-04") == ["Episode 21"])
    #expect(try found("notes before:2020-09-14 podcast:tea") == [])
    // A date that is being typed, and a day that does not exist: it is 1 October.
    #expect(try found("podcast:tea after:2021-") == [])
    #expect(try found("podcast:tea after:2020-10-") == ["Episode 20", "Episode 21", "Episode 22"])
    #expect(try found("podcast:tea after:2020-11-") == [])
    #expect(try found("podcast:tea before:2020-09-31") == [])
    #expect(try found("podcast:tea after:2020-09-31 before:2020-10-03") == ["Episode 20"])
    try library.unsubscribe(other, now: Samples.now)
    #expect(try found("podcast:uber") == [])
  }

  @Test func movedPodcastIsFoundAtItsNewAddress() throws {
    let old = try box.subscribe(Samples.episodes(20...22), url: "https://old.example")
    let new = try library.subscribe(
      feed: Samples.feed(Samples.episodes(22...23), title: "Tea"), feedURL: "https://new.example", now: Samples.now)
    try library.setFeedURL(old, "https://new.example", now: Samples.now)
    #expect(Set(try library.search("notes podcast:tea").map(\.row.title)).count == 4)
    #expect(try library.search("notes podcast:tea").allSatisfy { $0.row.podcast == new })
    #expect(try library.integrityCheck() == [])
  }

  @Test func changedDateMovesTheEpisodeInTheIndex() throws {
    var episode = Samples.episode(30)
    let other = try box.subscribe([episode], url: "https://other.example")
    episode.pubDate = Date(timeIntervalSince1970: 1_800_000_000)
    try library.apply(feed: Samples.feed([episode]), to: other, now: Samples.now)
    #expect(try library.search("notes after:2026").map(\.row.title) == ["Episode 30"])
    #expect(try library.search("notes").count(where: { $0.row.title == "Episode 30" }) == 1)
  }

  /// More hits than are ranked: title matches come first, then the newest. One day has more documents than document
  /// numbers.
  @Test func commonWordsFindTitlesAndThenTheNewest() throws {
    let episodes = (1...5000).map { number in
      var episode = Samples.episode(number)
      episode.title = number == 7 ? "On notes" : "Part \(number)"
      episode.pubDate = number > 4000 ? nil : Samples.episode(number % 3).pubDate
      return episode
    }
    let many = try box.subscribe(episodes, url: "https://other.example")
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    let hits = try library.search("notes", limit: 3)
    #expect(hits.map(\.row.title) == ["On notes", "Part 2", "Part 5"])
    #expect(try library.search("notes part", limit: 10_000).count == 1000)
    #expect(try library.search("\"part 4999\"").map(\.row.title) == ["Part 4999"])
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(many))).count == 5000)
    try library.mergeSearchIndex()
    #expect(try library.search("notes", limit: 3) == hits)
    #expect(try library.integrityCheck() == [])
  }

  /// A publisher who edits the footer of all notes leaves more dead documents than a search ranks.
  @Test func replacedTextsHideNoHits() throws {
    func feed(_ edition: Int) -> Feed {
      let episodes = (1...400).map { number in
        var episode = Samples.episode(1000 + number)
        episode.contentHTML = "Our sponsor of edition \(edition)"
        return episode
      }
      return Samples.feed(episodes, title: "Other")
    }
    var old = Samples.episode(5)
    old.contentHTML = "a sponsor of the arts"
    try library.apply(feed: Samples.feed([old]), to: podcast, now: Samples.now)
    let other = try library.subscribe(feed: feed(0), feedURL: "https://other.example", now: Samples.now)
    try library.indexAllPending()
    for edition in 1...3 {
      try library.apply(feed: feed(edition), to: other, now: Samples.now)
      try library.indexAllPending()
    }
    #expect(try library.search("sponsor", limit: 1000).count == 401)
    #expect(try library.search("sponsor edition 2").isEmpty && library.deadDocumentCount() > 1000)

    try library.maintain()
    #expect(try library.deadDocumentCount() == 0)
    #expect(try box.value(Int.self, "SELECT count(*) FROM search_docsize") == 405)
    #expect(try library.search("sponsor", limit: 1000).count == 401)
    #expect(try found("quokkas") == [ids[0]] && found("sponsor arts").count == 1)
    try library.apply(feed: feed(9), to: other, now: Samples.now)
    #expect(try library.search("sponsor edition 9", limit: 1000).count == 400 && found("edition 3").isEmpty)
    #expect(try library.integrityCheck() == [])
  }

  /// More episodes that cannot be hits than a search ranks.
  @Test func othersHideNoHits() throws {
    let episodes = (1...1500).map { Samples.episode(1000 + $0) }
    let other = try box.subscribe(episodes, url: "https://other.example")
    _ = try library.addClip(of: ids[0], startTime: 5, endTime: nil, note: "great", now: Samples.now)
    #expect(try found("notes").count == 50)
    #expect(try found("notes note:great") == [ids[0]])
    let first = try #require(library.episode(ids[0])?.row.pubDate)
    let day = first.formatted(.iso8601.year().month().day())
    #expect(try found("notes before:\(day)") == [ids[0]])
    try library.setStatus(try box.episodes(other).dropLast(), .deleted, now: Samples.now)
    #expect(try found("notes").count == 2)
    try library.unsubscribe(other, now: Samples.now)
    #expect(try found("notes") == [ids[0]])
  }

  @Test func cancelledSearchEnds() throws {
    let ticket = SearchTicket()
    ticket.cancel()
    #expect(throws: StoreError.interrupted) { try library.search("notes", ticket: ticket) }
    // The connection can still be used.
    #expect(try found("harbour") == [ids[3]])
  }

  @Test func cancelledStatementEndsWhileItRuns() throws {
    let ticket = SearchTicket()
    #expect(throws: StoreError.interrupted) {
      try library.read { db in
        db.add(
          function: DatabaseFunction("callOff", argumentCount: 1) { values in
            if values[0] == 5000.databaseValue { ticket.cancel() }
            return true
          })
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        _ = try ticket.watching(db) { try Int.fetchOne(db, sql: "\(endless) WHERE callOff(i)") }
      }
    }
    #expect(try found("harbour") == [ids[3]])
  }

  /// The search is cancelled between two hits whose texts are read. Reading takes longer than finding them.
  @Test func cancelledSearchReadsNoMoreTexts() throws {
    let ticket = SearchTicket()
    let read = Mutex(0)
    let reader = NotesReader(plainText: { text in
      read.withLock { $0 += 1 }
      ticket.cancel()
      return text
    })
    let other = try Library(path: box.path, notes: reader)
    #expect(throws: StoreError.interrupted) { try other.search("podcast:podcast", ticket: ticket) }
    #expect(read.withLock { $0 } == 1)
  }

  @Test func hitInNotesAndTranscriptHasATime() throws {
    let line = Transcript.Line(start: 42, text: "we sail past the harbour master")
    try library.saveTranscript(Transcript(lines: [line]), of: ids[3], now: Samples.now)
    let hit = try #require(try library.search("harbour master").first)
    #expect(hit.match.time == 42 && hit.match.snippet == "we sail past the harbour master")
  }

  // MARK: Titles of podcasts

  /// Two more podcasts, "Rome and its History" with episodes 20 to 29 and "The Daily Tea" with 30 to 32.
  private func withTitles() throws -> (rome: PodcastID, tea: PodcastID) {
    var episodes = Samples.episodes(20...29)
    episodes[9].title = "Caesar"
    let rome = try library.subscribe(
      feed: Samples.feed(episodes, title: "Rome and its History"), feedURL: "https://rome.example", now: Samples.now)
    var others = Samples.episodes(30...32)
    others[2].title = "On Rome"
    others[1].contentHTML = "Caesar drank no tea"
    let tea = try library.subscribe(
      feed: Samples.feed(others, title: "The Daily Tea"), feedURL: "https://tea.example", now: Samples.now)
    return (rome, tea)
  }

  @Test func podcastIsFoundByItsTitle() throws {
    let (rome, _) = try withTitles()
    let hits = try library.search("rome history")
    #expect(hits.count == 10 && hits.allSatisfy { $0.row.podcast == rome })
    #expect(hits.first?.row.title == "Episode 29", "the newest first")
    #expect(try library.search("HIST").count == 10, "a beginning, whatever the case")
    #expect(try library.search("his rome").isEmpty, "a beginning that is not the last word")
    #expect(try library.search("\"rome and\"").count == 10)
    #expect(try library.search("\"rome history\"").isEmpty, "no phrase")
  }

  /// The order is: the newest three episodes of the podcast, episodes with the word, the rest of the podcast.
  @Test func podcastTitleIsRankedBetweenEpisodes() throws {
    _ = try withTitles()
    let titles = try library.search("rome").map(\.row.title)
    #expect(titles.prefix(4) == ["Episode 29", "Episode 28", "Episode 27", "On Rome"])
    #expect(titles.count == 11 && Set(titles).count == 11 && titles.contains("Caesar"))
    #expect(try library.search("rome", limit: 2).map(\.row.title) == ["Episode 29", "Episode 28"])
    #expect(try library.search("rome after:2020-10-14").map(\.row.title).contains("Episode 28") == false)
  }

  /// One word is in the title of the podcast, the other one in the title of the episode.
  @Test func wordsMayBeDividedBetweenPodcastAndEpisode() throws {
    let (rome, tea) = try withTitles()
    #expect(try library.search("rome caesar").map(\.row.podcast) == [rome])
    #expect(try library.search("caesar daily").map(\.row.podcast) == [tea])
    #expect(try library.search("caesar").count == 2)
    #expect(try library.search("rome nonesuch").isEmpty)
    try library.setStatus([library.search("caesar daily")[0].row.id], .deleted, now: Samples.now)
    #expect(try library.search("caesar daily").isEmpty)
    try library.unsubscribe(rome, now: Samples.now)
    #expect(try library.search("rome").map(\.row.title) == ["On Rome"])
  }

  /// More episodes than are ranked.
  @Test func largePodcastIsFoundByItsTitle() throws {
    let rome = try library.subscribe(
      feed: Samples.feed(Samples.episodes(100...1400), title: "Rome"), feedURL: "https://rome.example",
      now: Samples.now)
    let hits = try library.search("rome", limit: 2000)
    #expect(hits.prefix(4).map(\.row.title) == ["Episode 1400", "Episode 1399", "Episode 1398", "Episode 1397"])
    #expect(hits.count == 1000 && hits.allSatisfy { $0.row.podcast == rome })
  }

  /// A library that is only read cannot update its index.
  @Test func titlesOfPodcastsAreFoundBeforeTheirEpisodesAreIndexed() throws {
    _ = try withTitles()
    _ = try library.indexPending()
    var others = Samples.episodes(500...560)
    others[5].title = "Caesar again"
    let later = try library.subscribe(
      feed: Samples.feed(others, title: "Rome, later"), feedURL: "https://later.example", now: Samples.now)
    try #require(try library.pendingCount() >= 61, "those of the fixture may be pending, too")
    let reader = try Library(path: box.path, isReadOnly: true)
    defer { try? reader.close() }
    let hits = try reader.search("rome later")
    #expect(hits.count == 50 && hits.allSatisfy { $0.row.podcast == later })
    #expect(hits.prefix(3).map(\.row.title) == ["Episode 560", "Episode 559", "Episode 558"])
    #expect(try reader.search("rome later", limit: 2).count == 2)
    #expect(try Set(reader.search("rome caesar").map(\.row.title)) == ["Caesar", "Caesar again"])
    #expect(try reader.search("rome caesar podcast:later").isEmpty, "a filter names its podcasts already")
    let all = try library.search("rome", limit: 1000).map(\.row.id)
    #expect(try Set(reader.search("rome", limit: 1000).map(\.row.id)) == Set(all))
  }

  @Test func limitIsKept() throws { #expect(try library.search("episode OR notes", limit: 0).isEmpty) }
}
