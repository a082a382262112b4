import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Status, position, events, queue, undo.
@Suite struct ListeningTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...5))
    ids = try box.episodes(podcast)
  }

  private func status(_ index: Int) throws -> EpisodeStatus? { try library.episode(ids[index])?.row.status }

  @Test func positionIsKeptAfterARestart() throws {
    try library.savePosition(ids[2], seconds: 93.5, total: 1799.5, now: Samples.now)
    try box.reopen()
    let row = try #require(try library.episode(ids[2])?.row)
    #expect(row.position == 93.5 && row.duration == 1799.5 && row.status == .playing)
    #expect(try library.lastPlayed() == ids[2])
  }

  /// A killed player leaves its episode as playing.
  @Test func oneEpisodePlaysAtATime() throws {
    try library.setStatus([ids[0]], .playing, now: Samples.now, isUndoable: false)
    try library.setStatus([ids[1]], .playing, now: Samples.now, isUndoable: false)
    #expect(try status(0) == .paused && status(1) == .playing)
    // A position that is saved first has set the status already.
    try library.savePosition(ids[0], seconds: 9, total: nil, now: Samples.now)
    try library.setStatus([ids[0]], .playing, now: Samples.now, isUndoable: false)
    #expect(try status(0) == .playing && status(1) == .paused)
  }

  @Test(arguments: [-1, .nan, .infinity, -.infinity] as [Double])
  func invalidPositionIsTheStart(seconds: Double) throws {
    try library.savePosition(ids[0], seconds: seconds, total: seconds, now: Samples.now)
    let row = try #require(try library.episode(ids[0])?.row)
    #expect(row.position == 0 && row.duration == 1800)
  }

  @Test func positionOfAnUnknownEpisodeIsAnError() throws {
    #expect(throws: StoreError.unknown("episode 999")) {
      try library.savePosition(EpisodeID(999), seconds: 1, total: nil, now: Samples.now)
    }
  }

  @Test func episodeToResumeIsTheLastUnfinishedOne() throws {
    #expect(try library.lastPlayed() == nil)
    try library.savePosition(ids[0], seconds: 1, total: nil, now: Samples.now)
    try library.savePosition(ids[1], seconds: 1, total: nil, now: Samples.later(1))
    #expect(try library.lastPlayed() == ids[1])
    try library.setStatus([ids[1]], .played, now: Samples.later(2))
    #expect(try library.lastPlayed() == ids[0])
    #expect(try library.episodeIDs(EpisodeQuery(.history)) == [ids[1], ids[0]])
  }

  /// This holds also when the sleep timer stopped playback at the end of an episode.
  @Test func nextInTheQueueIsOfferedAfterAFinishedEpisode() throws {
    #expect(try library.episodeToOffer() == nil)
    try library.savePosition(ids[0], seconds: 1, total: nil, now: Samples.now)
    try library.enqueue([ids[3], ids[2]], now: Samples.now)
    try library.savePosition(ids[1], seconds: 1, total: nil, now: Samples.later(1))
    #expect(try library.episodeToOffer() == ids[1], "it is not finished")
    try library.setStatus([ids[1]], .played, now: Samples.later(2))
    #expect(try library.episodeToOffer() == ids[3])
    try library.setSetting("last-played", ids[2].description)
    #expect(try library.episodeToOffer() == ids[2], "the player has offered it")
    try library.setStatus([ids[3], ids[2]], .played, now: Samples.later(3))
    #expect(try library.episodeToOffer() == ids[0], "the queue is empty")
  }

  /// Playing a part by itself counts in the statistics. It changes neither the episode nor other devices.
  @Test func playedPartCountsAndKeepsThePosition() throws {
    let before = try library.episode(ids[0])?.row
    try library.recordExcerpt(
      ListeningEvent(episode: ids[0], kind: .play(from: 60, to: 95, total: nil), timestamp: Samples.now, speed: 2))
    let total = try library.listeningTotal(Samples.now.addingTimeInterval(-1)..<Samples.later(1))
    #expect(total.heard == 35 && total.took == 17.5 && total.episodes == 1)
    #expect(try library.episode(ids[0])?.row == before)
    #expect(try library.unsentEventCount() == 0 && library.lastPlayed() == nil)
  }

  @Test func playedEpisodeStartsOverAndLeavesTheQueue() throws {
    try library.enqueue([ids[0], ids[1]], now: Samples.now)
    try library.savePosition(ids[0], seconds: 50, total: nil, now: Samples.now)
    try library.setStatus([ids[0]], .played, now: Samples.now)
    #expect(try library.episode(ids[0])?.row.position == 0)
    #expect(try library.queue() == [ids[1]])
    #expect(try library.podcasts().map(\.unplayed) == [4])
    #expect(
      try library.undo(now: Samples.later(1))
        == UndoneDescription(label: "Mark as played “Episode 5”", episodes: [ids[0]]))
    let row = try #require(try library.episode(ids[0])?.row)
    #expect(row.status == .playing && row.position == 50)
    #expect(try library.queue() == [ids[0], ids[1]])
    #expect(try library.podcasts().map(\.unplayed) == [5])
  }

  @Test func deletedEpisodeIsHiddenEverywhereUntilUndoAfterARestart() throws {
    try library.savePosition(ids[1], seconds: 5, total: nil, now: Samples.now)
    try library.enqueue([ids[1]], now: Samples.now)
    try library.addToPlaylist(library.playlists()[0].id, [.episode(ids[1])], now: Samples.now)
    let download = Download(episode: ids[1], fileName: "a.mp3", downloadComplete: true)
    try library.saveDownload(download, now: Samples.now)
    try library.setStatus([ids[1]], .deleted, now: Samples.now)
    let playlist = try library.playlists()[0].id
    for scope in [.podcast(podcast), .new, .queue, .downloads, .history, .playlist(playlist)] as [EpisodeQuery.Scope] {
      #expect(try !library.episodeIDs(EpisodeQuery(scope)).contains(ids[1]), "\(scope)")
    }
    #expect(try library.search("Episode").allSatisfy { $0.row.id != ids[1] })
    #expect(try library.lastPlayed() == nil)
    #expect(try library.podcasts().map(\.episodes) == [4])
    try box.reopen()
    #expect(try library.undo(now: Samples.later(1))?.label == "Delete “Episode 4”")
    for scope in [.podcast(podcast), .new, .queue, .downloads, .history, .playlist(playlist)] as [EpisodeQuery.Scope] {
      #expect(try library.episodeIDs(EpisodeQuery(scope)).contains(ids[1]), "\(scope)")
    }
  }

  @Test func markingAllIsOneStep() throws {
    try library.savePosition(ids[0], seconds: 5, total: nil, now: Samples.now)
    try library.setStatus([ids[1]], .deleted, now: Samples.now)
    try library.enqueue([ids[2]], now: Samples.now)
    #expect(try library.markAllPlayed(podcast, now: Samples.now) == 4)
    #expect(try library.podcasts().map(\.unplayed) == [0])
    #expect(try status(1) == .deleted)
    #expect(try library.queue() == [])
    #expect(try Set(#require(try library.undo(now: Samples.now)).episodes) == Set([ids[0], ids[2], ids[3], ids[4]]))
    #expect(try library.podcasts().map(\.unplayed) == [4])
    #expect(try library.episode(ids[0])?.row.position == 5)
    #expect(try library.queue() == [ids[2]])
  }

  @Test func undoGoesBackManySteps() throws {
    try library.setStatus([ids[0]], .played, now: Samples.now)
    try library.enqueue([ids[1], ids[2]], now: Samples.now)
    try library.moveInQueue([ids[2]], to: 0, now: Samples.now)
    try library.unsubscribe(podcast, now: Samples.now)
    try box.reopen()
    #expect(try library.undoPlan(.back)?.label == "Unsubscribe from “A Podcast”")
    let labels = try (0..<5).map { _ in try library.undo(now: Samples.now)?.label }
    #expect(
      labels == [
        "Unsubscribe from “A Podcast”", "Move “Episode 3” in the queue", "Queue 2 episodes",
        "Mark as played “Episode 5”", nil,
      ])
    #expect(try library.podcasts().count == 1)
    #expect(try library.queue() == [])
    #expect(try status(0) == .new)
  }

  @Test func undoLogDropsTheOldestSteps() throws {
    for number in 0..<(UndoLog.limit + 10) {
      try library.setStatus([ids[0]], number % 2 == 0 ? .played : .new, now: Samples.now)
    }
    #expect(try box.value(Int.self, "SELECT count(*) FROM undo") == UndoLog.limit)
    #expect(try box.value(Int.self, "SELECT count(*) FROM undoEpisode") == UndoLog.limit)
  }

  @Test func playerChangesAreNotUndoSteps() throws {
    try library.setStatus([ids[0]], .paused, now: Samples.now, isUndoable: false)
    #expect(try status(0) == .paused)
    #expect(try library.undo(now: Samples.now) == nil)
  }

  @Test func queueIsEditedAndRestored() throws {
    try library.enqueue([ids[0], ids[1], ids[0]], now: Samples.now)
    try library.enqueue([ids[1], ids[2]], now: Samples.now)
    #expect(try library.queue() == [ids[0], ids[1], ids[2]])
    try library.playNext([ids[3], ids[2]], now: Samples.now)
    #expect(try library.queue() == [ids[3], ids[2], ids[0], ids[1]])
    try library.playNext([ids[1], ids[0]], after: ids[2], now: Samples.now)
    #expect(try library.queue() == [ids[3], ids[2], ids[1], ids[0]])
    try library.playNext([ids[0], ids[1]], after: ids[4], now: Samples.now)
    #expect(try library.queue() == [ids[0], ids[1], ids[3], ids[2]])
    try library.playNext([ids[3], ids[2]], now: Samples.now)
    try library.moveInQueue([ids[3]], to: 2, now: Samples.now)
    #expect(try library.queue() == [ids[2], ids[0], ids[3], ids[1]])
    try library.moveInQueue([ids[2]], to: 99, now: Samples.now)
    try library.moveInQueue([ids[1]], to: -5, now: Samples.now)
    #expect(try library.queue() == [ids[1], ids[0], ids[3], ids[2]])
    try library.dequeue([ids[0]], now: Samples.now)
    try box.reopen()
    #expect(try library.queue() == [ids[1], ids[3], ids[2]])
    #expect(try library.episodeIDs(EpisodeQuery(.queue)) == [ids[1], ids[3], ids[2]])
    #expect(try library.episodeRows(ids).map(\.isQueued) == [false, true, true, true, false])
    try library.clearQueue(now: Samples.now)
    #expect(try library.queue() == [])
    _ = try library.undo(now: Samples.now)
    #expect(try library.queue() == [ids[1], ids[3], ids[2]])
  }

  @Test func severalEpisodesMoveTogether() throws {
    try library.enqueue(Array(ids[0...3]), now: Samples.now)
    try library.moveInQueue([ids[3], ids[1]], to: 0, now: Samples.now)
    #expect(try library.queue() == [ids[1], ids[3], ids[0], ids[2]])
    #expect(try library.undo(now: Samples.now)?.label == "Move 2 episodes in the queue")
    #expect(try library.queue() == Array(ids[0...3]))
  }

  @Test func onlyListedEpisodesCanBeQueued() throws {
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    try library.enqueue([ids[0], EpisodeID(999), ids[1]], now: Samples.now)
    #expect(try library.queue() == [ids[1]])
  }

  @Test func queueHasItsDuration() throws {
    try library.enqueue([ids[0], ids[1]], now: Samples.now)
    try library.savePosition(ids[0], seconds: 600, total: 2000, now: Samples.now)
    let (total, left) = try library.queueDuration()
    #expect(total == 3800 && left == 3200)
  }

  @Test func eventsAreKeptInOrderWithTheDevice() throws {
    let kinds: [ListeningEvent.Kind] = [.start, .play(from: 0, to: 60, total: 1800), .pause, .download]
    for (offset, kind) in kinds.enumerated() {
      try library.record(ListeningEvent(episode: ids[0], kind: kind, timestamp: Samples.later(Double(offset))))
    }
    try library.setStatus([ids[1]], .deleted, now: Samples.later(9))
    let events = try library.events(limit: 10)
    #expect(events.map(\.event.kind) == [.delete] + kinds.reversed())
    #expect(events.map(\.event.timestamp) == [9, 3, 2, 1, 0].map(Samples.later))
    #expect(Set(events.map(\.deviceID)) == [library.deviceID])
    #expect(try library.events(limit: 2).count == 2)
    #expect(try library.events(limit: 9, of: ids[1]).count == 1)
    #expect(try library.episodeIDs(EpisodeQuery(.history)) == [ids[0]])
  }

  @Test func listsAreFiltered() throws {
    try library.setStatus([ids[0]], .played, now: Samples.now)
    var odd = Samples.episode(6)
    odd.title = "Über ÉCOLE 流動"
    try library.apply(feed: Samples.feed([odd] + Samples.episodes(1...5)), to: podcast, now: Samples.now)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast), unplayedOnly: true)).count == 5)
    for part in ["uber", "ÜBER", "ecole", "動", "er éc"] {
      let query = EpisodeQuery(.podcast(podcast), titleContains: part)
      #expect(try box.titles(query) == ["Über ÉCOLE 流動"], "\(part)")
    }
    #expect(try box.titles(EpisodeQuery(.new, titleContains: "EPISODE 3")) == ["Episode 3"])
    #expect(try library.episodeIDs(EpisodeQuery(.new, titleContains: "%")).isEmpty)
    var ofPodcast = EpisodeQuery(.new, titleContains: "%")
    ofPodcast.alsoFromPodcasts = [podcast]
    #expect(try library.episodeIDs(ofPodcast).count == 5)
    #expect(try library.episodeIDs(EpisodeQuery(.new, titleContains: "")).count == 5)
  }

  @Test func rowsHaveTheRequestedOrder() throws {
    let asked = [ids[3], EpisodeID(999), ids[0], ids[3]]
    #expect(try library.episodeRows(asked).map(\.id) == [ids[3], ids[0], ids[3]])
  }

  /// A title filter over all podcasts reads the table once, in its order.
  @Test func titleFilterOfNewReadsTheTableOnce() throws {
    let plan = try library.pool.read { db in
      let select = try EpisodeSelect(EpisodeQuery(.new, titleContains: "3"), db)
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + select.sql, arguments: select.arguments)
        .map { $0["detail"] as String }
    }
    #expect(plan.first == "SCAN e", "\(plan)")
    let other = try box.subscribe(Samples.episodes(1...40), url: "https://other.example")
    try library.setStatus([ids[2]], .played, now: Samples.now)
    let found = try box.titles(EpisodeQuery(.new, titleContains: "episode 3"))
    #expect(found == (30...39).reversed().map { "Episode \($0)" } + ["Episode 3"])
    try library.unsubscribe(other, now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.new, titleContains: "episode 3")) == [])
    #expect(try box.titles(EpisodeQuery(.new)) == [5, 4, 2, 1].map { "Episode \($0)" })
  }

  /// A list of 150,000 episodes must come from an index in order: no sorting and no table access.
  @Test func listsAreReadFromAnIndex() throws {
    let lists = [
      EpisodeQuery(.podcast(podcast)), EpisodeQuery(.podcast(podcast), unplayedOnly: true), EpisodeQuery(.new),
    ]
    for query in lists {
      let plan = try library.pool.read { db in
        let select = try EpisodeSelect(query, db)
        return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + select.sql, arguments: select.arguments)
          .map { $0["detail"] as String }.joined(separator: "\n")
      }
      #expect(plan.contains("COVERING INDEX"), "\(query): \(plan)")
      #expect(!plan.contains("TEMP B-TREE FOR ORDER"), "\(query): \(plan)")
    }
  }
}
