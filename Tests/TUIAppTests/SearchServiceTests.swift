import Foundation
import Model
import Store
import Synchronization
import TemporaryFiles
import TerminalKit
import Testing

@testable import AppCore
@testable import TUIApp

/// The library search while the listener types.
@Suite(InTurn()) struct SearchServiceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func nextKeyCancelsTheRunningSearch() throws {
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Mutex(false)
    let library = try library { text in
      if isFirst.withLock({
        let was = $0; $0 = false; return was
      }) {
        begun.signal()
        goOn.wait()
      }
      return text
    }
    let mailbox = try Mailbox<Action>()
    let service = SearchService(library: library, mailbox: mailbox)
    // The search has found both episodes and is reading the notes of the first one.
    isFirst.withLock { $0 = true }
    service.find(1, FindQuestion(words: "notes"))
    begun.wait()
    service.find(2, FindQuestion(words: "harbour"))
    goOn.signal()
    let answers = try answers(mailbox)
    #expect(answers.map(\.request) == [2])
    #expect(answers.first?.hits.map(\.row.title) == ["Harbour lights"])
  }

  @Test func hitHasItsTime() throws {
    let library = try library { $0 }
    let podcast = try #require(try library.podcasts().first?.id)
    let id = try #require(try library.episodeID(guid: "harbour", in: podcast))
    try library.saveChapters([Chapter(start: 754, title: "Zanzibar")], from: .file, of: id, now: Date())
    let mailbox = try Mailbox<Action>()
    SearchService(library: library, mailbox: mailbox).find(7, FindQuestion(words: "zanzi"))
    let answers = try answers(mailbox)
    #expect(answers.first?.hits.map(\.match) == [SearchMatch(snippet: "Zanzibar", time: 754)])
  }

  @Test func stoppedSearchReportsNothing() throws {
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let waits = Mutex(false)
    let library = try library { text in
      if waits.withLock({ $0 }) {
        begun.signal()
        goOn.wait()
      }
      return text
    }
    waits.withLock { $0 = true }
    let mailbox = try Mailbox<Action>()
    let service = SearchService(library: library, mailbox: mailbox)
    service.find(1, FindQuestion(words: "notes"))
    begun.wait()
    service.stop(1)
    waits.withLock { $0 = false }
    goOn.signal()
    service.find(2, FindQuestion(words: "lights"))
    #expect(try answers(mailbox).map(\.request) == [2])
  }

  // MARK: Pieces

  private func library(plainText: @escaping @Sendable (String) -> String) throws -> Library {
    let library = try Library(path: directory.path + "/earshot.db", notes: NotesReader(plainText: plainText))
    var feed = Feed(
      episodes: ["Harbour lights", "Other things"].map { title in
        var episode = FeedEpisode()
        (episode.title, episode.guid) = (title, title.lowercased().split(separator: " ").first.map(String.init))
        (episode.mediaURL, episode.summary) = ("https://example.org/\(title.count).mp3", "Notes")
        return episode
      })
    feed.podcast.title = "A Podcast"
    try library.subscribe(
      feed: feed, feedURL: "https://example.org/feed", now: Date(timeIntervalSince1970: 1_700_000_000))
    return library
  }

  /// Waits for the first answers. The hits are those that the Search screen then shows.
  private func answers(_ mailbox: Mailbox<Action>) throws -> [(request: RequestID, hits: [SearchHit])] {
    _ = try Poller.poll([mailbox.fileDescriptor], timeoutMilliseconds: nil)
    return mailbox.drain().compactMap { action in
      guard case .answer(let request, .received(let receive)) = action else {
        Issue.record("\(action)")
        return nil
      }
      var state = State(size: Size(80, 24), now: Date(timeIntervalSince1970: 1_700_000_000), themes: [])
      _ = receive(&state)
      let hits = state.screens.find.hits.compactMap { id in
        state.library.rows[id].flatMap { row in state.screens.find.matches[id].map { SearchHit(row: row, match: $0) } }
      }
      return (request, hits)
    }
  }
}
