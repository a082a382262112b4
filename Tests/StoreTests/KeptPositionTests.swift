import Foundation
import Model
import Testing

@testable import Store

/// No position is lost, whatever happens to an episode or its feed.
@Suite struct KeptPositionTests {
  /// What happens to a podcast with a partly played episode.
  enum Fate: CaseIterable {
    case gone, goneAndBack, otherFile, otherGUID, otherGUIDAndFile, emptyFeed, movedFeed, mergedFeed
    case deletedAndUndone, playedAndUndone, allPlayedAndUndone, newAndUndone, unsubscribed, unsubscribedAndAddedAgain
    case deletedAndListedAgain, jumpedAndUndone
  }

  private struct Left {
    let box: TemporaryLibrary
    let podcast: PodcastID
    let id: EpisodeID
    var library: Library { box.library }

    init() throws {
      box = try TemporaryLibrary()
      podcast = try box.subscribe(Samples.episodes(1...5))
      id = try box.episodes(podcast)[1]
      try box.library.savePosition(id, seconds: 1002.5, total: 1800, now: Samples.now)
      try box.library.setStatus([id], .paused, now: Samples.now, isUndoable: false)
    }

    func apply(_ episodes: [FeedEpisode]) throws {
      _ = try library.apply(feed: Samples.feed(episodes), to: podcast, now: Samples.later(60))
    }

    func change(_ change: (inout FeedEpisode) -> Void) throws {
      var episodes = Samples.episodes(1...5)
      change(&episodes[1])
      try apply(episodes)
    }

    func undo() throws { _ = try library.undo(now: Samples.later(90)) }
  }

  @Test(arguments: Fate.allCases) func positionIsKept(fate: Fate) throws {
    let left = try Left()
    let (library, id, podcast) = (left.library, left.id, left.podcast)
    switch fate {
    case .gone: try left.apply(Samples.episodes(1...5).filter { $0.title != "Episode 4" })
    case .goneAndBack:
      try left.apply(Samples.episodes(1...5).filter { $0.title != "Episode 4" })
      try left.apply(Samples.episodes(1...5))
    case .otherFile: try left.change { $0.mediaURL = "https://other.example/new.mp3" }
    case .otherGUID: try left.change { $0.guid = "other" }
    case .otherGUIDAndFile:
      try left.change {
        $0.guid = "other"
        $0.mediaURL = "https://other.example/new.mp3"
      }
    case .emptyFeed: try left.apply([])
    case .movedFeed:
      #expect(try library.setFeedURL(podcast, "https://new.example/feed", now: Samples.later(60)) == podcast)
    case .mergedFeed:
      let other = try left.box.subscribe(Samples.episodes(1...5), url: "https://new.example/feed")
      let kept = try library.setFeedURL(podcast, "https://new.example/feed", now: Samples.later(60))
      #expect(kept == podcast || kept == other)
    case .deletedAndUndone:
      try library.setStatus([id], .deleted, now: Samples.later(60))
      try left.undo()
    case .deletedAndListedAgain:
      try library.setStatus([id], .deleted, now: Samples.later(60))
      try left.apply(Samples.episodes(1...5))
      try left.undo()
    case .playedAndUndone:
      try library.setStatus([id], .played, now: Samples.later(60))
      try left.undo()
    case .allPlayedAndUndone:
      try library.markAllPlayed(podcast, now: Samples.later(60))
      try left.undo()
    case .newAndUndone:
      try library.setStatus([id], .new, now: Samples.later(60))
      try left.undo()
    case .unsubscribed: try library.unsubscribe(podcast, now: Samples.later(60))
    case .unsubscribedAndAddedAgain:
      try library.unsubscribe(podcast, now: Samples.later(60))
      #expect(try left.box.subscribe(Samples.episodes(1...5)) == podcast)
    case .jumpedAndUndone:
      try library.jump(in: id, from: nil, to: 3, now: Samples.later(60))
      try library.savePosition(id, seconds: 3, total: nil, now: Samples.later(61))
      try left.undo()
    }
    // A merge may have kept the other podcast's row of the same episode.
    let rows = try library.episodeRows([id]) + library.episodeRows(try library.episodeIDs(EpisodeQuery(.history)))
    let kept = try #require(rows.first { $0.position == 1002.5 })
    #expect(kept.status == .paused && kept.title == "Episode 4")
    #expect(try library.integrityCheck() == [])
  }
}
