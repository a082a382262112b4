import Foundation
import Model
import Testing

@testable import Store

/// Chapters that the show notes list.
@Suite struct NotesChapterSourceTests {
  private let box: TemporaryLibrary
  private let episode: EpisodeID
  private static let listed = [Chapter(start: 5, title: "From the notes", origin: .notes)]

  /// The reader finds a chapter in notes with a time. It is told the duration.
  init() throws {
    let reader = NotesReader(chapters: { notes, duration in
      notes.contains("0:05") && duration == 60 ? Self.listed : []
    })
    box = try TemporaryLibrary(notes: reader)
    var episodes = Samples.episodes(1...1)
    (episodes[0].summary, episodes[0].contentHTML, episodes[0].duration) = ("Short", "0:05 From the notes", 60)
    episode = try #require(try box.episodes(box.subscribe(episodes)).first)
  }

  @Test func theyCountIfNothingElseHasChapters() throws {
    let sources = try box.library.chapterSources(episode)
    try #require(sources.feed.isEmpty)
    #expect(sources.merged == Self.listed)
    #expect(try box.library.chapters(episode).heading == "Chapters from the notes")
  }

  @Test func theChaptersOfTheFileReplaceThem() throws {
    let file = [Chapter(start: 7, title: "From the file")]
    try box.library.saveChapters(file, from: .file, of: episode, now: Samples.now)
    #expect(try box.library.chapters(episode) == file)
    try box.library.saveChapters([], from: .file, of: episode, now: Samples.now)
    #expect(try box.library.chapters(episode) == Self.listed)
  }

  @Test func aSearchLeadsToThem() throws {
    let hits = try box.library.search("From the notes")
    #expect(hits.map(\.match.time) == [5])
  }
}
