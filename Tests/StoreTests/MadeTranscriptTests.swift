import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Transcripts that the listener has made, and the list of those to make.
@Suite struct MadeTranscriptTests {
  private let box: TemporaryLibrary
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  private static let origin = TranscriptOrigin(kind: .made, name: "small", date: Samples.now, duration: 60)
  private static let made = Transcript(lines: [Transcript.Line(start: 1, end: 2, text: "zanzibar")])
  private static let published = Transcript(lines: [Transcript.Line(start: 1, end: 2, text: "timbuktu")])

  init() throws {
    box = try TemporaryLibrary()
    ids = try box.episodes(try box.subscribe(Samples.episodes(1...3)))
  }

  private func save() throws {
    try library.saveMadeTranscript(Self.made, Self.origin, of: ids[0], now: Samples.now)
  }

  @Test func publishersTranscriptWins() throws {
    try save()
    #expect(try library.transcript(ids[0]) == Transcript(lines: Self.made.lines, origin: Self.origin))
    #expect(try library.episode(ids[0])?.madeTranscript == Self.origin)
    try library.saveTranscript(Self.published, of: ids[0], now: Samples.now)
    #expect(try library.transcript(ids[0]) == Self.published)
    #expect(try library.madeTranscript(ids[0])?.lines == Self.made.lines, "the other one stays")
    #expect(try library.search("timbuktu").map(\.row.id) == [ids[0]])
    #expect(try library.search("zanzibar").isEmpty)
  }

  @Test func madeTranscriptIsFoundAndRemoved() throws {
    let filter = try EpisodeFilter(parsing: "has:transcript")
    #expect(try library.episodeIDs(EpisodeQuery(.matching(filter))) == [])
    try save()
    #expect(try library.search("zanzibar").map(\.row.id) == [ids[0]])
    #expect(try library.episodeIDs(EpisodeQuery(.matching(filter))) == [ids[0]])
    #expect(try library.removeMadeTranscript(ids[0]))
    #expect(try library.removeMadeTranscript(ids[0]) == false)
    #expect(try library.search("zanzibar").isEmpty)
    #expect(try library.transcript(ids[0]) == nil)
  }

  /// A refresh that changes the episode keeps the words of its transcript.
  @Test func refreshKeepsIt() throws {
    try save()
    let podcast = try #require(try library.podcasts().first?.id)
    var changed = Samples.episodes(1...3)
    for index in changed.indices { changed[index].title = "Changed \(index)" }
    try library.apply(feed: Samples.feed(changed), to: podcast, now: Samples.now)
    #expect(try library.search("zanzibar").map(\.row.id) == [ids[0]])
  }

  /// The publisher withdraws an episode of which the listener has nothing but a transcript.
  @Test func withdrawalKeepsIt() throws {
    let podcast = try #require(try library.podcasts().first?.id)
    let episode = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).dropFirst().first)
    try library.saveMadeTranscript(Self.made, Self.origin, of: episode, now: Samples.now)
    let guid = try library.episode(episode)?.feed.guid
    let rest = Samples.episodes(1...3).filter { $0.guid != guid }
    #expect(rest.count == 2)
    #expect(try library.apply(feed: Samples.feed(rest), to: podcast, now: Samples.now).removed.isEmpty)
    #expect(try library.madeTranscript(episode)?.lines == Self.made.lines)
  }

  /// Each table about episodes is either what the listener did, which protects the episode, or can be made again.
  @Test func everyTableAboutEpisodesIsClassified() throws {
    let tables = try library.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k
          WHERE m.type = 'table' AND k."table" = 'episode' ORDER BY m.name
          """)
    }
    let madeAgain = [
      "chapterSource", "episodeContent", "ruleAct", "searchPending", "syncEpisode", "syncOutbox", "transcript",
    ]
    #expect(tables.filter { !EpisodeTouched.tables.contains($0) && !madeAgain.contains($0) } == [])
    #expect(EpisodeTouched.tables.filter { !tables.contains($0) } == [])
  }

  /// Each column of an episode is what the listener did, which protects it, or the feed's, or can be made again.
  @Test func everyColumnOfAnEpisodeIsClassified() throws {
    let columns = try library.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('episode')")
    }
    let touched = EpisodeTouched.columns.map { $0.name }
    let ofFeed = EpisodeColumns.inEpisode.map(\.name) + ["guid", "mediaURL", "isGone", "feedOrder"]
    let madeAgain = [
      "id", "podcastID", "contentHash", "titleKey", "mediaKey", "measuredDuration", "catalogueRank", "isBacklog",
    ]
    #expect(columns.filter { !(touched + ofFeed + madeAgain).contains($0) } == [])
    #expect(touched.filter { !columns.contains($0) } == [])
  }

  @Test func bookmarkHasItsWords() throws {
    try save()
    let id = try library.addClip(of: ids[0], startTime: 1.5, endTime: nil, now: Samples.now)
    #expect(try library.clip(id)?.title == "zanzibar")
  }

  @Test func backupHasIt() throws {
    try save()
    try library.addToTranscribing([ids[1]])
    let copy = try Library(path: try library.backUp(now: Samples.now).path)
    #expect(try copy.transcript(ids[0])?.origin == Self.origin)
    #expect(try copy.transcribingList().map(\.episode) == [ids[1]])
    #expect(try copy.search("zanzibar").map(\.row.id) == [ids[0]])
  }

  @Test func listSurvivesARestartAndKeepsItsOrder() throws {
    #expect(try library.addToTranscribing([ids[2], ids[0]]) == 2)
    #expect(try library.addToTranscribing([ids[2], ids[1]]) == 1)
    try box.reopen()
    #expect(try library.transcribingList().map(\.episode) == [ids[2], ids[0], ids[1]])
    try library.failTranscribing(ids[2], "It failed.")
    #expect(try library.nextToTranscribe()?.episode == ids[0])
    #expect(try library.transcribingList().map(\.failure) == [nil, nil, "It failed."])
    #expect(try library.addToTranscribing([ids[2]]) == 1, "a failed one waits again")
    #expect(try library.transcribingList().map(\.failure) == [nil, nil, nil])
    #expect(try library.removeFromTranscribing([ids[0], ids[1]]) == 2)
    try library.saveMadeTranscript(Self.made, Self.origin, of: ids[2], now: Samples.now)
    #expect(try library.nextToTranscribe() == nil)
  }

  @Test func whatTheListenerHasFinishedWithIsNotMade() throws {
    try library.addToTranscribing([ids[0], ids[1]], now: Samples.now)
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    #expect(try library.transcribingList().map(\.episode) == [ids[1]])
    #expect(try library.nextToTranscribe()?.episode == ids[1])
    _ = try library.undo(now: Samples.now)
    #expect(try library.nextToTranscribe()?.episode == ids[0])
    let podcast = try #require(try library.podcasts().first?.id)
    try library.unsubscribe(podcast, now: Samples.later(1))
    #expect(try library.nextToTranscribe() == nil)
    // The listener wants this one.
    try library.addToTranscribing([ids[2]], now: Samples.later(2))
    #expect(try library.nextToTranscribe()?.episode == ids[2])
  }

  @Test func itGoesWithTheEpisode() throws {
    try save()
    try library.addToTranscribing([ids[0]])
    let podcast = try #require(try library.podcasts().first?.id)
    try library.apply(feed: Samples.feed(Samples.episodes(1...2)), to: podcast, now: Samples.now)
    try library.pool.write { db in try db.execute(sql: "DELETE FROM episode WHERE id = ?", arguments: [ids[0].rawValue])
    }
    #expect(try box.value(Int.self, "SELECT count(*) FROM madeTranscript") == 0)
    #expect(try box.value(Int.self, "SELECT count(*) FROM transcribing") == 0)
  }
}
