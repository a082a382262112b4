import Foundation
import Model
import Testing

@testable import Store

/// Every kind of change can be undone completely, after a restart, and many in sequence.
@Suite struct UndoTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  /// Everything that the listener can see, as one value.
  private struct Snapshot: Equatable {
    var podcasts: [PodcastRow]
    var rows: [EpisodeRow]
    var deleted: [EpisodeStatus?]
    var queue: [EpisodeID]
    var playlists: [Playlist]
    var clips: [Clip]
    var podcastTags: [String]?
    var episodeTags: [String]?
    var settings: PodcastSettings
    var new: [EpisodeID]

    init(_ library: Library, _ ids: [EpisodeID], _ podcast: PodcastID) throws {
      podcasts = try library.podcasts()
      rows = try library.episodeRows(ids)
      deleted = try ids.map { try library.episode($0)?.row.status }
      queue = try library.queue()
      // The time of a list's last change is not compared.
      playlists = try library.playlists().map {
        var list = $0
        list.lastUpdated = Samples.now
        return list
      }
      clips = try library.clips()
      podcastTags = try library.podcastDetail(podcast)?.row.tags
      episodeTags = try library.episode(ids[0])?.tags
      settings = try library.settings(of: podcast)
      new = try library.newEpisodes(among: ids)
    }
  }

  private struct Context {
    var library: Library
    var ids: [EpisodeID]
    var podcast: PodcastID
    var list: PlaylistID
    var clip: ClipID
  }

  enum Change: String, CaseIterable {
    case delete, deleteMany, played, new, position, markAll, enqueue, playNext, dequeue, move, clear, unsubscribe
    case addPlaylist, renamePlaylist, fillPlaylist, moveInPlaylist, emptyPlaylist, deletePlaylist
    case addClip, changeClip, deleteClip, deleteClips, tagPodcast, tagEpisode, tagClip, tagMany, settings, catalogue
  }

  private static func perform(_ change: Change, _ context: Context) throws {
    let (library, ids, podcast) = (context.library, context.ids, context.podcast)
    let now = Samples.later(100)
    switch change {
    case .delete: try library.setStatus([ids[0]], .deleted, now: now)
    case .deleteMany: try library.setStatus(ids, .deleted, now: now)
    case .played: try library.setStatus([ids[1]], .played, now: now)
    case .new: try library.setStatus([ids[0]], .new, now: now)
    case .position: try library.setPosition(ids[2], seconds: 93, now: now)
    case .markAll: try library.markAllPlayed(podcast, now: now)
    case .enqueue: try library.enqueue([ids[4]], now: now)
    case .playNext: try library.playNext([ids[4], ids[2]], now: now)
    case .dequeue: try library.dequeue([ids[2]], now: now)
    case .move: try library.moveInQueue([ids[2]], to: 0, now: now)
    case .clear: try library.clearQueue(now: now)
    case .unsubscribe: try library.unsubscribe(podcast, now: now)
    case .addPlaylist: _ = try library.addPlaylist(title: "Another", now: now)
    case .renamePlaylist:
      try library.changePlaylist(context.list, now: now) {
        ($0.title, $0.sharePermission, $0.slug) = ("Renamed", .isPublic, "renamed")
      }
    case .fillPlaylist: try library.addToPlaylist(context.list, [.episode(ids[4])], now: now)
    case .moveInPlaylist: try library.moveInPlaylist(context.list, [.clip(context.clip)], to: 0, now: now)
    case .emptyPlaylist: try library.removeFromPlaylist(context.list, [.episode(ids[3])], now: now)
    case .deletePlaylist: try library.deletePlaylist(context.list, now: now)
    case .addClip: _ = try library.addClip(of: ids[4], startTime: 3, endTime: 4, now: now)
    case .changeClip:
      try library.changeClip(context.clip, now: now) { ($0.title, $0.endTime) = ("Changed", 99) }
    case .deleteClip: try library.deleteClip(context.clip, now: now)
    case .deleteClips:
      try library.deleteClips(try library.clips(of: ids[2]).map(\.id), now: now)
    case .tagMany:
      let items: [Playlist.Item] = [.episode(ids[0]), .episode(ids[1]), .clip(context.clip)]
      #expect(try library.changeTags(of: items, adding: ["b"], removing: ["x"], now: now))
    case .tagPodcast: try library.setTags(["b", "c"], of: podcast, now: now)
    case .tagEpisode: try library.setTags([], of: ids[0], now: now)
    case .settings:
      try library.write { db in
        try Library.changeSettings(db, of: podcast, now: now) {
          $0.apply(.intro(30))
          $0.keepDownloads = 3
        }
      }
    case .catalogue:
      try library.change(.newEpisodes(CatalogueRule(rawValue: "2")), of: podcast, now: now)
      try library.setCatalogueRule(try #require(CatalogueRule(rawValue: "2")), of: podcast)
    case .tagClip:
      try library.changeClip(context.clip, now: now) { $0.tags = ["other"] }
    }
  }

  /// A library with some data of every kind.
  private func context() throws -> Context {
    let library = box.library
    let podcast = try box.subscribe(Samples.episodes(1...5))
    let ids = try box.episodes(podcast)
    try library.setGeneralCatalogueRule(.all, besides: [])
    try library.savePosition(ids[0], seconds: 42, total: nil, now: Samples.now)
    try library.enqueue([ids[1], ids[2]], now: Samples.now)
    let clip = try library.addClip(of: ids[3], startTime: 1, endTime: 2, title: "Mine", tags: ["fun"], now: Samples.now)
    let list = try library.addPlaylist(title: "List", now: Samples.now)
    let others = try [5.0, 6].map { try library.addClip(of: ids[2], startTime: $0, endTime: 9, now: Samples.now) }
    try library.addToPlaylist(
      list, [.clip(others[0]), .episode(ids[3]), .clip(clip), .clip(others[1])], now: Samples.now)
    try library.setTags(["a"], of: podcast, now: Samples.now)
    try library.setTags(["x", "y"], of: ids[0], now: Samples.now)
    return Context(library: library, ids: ids, podcast: podcast, list: list, clip: clip)
  }

  @Test func newPlaylistWithAnEpisodeIsOneStep() throws {
    let ids = try box.episodes(try box.subscribe(Samples.episodes(1...2)))
    let list = try box.library.addPlaylist(title: "Train", items: [.episode(ids[1])], now: Samples.now)
    #expect(try box.library.playlist(list)?.items == [.episode(ids[1])])
    #expect(try box.library.undo(now: Samples.now)?.label == "Make the playlist “Train”")
    #expect(try box.library.playlist(list) == nil)
  }

  /// The episode is marked as played while it plays and is played further. Then the mark is undone.
  @Test func laterListeningSurvivesUndo() throws {
    let podcast = try box.subscribe(Samples.episodes(1...2))
    let ids = try box.episodes(podcast)
    func row(_ index: Int) throws -> EpisodeRow { try #require(try box.library.episodeRows([ids[index]]).first) }
    for id in ids { try box.library.savePosition(id, seconds: 60, total: 300, now: Samples.now) }
    try box.library.markAllPlayed(podcast, now: Samples.later(1))
    try box.library.savePosition(ids[0], seconds: 78, total: 300, now: Samples.later(19))
    try box.library.setStatus([ids[0]], .paused, now: Samples.later(20), isUndoable: false)
    try box.library.savePosition(ids[1], seconds: 5, total: 300, now: Samples.later(30))
    #expect(try box.library.undo(now: Samples.later(40)) != nil)
    #expect(try row(0).position == 78)
    #expect(try row(0).status == .paused)
    #expect(try row(1).position == 60, "the position before the mark was further on")
    #expect(try box.library.undo(.forward, now: Samples.later(50)) != nil)
    #expect(try row(0).position == 78, "as it was before undo")
    #expect(try row(1).status == .played)
  }

  /// Pressing a key five times is one step. A change of another setting is a separate step.
  @Test func severalChangesOfTheSpeedAreOneStep() throws {
    let podcast = try box.subscribe(Samples.episodes(1...2))
    let library = box.library
    func set(at seconds: Double, _ change: PlaybackSettings.Change) throws {
      try library.change(.playback(change), of: podcast, now: Samples.later(seconds))
    }
    try set(at: 0, .intro(30))
    for step in 1...5 { try set(at: Double(step), .speed(1 + Double(step) / 10)) }
    try set(at: 100, .speed(2))
    #expect(try library.undoEntries(limit: 9).count == 3)
    #expect(try library.undoPlan(.back)?.consequence == "Put back the settings of “A Podcast”.")
    let undone = try #require(try library.undo(now: Samples.later(200)))
    #expect(undone.settings == [podcast] && undone.restored.podcasts == [podcast])
    #expect(undone.label == "Change the settings of “A Podcast”")
    #expect(try library.settings(of: podcast).playback?.speed == 1.5)
    _ = try library.undo(now: Samples.later(201))
    #expect(try library.settings(of: podcast).playback?.speed == nil)
    #expect(try library.settings(of: podcast).playback?.intro == 30)
    _ = try library.undo(now: Samples.later(202))
    #expect(try library.settings(of: podcast) == PodcastSettings())
  }

  /// Undoing a change of the speed does not restart downloads that the listener has cancelled since.
  @Test func undoOfASettingKeepsTheStateOfAutomaticDownloads() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    try box.library.change(.autoDownload(2), of: podcast, now: Samples.now)
    try box.library.change(.keepDownloads(1), of: podcast, now: Samples.later(20))
    #expect(try box.library.takeEpisodesToDownload(standard: 0).count == 2)
    _ = try box.library.undo(now: Samples.later(30))
    #expect(try box.library.takeEpisodesToDownload(standard: 0).isEmpty)
    _ = try box.library.undo(now: Samples.later(40))
    #expect(try box.library.settings(of: podcast).autoDownload == nil)
  }

  /// Its end removed it from the queue. That is no step of its own.
  @Test func undoDoesNotQueueWhatWasHeardSince() throws {
    let ids = try box.episodes(try box.subscribe(Samples.episodes(1...4)))
    let library = box.library
    try library.enqueue([ids[0], ids[1]], now: Samples.now)
    try library.enqueue([ids[2]], now: Samples.later(1))
    try library.savePosition(ids[0], seconds: 900, total: nil, now: Samples.later(2))
    try library.setStatus([ids[0]], .played, now: Samples.later(2), isUndoable: false)
    #expect(try library.undoPlan(.back)?.consequence.hasPrefix("Take 1 episode out of the queue") == true)
    _ = try library.undo(now: Samples.later(3))
    #expect(try library.queue() == [ids[1]])
    _ = try library.undo(.forward, now: Samples.later(4))
    #expect(try library.queue() == [ids[1], ids[2]])
    // A mark by hand is undone together with its place in the queue.
    try library.setStatus([ids[1]], .played, now: Samples.later(5))
    _ = try library.undo(now: Samples.later(6))
    #expect(try library.queue() == [ids[1], ids[2]])
  }

  @Test func undoReportsWhatItRestored() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let ids = try box.episodes(podcast)
    let library = box.library
    func undone(_ direction: UndoDirection = .back) throws -> Restored {
      try #require(try library.undo(direction, now: Samples.later(9))).restored
    }
    try library.enqueue([ids[0], ids[1]], now: Samples.now)
    try library.dequeue([ids[1]], now: Samples.now)
    #expect(try undone().episodes == [ids[1]], "it is in the queue again")
    #expect(try undone(.forward).episodes == [ids[1]], "it left the queue again")
    try library.setStatus([ids[2]], .deleted, now: Samples.now)
    #expect(try undone().episodes == [ids[2]])
    let list = try library.addPlaylist(title: "Train", items: [.episode(ids[0]), .episode(ids[1])], now: Samples.now)
    try library.removeFromPlaylist(list, [.episode(ids[1])], now: Samples.now)
    let back = try undone()
    #expect(back.playlist == list && back.items == [.episode(ids[1])])
    let clip = try library.addClip(of: ids[0], startTime: 1, endTime: 2, title: nil, now: Samples.now)
    try library.deleteClip(clip, now: Samples.now)
    #expect(try undone().items == [.clip(clip)])
    try library.unsubscribe(podcast, now: Samples.now)
    #expect(try undone().podcasts == [podcast])
    try library.setTags(["news"], of: podcast, now: Samples.now)
    #expect(try undone().podcasts == [podcast])
  }

  @Test(arguments: Change.allCases)
  func changeIsUndoneAfterARestart(change: Change) throws {
    let context = try context()
    let before = try Snapshot(context.library, context.ids, context.podcast)
    try Self.perform(change, context)
    #expect(try Snapshot(context.library, context.ids, context.podcast) != before)
    let after = try Snapshot(context.library, context.ids, context.podcast)
    try box.reopen()
    #expect(try box.library.undo(now: Samples.later(200)) != nil)
    #expect(try Snapshot(box.library, context.ids, context.podcast) == before)
    #expect(try box.library.integrityCheck() == [])
    // Undo and redo again, with a restart before each.
    for round in 1...2 {
      try box.reopen()
      #expect(try box.library.undo(.forward, now: Samples.later(300)) != nil, "round \(round)")
      #expect(try Snapshot(box.library, context.ids, context.podcast) == after, "round \(round)")
      try box.reopen()
      #expect(try box.library.undo(.back, now: Samples.later(400)) != nil, "round \(round)")
      #expect(try Snapshot(box.library, context.ids, context.podcast) == before, "round \(round)")
    }
    #expect(try box.library.integrityCheck() == [])
  }

  @Test func stepsAreUndoneOneAfterTheOther() throws {
    let context = try context()
    // Deletions come last, because the other changes use the deleted things.
    let last: [Change] = [.deleteClips, .deleteClip, .deletePlaylist, .unsubscribe, .deleteMany]
    let changes = Change.allCases.filter { !last.contains($0) } + last
    var snapshots: [Snapshot] = []
    for change in changes {
      snapshots.append(try Snapshot(context.library, context.ids, context.podcast))
      try Self.perform(change, context)
    }
    let end = try Snapshot(context.library, context.ids, context.podcast)
    try box.reopen()
    for (change, snapshot) in zip(changes, snapshots).reversed() {
      let now = try Snapshot(box.library, context.ids, context.podcast)
      // A step that changed nothing was not recorded.
      guard now != snapshot else { continue }
      _ = try box.library.undo(now: Samples.later(200))
      #expect(try Snapshot(box.library, context.ids, context.podcast) == snapshot, "\(change)")
    }
    // Redo all of them, up to the last state.
    while try box.library.undo(.forward, now: Samples.later(300)) != nil {}
    #expect(try Snapshot(box.library, context.ids, context.podcast) == end)
    #expect(try box.library.integrityCheck() == [])
  }

  @Test func undoSkipsDeletedEpisodes() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let ids = try box.episodes(podcast)
    try box.library.setTags(["t"], of: ids[1], now: Samples.now)
    try box.library.setTags([], of: ids[1], now: Samples.now)
    // The publisher removes the episode, which has no user data any more.
    try box.library.apply(
      feed: Samples.feed([Samples.episode(3), Samples.episode(1)]), to: podcast, now: Samples.now)
    #expect(try box.library.episode(ids[1]) == nil)
    #expect(try box.library.undo(now: Samples.now)?.label == "Tag “Episode 2”")
    #expect(try box.library.allTags() == [])
    // Its id is never reused, or the undo log would refer to another episode.
    let result = try box.library.apply(
      feed: Samples.feed(Samples.episodes(3...9) + [Samples.episode(1)]), to: podcast, now: Samples.now)
    #expect(!result.new.contains(ids[1]))
  }

  @Test func idOfTheNewestEpisodeIsNotReused() throws {
    let podcast = try box.subscribe(Samples.episodes(1...2))
    let before = try box.library.apply(
      feed: Samples.feed(Samples.episodes(1...3)), to: podcast, now: Samples.now
    ).new
    var feed = Samples.feed(Samples.episodes(1...2))
    feed.podcast.isComplete = true
    #expect(try box.library.apply(feed: feed, to: podcast, now: Samples.now).removed.count == 1)
    try box.reopen()
    let after = try box.library.apply(
      feed: Samples.feed(Samples.episodes(1...2) + [Samples.episode(9)]), to: podcast, now: Samples.now
    ).new
    #expect(try #require(after.first) > #require(before.first))
  }
}
