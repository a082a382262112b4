import Foundation
import Model
import Testing

@testable import Store

/// Undone changes can be redone, and the listener is told what undo or redo would change.
@Suite struct RedoTests {
  private let box: TemporaryLibrary
  private var library: Library { box.library }

  init() throws { box = try TemporaryLibrary() }

  /// Another program's library: podcasts with a played, a partly played and a queued episode each.
  private func foreign(_ podcasts: Int) -> ForeignLibrary {
    ForeignLibrary(
      program: "elsewhere",
      podcasts: (1...podcasts).map { number in
        ForeignPodcast(
          feedURL: "https://\(number).example", title: "Podcast \(number)", tags: ["taken"],
          episodes: [
            .sample(1, .played), .sample(2, .paused, position: 9.5), .sample(3, place: number),
          ])
      })
  }

  @Test func changeWithoutAnEffectKeepsTheRedo() throws {
    let ids = try box.episodes(box.subscribe(Samples.episodes(1...2)))
    let clip = try library.addClip(
      of: ids[0], startTime: 1, endTime: 2, title: "A", tags: ["a", "b"], now: Samples.now)
    try library.setPosition(ids[1], seconds: 93, now: Samples.now)
    try library.enqueue([ids[0]], now: Samples.now)
    #expect(try library.undo(now: Samples.now) != nil)
    let steps = try library.undoEntries(limit: 9)
    let isChanged = try library.changeClip(clip, now: Samples.later(1)) { ($0.title, $0.tags) = (" A ", ["b", "a"]) }
    #expect(!isChanged)
    try library.setPosition(ids[1], seconds: 93, now: Samples.later(1))
    #expect(try library.undoEntries(limit: 9) == steps)
    #expect(try library.undo(.forward, now: Samples.later(2)) != nil)
    #expect(try library.queue() == [ids[0]])
    // The same position of an episode that was played since is a change.
    try library.setStatus([ids[1]], .played, now: Samples.later(3))
    try library.setPosition(ids[1], seconds: 93, now: Samples.later(4))
    #expect(try library.episodeRows([ids[1]]).first?.status == .paused)
  }

  private struct Everything: Equatable {
    var podcasts: [PodcastRow]
    var tags: [[String]?]
    var rows: [EpisodeRow]
    var queue: [EpisodeID]

    init(_ library: Library) throws {
      podcasts = try library.podcasts()
      tags = try library.podcasts(withFormer: true).map { try library.podcastDetail($0.id)?.row.tags }
      rows = try library.podcasts(withFormer: true).flatMap { podcast in
        try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast.id))))
      }
      queue = try library.queue()
    }
  }

  @Test func importIsUndoneAndRedoneWithAllData() throws {
    let none = try Everything(library)
    _ = try library.importLibrary(foreign(20), now: Samples.now)
    let all = try Everything(library)
    #expect(all.podcasts.count == 20 && all.queue.count == 20)
    let plan = try #require(try library.undoPlan(.back))
    #expect(plan.label == "Import from elsewhere" && plan.timestamp == Samples.now)
    #expect(
      plan.consequence
        == "Unsubscribe from 20 podcasts, put back the tags of 20 things, mark 40 episodes as new, and take 20 episodes out of the queue."
    )
    #expect(plan.count == 100 && plan.needsConfirmation(since: Samples.now))
    for _ in 1...2 {
      let next = try library.undoPlan(.back)?.id
      #expect(try library.undo(.back, only: next, now: Samples.later(1)) != nil)
      #expect(try library.podcasts() == none.podcasts)
      #expect(try library.queue() == [])
      try box.reopen()
      let again = try #require(try library.undoPlan(.forward))
      #expect(again.label == plan.label && again.timestamp == plan.timestamp)
      #expect(again.consequence.hasPrefix("Subscribe again to 20 podcasts, tag 20 things again, mark 20"))
      #expect(try library.undo(.forward, only: again.id, now: Samples.later(2)) != nil)
      #expect(try Everything(library) == all)
    }
    #expect(try library.integrityCheck() == [])
  }

  @Test func newChangeRemovesTheRedoSteps() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    _ = try library.undo(now: Samples.now)
    #expect(try library.undoEntries(.forward, limit: 9).count == 1)
    #expect(try library.undoEntries(.back, limit: 9).isEmpty)
    // Changes that the player makes itself are not undoable.
    try library.savePosition(ids[0], seconds: 5, total: nil, now: Samples.now)
    try library.setStatus([ids[0]], .paused, now: Samples.now, isUndoable: false)
    #expect(try library.undoPlan(.forward) != nil)
    try library.enqueue([ids[1]], now: Samples.now)
    #expect(try library.undoPlan(.forward) == nil)
    #expect(try library.undo(.forward, now: Samples.now) == nil)
  }

  @Test func onlyTheConfirmedStepIsUndone() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[0]], .deleted, now: Samples.now)
    let plan = try #require(try library.undoPlan(.back))
    try library.enqueue([ids[1]], now: Samples.now)
    #expect(try library.undo(.back, only: plan.id, now: Samples.now) == nil)
    #expect(try library.queue() == [ids[1]])
    #expect(try library.undoEntries(limit: 9).count == 2)
  }

  @Test func planDescribesEachKindOfStep() throws {
    let podcast = try box.subscribe(Samples.episodes(1...9))
    let ids = try box.episodes(podcast)
    func expectPlan(_ consequence: String, _ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let plan = try library.undoPlan(.back)
      #expect(plan?.consequence == consequence && plan?.count == count, sourceLocation: sourceLocation)
    }
    try library.enqueue(ids, now: Samples.now)
    try expectPlan("Take 9 episodes out of the queue.", 9)
    try library.moveInQueue([ids[8]], to: 0, now: Samples.now)
    try expectPlan("Put back the order of the queue.", 1)
    try library.markAllPlayed(podcast, now: Samples.now)
    try expectPlan("Mark 9 episodes as new, and queue 9 episodes.", 18)
    _ = try library.undo(now: Samples.now)
    try library.unsubscribe(podcast, now: Samples.now)
    try expectPlan("Subscribe to “A Podcast”.", 1)
    let list = try library.addPlaylist(title: "List", items: ids.map { .episode($0) }, now: Samples.now)
    try expectPlan("Delete the playlist “List” (9 entries).", 9)
    try library.deletePlaylist(list, now: Samples.now)
    try expectPlan("Put back the playlist “List” (9 entries).", 9)
    _ = try library.addClip(of: ids[0], startTime: 1, endTime: 2, now: Samples.now)
    try expectPlan("Delete a clip.", 1)
    try library.setTags(["x"], of: podcast, now: Samples.now)
    try expectPlan("Put back the tags.", 1)
  }

  @Test func oldStepsNeedConfirmation() {
    let plan = UndoPlan(
      id: 1, direction: .back, label: "Delete “X”", timestamp: Samples.now, count: 5,
      consequence: "Mark 1 episode as new.")
    #expect(!plan.needsConfirmation(since: Samples.now) && plan.needsConfirmation(since: Samples.later(1)))
    #expect(plan.question(date: "14 Nov") == "Undo “Delete “X”” (14 Nov)? Mark 1 episode as new.")
  }

  /// The publisher removed the episode while its clip was undone.
  @Test func clipOfADeletedEpisodeIsNotRedone() throws {
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let ids = try box.episodes(podcast)
    _ = try library.addClip(of: ids[1], startTime: 1, endTime: 2, now: Samples.now)
    _ = try library.undo(now: Samples.now)
    try library.apply(feed: Samples.feed([Samples.episode(3), Samples.episode(1)]), to: podcast, now: Samples.now)
    #expect(try library.episode(ids[1]) == nil)
    #expect(try library.undo(.forward, now: Samples.now) != nil)
    #expect(try library.clips().isEmpty)
    #expect(try library.integrityCheck() == [])
  }

  @Test func oldestStepsAreDropped() throws {
    let ids = try box.episodes(box.subscribe(Samples.episodes(1...2)))
    for step in 0...UndoLog.limit + 5 {
      try library.setStatus([ids[0]], step % 2 == 0 ? .deleted : .new, now: Samples.later(Double(step)))
      if step % 50 == 3 {
        _ = try library.undo(now: Samples.now)
        _ = try library.undo(.forward, now: Samples.now)
      }
    }
    #expect(try library.undoEntries(limit: 9999).count == UndoLog.limit)
  }
}
