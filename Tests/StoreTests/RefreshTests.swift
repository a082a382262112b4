import Foundation
import Model
import Testing

@testable import Store

/// Matching a feed's items with stored episodes, and what happens to episodes that leave their feed.
@Suite struct RefreshTests {
  /// A podcast of five episodes: 5 played, 4 partly played, 3 queued, 2 deleted, 1 untouched.
  private struct Listened {
    let box: TemporaryLibrary
    let podcast: PodcastID
    let ids: [EpisodeID]
    var library: Library { box.library }

    init(_ episodes: [FeedEpisode] = Samples.episodes(1...5)) throws {
      box = try TemporaryLibrary()
      podcast = try box.subscribe(episodes)
      ids = try box.episodes(podcast)
      try box.library.setStatus([ids[0]], .played, now: Samples.now)
      try box.library.savePosition(ids[1], seconds: 99, total: 1801, now: Samples.now)
      try box.library.enqueue([ids[2]], now: Samples.now)
      try box.library.setStatus([ids[3]], .deleted, now: Samples.now)
    }

    func apply(_ episodes: [FeedEpisode], change: (inout FeedPodcast) -> Void = { _ in }) throws -> ApplyResult {
      var feed = Samples.feed(episodes)
      change(&feed.podcast)
      return try box.library.apply(feed: feed, to: podcast, now: Samples.later(60))
    }

    /// Expects that no episode was duplicated or reset.
    func expectUnharmed(sourceLocation: SourceLocation = #_sourceLocation) throws {
      let listed = [ids[0], ids[1], ids[2], ids[4]]
      #expect(Set(try box.episodes(podcast)) == Set(listed), sourceLocation: sourceLocation)
      let rows = try library.episodeRows(listed)
      #expect(rows.map(\.status) == [.played, .playing, .new, .new], sourceLocation: sourceLocation)
      #expect(rows[1].position == 99, sourceLocation: sourceLocation)
      #expect(try library.queue() == [ids[2]], sourceLocation: sourceLocation)
      #expect(try library.podcasts().map(\.unplayed) == [3], sourceLocation: sourceLocation)
      #expect(try library.episode(ids[3])?.row.status == .deleted, sourceLocation: sourceLocation)
      #expect(try library.integrityCheck() == [], sourceLocation: sourceLocation)
    }
  }

  @Test func sameFeedChangesNothing() throws {
    let listened = try Listened()
    #expect(try listened.apply(Samples.episodes(1...5)) == ApplyResult())
    try listened.expectUnharmed()
  }

  @Test func editedEpisodeIsUpdated() throws {
    let listened = try Listened()
    var episodes = Samples.episodes(1...5)
    episodes[1].title = "Edited"
    episodes[1].contentHTML = "<p>More</p>"
    let result = try listened.apply(episodes)
    #expect(result.updated == 1 && result.new.isEmpty)
    let detail = try #require(try listened.library.episode(listened.ids[1]))
    #expect(detail.row.title == "Edited" && detail.feed.contentHTML == "<p>More</p>")
    try listened.expectUnharmed()
  }

  @Test func newEpisodesAreNamedInDocumentOrder() throws {
    let listened = try Listened()
    let result = try listened.apply(Samples.episodes(1...7))
    #expect(try listened.library.episodeRows(result.new).map(\.title) == ["Episode 7", "Episode 6"])
  }

  private static func undated(_ numbers: ClosedRange<Int>) -> [FeedEpisode] {
    Samples.episodes(numbers).map { episode in
      var episode = episode
      episode.pubDate = nil
      return episode
    }
  }

  @Test func episodesWithoutDatesKeepTheDocumentsOrder() throws {
    let box = try TemporaryLibrary()
    let id = try box.subscribe(Self.undated(1...3))
    try box.library.apply(feed: Samples.feed(Self.undated(1...5)), to: id, now: Samples.now)
    #expect(
      try box.titles(EpisodeQuery(.podcast(id))) == ["Episode 5", "Episode 4", "Episode 3", "Episode 2", "Episode 1"])
  }

  /// Chapters without dates, or with one date for all, stay in the order of the feed, which begins with the first or
  /// with the last one, and grows there. Titles may have no numbers.
  @Test(arguments: [nil, 1_600_000_000] as [Double?], [true, false])
  func chaptersKeepTheOrderOfTheFeed(date: Double?, hasNumbers: Bool) throws {
    let chapters = { (numbers: [Int]) in
      numbers.map { number in
        var episode = Samples.episode(number)
        episode.title =
          hasNumbers ? "Chapter \(number)" : "Chapter \(["m", "c", "x", "a", "k", "b", "z", "d", "y"][number])"
        episode.pubDate = date.map(Date.init(timeIntervalSince1970:))
        return episode
      }
    }
    for (index, orders) in [
      [[1, 2, 3], [1, 2, 3, 4, 5], [2, 3, 4, 5, 6]], [[3, 2, 1], [5, 4, 3, 2, 1], [6, 5, 4, 3, 2]],
    ]
    .enumerated() {
      let box = try TemporaryLibrary()
      let id = try box.subscribe(chapters(orders[0]))
      for order in orders {
        try box.library.apply(feed: Samples.feed(chapters(order)), to: id, now: Samples.now)
        let listed = try box.library.episodes(box.episodes(id)).filter { !$0.row.isGoneFromFeed }.map(\.feed.guid)
        #expect(listed == order.map { "guid-\($0)" })
      }
      // The one that left the feed is where it was.
      #expect(
        try box.library.episodes(box.episodes(id)).map(\.feed.guid).firstIndex(of: "guid-1") == (index == 0 ? 0 : 5))
      // Lists by age, of all podcasts.
      for (order, first) in [("oldest", "guid-1"), ("newest", "guid-6")] {
        let filter = try EpisodeFilter(parsing: "not queued order \(order)")
        let ids = try box.library.episodeIDs(EpisodeQuery(.matching(filter)))
        #expect(try box.library.episodes(ids).first?.feed.guid == first)
      }
      let last = try #require(box.library.episodeIDs(EpisodeQuery(.new)).first)
      #expect(try box.library.episode(last)?.feed.guid == "guid-6")
    }
  }

  /// An audiobook is listed from its first part in either order of the feed, and its first part is new.
  @Test(arguments: [[1, 2, 3, 4], [4, 3, 2, 1]]) func audiobookWithoutDatesIsReadFromItsStart(order: [Int]) throws {
    let box = try TemporaryLibrary()
    var feed = Samples.feed(
      order.map {
        var episode = Samples.episode($0)
        episode.pubDate = nil
        return episode
      })
    feed.podcast.medium = "audiobook"
    let id = try box.library.subscribe(
      feed: feed, feedURL: "https://example.org/feed", info: RefreshInfo(catalogueRule: .standard), now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.podcast(id))) == (1...4).map { "Episode \($0)" })
    #expect(try box.titles(EpisodeQuery(.new)) == ["Episode 1"])
  }

  /// Pages of the archive are older.
  @Test func pageWithoutDatesFollowsTheFeed() throws {
    let box = try TemporaryLibrary()
    let id = try box.subscribe(Self.undated(4...6))
    try box.library.applyPage(Samples.feed(Self.undated(1...3)), to: id, now: Samples.now)
    #expect(try box.titles(EpisodeQuery(.podcast(id))) == (1...6).reversed().map { "Episode \($0)" })
  }

  /// One change to every episode of a feed at once.
  enum Upheaval: String, CaseIterable {
    case guids, guidsRemoved, addresses, hosts, datesAndGuids, datesAndAddresses, guidsAndQueries, guidsAndAddresses
    case titlesAndAddresses, titlesAndGuids, dates, datesRemoved

    func apply(_ episode: inout FeedEpisode) {
      let name = episode.guid ?? ""
      switch self {
      case .guids: episode.guid = "other-\(name)"
      case .guidsRemoved: episode.guid = nil
      case .addresses: episode.mediaURL = "https://other.example/\(name)/file.mp3"
      case .hosts: episode.mediaURL = episode.mediaURL?.replacingOccurrences(of: "cdn.", with: "media.")
      case .datesAndGuids:
        episode.guid = "other-\(name)"
        episode.pubDate = episode.pubDate?.addingTimeInterval(3600)
      case .datesAndAddresses:
        episode.mediaURL = "https://other.example/\(name)/file.mp3"
        episode.pubDate = episode.pubDate?.addingTimeInterval(3600)
      case .guidsAndQueries:
        episode.guid = "other-\(name)"
        episode.mediaURL = (episode.mediaURL ?? "") + "?token=\(name)"
      case .guidsAndAddresses:
        episode.guid = "other-\(name)"
        episode.mediaURL = "https://other.example/\(name)/file.mp3"
      case .titlesAndAddresses:
        episode.title = "Retitled \(name)"
        episode.mediaURL = "https://other.example/\(name)/file.mp3"
      case .dates: episode.pubDate = episode.pubDate?.addingTimeInterval(-86400 * 400)
      case .datesRemoved: episode.pubDate = nil
      case .titlesAndGuids:
        episode.title = "Retitled \(name)"
        episode.guid = "other-\(name)"
      }
    }
  }

  @Test(arguments: Upheaval.allCases)
  func changeOfEveryItemDuplicatesAndLosesNothing(upheaval: Upheaval) throws {
    let listened = try Listened()
    var episodes = Samples.episodes(1...5)
    for index in episodes.indices { upheaval.apply(&episodes[index]) }
    let result = try listened.apply(episodes)
    #expect(result.new.isEmpty && result.updated == 5 && result.gone == 0 && result.removed.isEmpty)
    try listened.expectUnharmed()
    // The reverse change.
    #expect(try listened.apply(Samples.episodes(1...5)).new.isEmpty)
    try listened.expectUnharmed()
  }

  /// `play.php?id=1`, `?id=2`: different files, although they look the same without their queries.
  /// Bulletins of one publisher also have the same duration.
  @Test(arguments: [900, Samples.episode(1).duration]) func significantQueryIsNoToken(duration: Int?) throws {
    let withQuery = { (numbers: ClosedRange<Int>, salt: String) in
      Samples.episodes(numbers).map { episode in
        var episode = episode
        episode.mediaURL = "https://example.org/play.php?id=\(episode.guid ?? "")"
        episode.guid? += salt
        return episode
      }
    }
    let box = try TemporaryLibrary()
    let one = try box.subscribe(withQuery(1...1, ""))
    let first = try box.episodes(one)
    try box.library.setStatus(first, .played, now: Samples.now)
    // A feed with only the newest episode: another id, another title, another date.
    var next = withQuery(2...2, "")
    next[0].duration = duration
    let result = try box.library.apply(feed: Samples.feed(next), to: one, now: Samples.now)
    #expect(result.new.count == 1)
    #expect(try box.library.episodeRows(first).map(\.status) == [.played])
    // In a feed with several episodes the address with its query decides.
    let listened = try Listened(withQuery(1...5, ""))
    #expect(try listened.apply(withQuery(1...6, "-changed")).new.count == 1)
    try listened.library.setStatus(Array(listened.box.episodes(listened.podcast).prefix(1)), .deleted, now: Samples.now)
    try listened.expectUnharmed()
  }

  /// All episodes have the same guid, or the same address.
  @Test(arguments: [true, false]) func valueOfAllEpisodesIsNotUsedForMatching(isGuid: Bool) throws {
    let same = { (numbers: ClosedRange<Int>) in
      Samples.episodes(numbers).map { episode in
        var episode = episode
        if isGuid { episode.guid = "https://example.org" } else { episode.mediaURL = "https://example.org/live" }
        return episode
      }
    }
    let listened = try Listened(same(1...5))
    #expect(try listened.apply(same(1...6)).new.count == 1)
    if isGuid { #expect(try listened.apply(same(1...6)) == ApplyResult()) }
    #expect(try listened.box.episodes(listened.podcast).count == 5)
  }

  @Test func repeatedItemIsOneEpisode() throws {
    var episodes = Samples.episodes(1...3)
    episodes.append(episodes[0])
    var edited = episodes[1]
    edited.title = "The same, edited"
    episodes.append(edited)
    let box = try TemporaryLibrary()
    let id = try box.subscribe(episodes)
    #expect(try box.episodes(id).count == 3)
    try box.library.apply(feed: Samples.feed(episodes.reversed()), to: id, now: Samples.now)
    #expect(try box.episodes(id).count == 3)
  }

  @Test func emptyItemsAreStoredOnce() throws {
    var titled = FeedEpisode()
    titled.title = "Only a title"
    let box = try TemporaryLibrary()
    let id = try box.subscribe([titled, FeedEpisode(), FeedEpisode()])
    #expect(try box.episodes(id).count == 2)
    titled.summary = "Now with a text"
    let result = try box.library.apply(feed: Samples.feed([titled, FeedEpisode()]), to: id, now: Samples.now)
    #expect(result.new.isEmpty && result.updated == 1)
  }

  @Test func oldItemsOutsideTheFeedAreMarkedGone() throws {
    let listened = try Listened()
    let result = try listened.apply(Samples.episodes(4...8))
    #expect(result.new.count == 3 && result.gone == 3 && result.removed.isEmpty)
    let rows = try listened.library.episodeRows(listened.ids)
    #expect(rows.map(\.isGoneFromFeed) == [false, false, true, true, true])
    // The episodes come back.
    #expect(try listened.apply(Samples.episodes(1...8)).new.isEmpty)
    #expect(try listened.library.episodeRows(listened.ids).allSatisfy { !$0.isGoneFromFeed })
  }

  @Test func removedItemsWithoutUserDataAreDeleted() throws {
    let listened = try Listened(Samples.episodes(0...11))
    let library = listened.library
    let ids = listened.ids
    // 11 played, 10 partly played, 9 queued, 8 deleted, and further:
    try library.addToPlaylist(#require(library.playlists().first).id, [.episode(ids[4])], now: Samples.now)
    _ = try library.addClip(of: ids[5], startTime: 0, endTime: 1, now: Samples.now)
    try library.saveDownload(Download(episode: ids[6], fileName: "f.mp3", downloadComplete: true), now: Samples.now)
    try library.setTags(["later"], of: ids[7])
    try library.record(ListeningEvent(episode: ids[8], kind: .start, timestamp: Samples.now))
    // 2 and 1 are untouched; 0 and 12 are still in the feed.
    let result = try listened.apply([Samples.episode(12), Samples.episode(0)])
    #expect(result.new.count == 1 && result.removed.count == 2 && result.gone == 9)
    #expect(try library.episode(ids[9]) == nil && library.episode(ids[10]) == nil)
    for id in ids[..<9] { #expect(try library.episode(id)?.row.isGoneFromFeed == true) }
    #expect(try library.integrityCheck() == [])
  }

  /// A queued episode can be shown and played even if no feed has it any more. It is deleted when nothing refers to
  /// it.
  @Test func queuedEpisodesAreKeptUntilDequeued() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let id = try box.episodes(podcast)[1]
    try box.library.enqueue([id], now: Samples.now)
    let without = Samples.feed([Samples.episode(3), Samples.episode(1)])
    #expect(try box.library.apply(feed: without, to: podcast, now: Samples.now).gone == 1)
    let kept = try #require(try box.library.episode(id))
    #expect(kept.row.isGoneFromFeed && kept.row.title == "Episode 2")
    #expect(kept.feed.mediaURL == "https://cdn.example.org/2.mp3")
    #expect(try box.library.search("\"episode 2\"").map(\.row.id) == [id])
    try box.library.dequeue([id], now: Samples.now)
    #expect(try box.library.apply(feed: without, to: podcast, now: Samples.now).removed.count == 1)
    #expect(try box.library.episode(id) == nil)
    // Undoing the queue's edit now restores nothing, and breaks nothing.
    #expect(try box.library.undo(now: Samples.now) != nil)
    #expect(try box.library.queue() == [] && box.library.integrityCheck() == [])
  }

  @Test func truncatedFeedRemovesNothing() throws {
    let changes: [(inout FeedPodcast) -> Void] = [
      { $0.damaged = true }, { $0.nextPageURL = "https://example.org/2" }, { $0.isArchive = true },
      { $0.previousArchiveURL = "https://example.org/old" },
    ]
    for change in changes {
      let listened = try Listened()
      let result = try listened.apply([Samples.episode(5), Samples.episode(1)], change: change)
      #expect(result == ApplyResult())
      try listened.expectUnharmed()
    }
    let listened = try Listened()
    #expect(try listened.apply([]) == ApplyResult())
    try listened.expectUnharmed()
  }

  @Test func completeFeedRemovesMissingEpisodes() throws {
    let listened = try Listened()
    let result = try listened.apply([Samples.episode(5)]) { $0.isComplete = true }
    #expect(result.removed.count == 1 && result.gone == 3)
  }

  @Test func feedThatSuddenlyListsFewEpisodesRemovesNone() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...300))
    let few = Samples.feed([Samples.episode(300), Samples.episode(299), Samples.episode(1)])
    let result = try box.library.apply(feed: few, to: podcast, now: Samples.now)
    #expect(result.removed.isEmpty && result.gone == 297 && result.kept == 297)
    #expect(try box.episodes(podcast).count == 300)
    // The next refresh changes nothing, and the one after finds all episodes again.
    #expect(try box.library.apply(feed: few, to: podcast, now: Samples.now) == ApplyResult())
    let whole = Samples.feed(Samples.episodes(1...300))
    #expect(try box.library.apply(feed: whole, to: podcast, now: Samples.now).new.isEmpty)
    let rows = try box.library.episodeRows(box.episodes(podcast))
    #expect(rows.allSatisfy { !$0.isGoneFromFeed })
  }

  @Test func feedThatSuddenlyListsOnlyTheNewestIsReported() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...300))
    let few = Samples.feed(Samples.episodes(298...300))
    let result = try box.library.apply(feed: few, to: podcast, now: Samples.now)
    #expect(result.removed.isEmpty && result.gone == 297 && result.kept == 297)
    #expect(try box.library.apply(feed: few, to: podcast, now: Samples.now).kept == 0)
    // The list moves on by many new episodes at once.
    let next = try box.subscribe(Samples.episodes(1...30), url: "https://example.org/next")
    let moved = try box.library.apply(feed: Samples.feed(Samples.episodes(31...60)), to: next, now: Samples.now)
    #expect(moved.new.count == 30 && moved.gone == 30 && moved.kept == 0)
  }

  @Test func completeFeedMayRemoveOnlyAFewEpisodes() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...300))
    var few = Samples.feed(Samples.episodes(1...3))
    few.podcast.isComplete = true
    #expect(try box.library.apply(feed: few, to: podcast, now: Samples.now).removed.isEmpty)
    #expect(try box.episodes(podcast).count == 300)
  }

  @Test func removedEpisodesAreListed() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...40))
    let without = Samples.feed(Samples.episodes(1...40).filter { !["7", "8", "9"].contains($0.title?.dropFirst(8)) })
    let result = try box.library.apply(feed: without, to: podcast, now: Samples.now)
    #expect(Set(result.removed) == ["Episode 7", "Episode 8", "Episode 9"] && result.kept == 0)
    #expect(try box.episodes(podcast).count == 37)
  }

  /// A feed of the newest ten items that also lists a trailer, or an item without a correct date, for ever.
  @Test(arguments: [[0], [-9, 0], [-9, -8, 0]]) func episodeThatLeavesAboveAPinnedOneIsKept(pinned: [Int]) throws {
    let box = try TemporaryLibrary()
    func items(from first: Int) -> [FeedEpisode] { Samples.episodes(first...(first + 9)) + pinned.map(Samples.episode) }
    let podcast = try box.subscribe(items(from: 1))
    for first in 2...12 {
      let result = try box.library.apply(feed: Samples.feed(items(from: first)), to: podcast, now: Samples.now)
      #expect(result.removed.isEmpty && result.gone == 1)
    }
    #expect(try box.episodes(podcast).count == 21 + pinned.count)
  }

  /// A mixed-up cache sends the feed of another podcast once.
  @Test func feedOfAnotherPodcastRemovesNothing() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...12))
    let own = try box.episodes(podcast)
    let others = (0..<150).map { number in
      var episode = Samples.episode(number / 10)
      episode.title = "Other \(number)"
      episode.guid = "other-\(number)"
      episode.mediaURL = "https://other.example/\(number).mp3"
      return episode
    }
    let result = try box.library.apply(feed: Samples.feed(others), to: podcast, now: Samples.now)
    #expect(result.removed.isEmpty)
    let back = try box.library.apply(feed: Samples.feed(Samples.episodes(1...12)), to: podcast, now: Samples.now)
    #expect(back.new.isEmpty)
    #expect(try box.library.episodeRows(own).count == 12)
    #expect(try box.library.episodeRows(own).allSatisfy { !$0.isGoneFromFeed })
  }

  /// A host answers once with an item that says why there is no feed.
  @Test func errorItemIsRemoved() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...12))
    var error = FeedEpisode()
    error.title = "This feed does not exist"
    let result = try box.library.apply(feed: Samples.feed([error]), to: podcast, now: Samples.now)
    #expect(result.removed.isEmpty)
    let back = try box.library.apply(feed: Samples.feed(Samples.episodes(1...12)), to: podcast, now: Samples.now)
    #expect(back.removed == ["This feed does not exist"] && back.new.isEmpty)
    #expect(try box.episodes(podcast).count == 12)
  }

  @Test(arguments: [false, true]) func cutOffOrEmptyFeedDoesNotChangeThePodcast(isEmpty: Bool) throws {
    let box = try TemporaryLibrary()
    var whole = Samples.feed(Samples.episodes(1...3), title: "The very long title")
    whole.podcast.summary = "About"
    let podcast = try box.library.subscribe(feed: whole, feedURL: "https://example.org/f", now: Samples.now)
    var part = Feed(episodes: [])
    if !isEmpty {
      part.podcast.title = "The very"
      part.podcast.isCutOff = true
    }
    part.podcast.damaged = !isEmpty
    _ = try box.library.apply(feed: part, to: podcast, now: Samples.now)
    let detail = try #require(try box.library.podcastDetail(podcast))
    #expect(detail.row.title == "The very long title" && detail.feed.summary == "About")
  }

  /// Some feeds have their title and their live items after the items. What a part lacks stays.
  @Test func partOfAFeedKeepsWhatItLacks() throws {
    let box = try TemporaryLibrary()
    var live = FeedEpisode()
    (live.title, live.mediaURL) = ("On air", "https://live.example/stream")
    var whole = Samples.feed(Samples.episodes(1...3), title: "The title")
    (whole.podcast.summary, whole.podcast.link, whole.podcast.isComplete) = ("About", "https://example.org", true)
    (whole.podcast.categories, whole.podcast.explicit) = (["News"], true)
    whole.podcast.liveItems = [LiveItem(status: "live", start: Samples.now, episode: live)]
    let podcast = try box.library.subscribe(feed: whole, feedURL: "https://example.org/f", now: Samples.now)
    let before = try #require(try box.library.podcastDetail(podcast))
    var part = Feed(episodes: Samples.episodes(2...3))
    (part.podcast.damaged, part.podcast.isCutOff) = (true, true)
    (part.podcast.summary, part.podcast.explicit) = ("Changed", false)
    _ = try box.library.apply(feed: part, to: podcast, now: Samples.later(60))
    let detail = try #require(try box.library.podcastDetail(podcast))
    #expect(detail.row == before.row && detail.row.isLive)
    var expected = before.feed
    (expected.summary, expected.explicit) = ("Changed", false)
    (expected.damaged, expected.isCutOff) = (true, true)
    #expect(detail.feed == expected)
    // The whole feed decides again.
    whole.podcast.liveItems = []
    _ = try box.library.apply(feed: whole, to: podcast, now: Samples.later(120))
    #expect(try box.library.podcastDetail(podcast)?.row.isLive == false)
    #expect(try box.library.podcastDetail(podcast)?.feed.isCutOff == false)
  }

  /// The server says so (`Last-Modified`). The same for `lastBuildDate` is in `SubscriptionTests`.
  @Test func oldCopyRemovesNothing() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...3))
    let result = try box.library.apply(
      feed: Samples.feed(Samples.episodes(1...2)), to: podcast, info: RefreshInfo(isOldCopy: true), now: Samples.now)
    #expect(result == ApplyResult())
    #expect(try box.episodes(podcast).count == 3)
  }

  /// A part without the head changes nothing of it. A feed without end tags has its head.
  @Test func feedWithoutEndTagsRenamesThePodcast() throws {
    let box = try TemporaryLibrary()
    let podcast = try box.subscribe(Samples.episodes(1...3))
    var feed = Samples.feed(Samples.episodes(1...3), title: "Renamed")
    (feed.podcast.isCutOff, feed.podcast.damaged) = (true, true)
    _ = try box.library.apply(feed: feed, to: podcast, now: Samples.now)
    #expect(try box.library.podcastDetail(podcast)?.row.title == "Renamed")
  }

  /// A feed of short texts lists its ten newest ones, without dates.
  @Test func textsWithoutDatesStay() throws {
    let box = try TemporaryLibrary()
    func texts(_ numbers: ClosedRange<Int>) -> [FeedEpisode] {
      numbers.reversed().map { number in
        var text = FeedEpisode()
        (text.title, text.guid) = ("Text \(number)", "text-number-\(number)")
        return text
      }
    }
    let podcast = try box.subscribe(texts(1...10))
    let result = try box.library.apply(feed: Samples.feed(texts(2...11)), to: podcast, now: Samples.now)
    #expect(result.removed.isEmpty && result.gone == 1 && result.new.count == 1)
  }

  @Test func archivePageOnlyAdds() throws {
    let listened = try Listened()
    let page = Samples.feed(Samples.episodes(-3...1), title: "Archive 1")
    let result = try listened.library.applyPage(page, to: listened.podcast, now: Samples.now)
    #expect(result.new.count == 4 && result.gone == 0 && result.removed.isEmpty)
    #expect(try listened.library.podcasts().map(\.title) == ["A Podcast"])
  }

  @Test func deletedStaysDeletedWhateverTheFeedSays() throws {
    let listened = try Listened()
    var episodes = Samples.episodes(1...5)
    episodes[3].title = "Edited so that you see it again"
    episodes[3].guid = "new guid"
    #expect(try listened.apply(episodes).new.isEmpty)
    #expect(try !listened.box.episodes(listened.podcast).contains(listened.ids[3]))
    #expect(try !listened.library.episodeIDs(EpisodeQuery(.new)).contains(listened.ids[3]))
  }

  @Test func refreshOfAnUnknownPodcastIsAnError() throws {
    let box = try TemporaryLibrary()
    #expect(throws: StoreError.unknown("podcast 99")) {
      try box.library.apply(feed: Samples.feed(Samples.episodes(1...2)), to: PodcastID(99), now: Samples.now)
    }
    #expect(try box.value(Int.self, "SELECT count(*) FROM episode") == 0)
  }

  @Test func hostileTextsAreStoredUnchanged() throws {
    var episode = Samples.episode(1)
    episode.title = "'; DROP TABLE episode; --\u{1b}[2J"
    episode.guid = "a\0b"
    episode.pubDate = Date(timeIntervalSince1970: .infinity)
    episode.duration = .max
    episode.mediaBytes = .min
    episode.soundbites = [Soundbite(startTime: .nan, duration: .infinity)]
    episode.chapters = [Chapter(start: .infinity, title: "x")]
    let box = try TemporaryLibrary()
    let id = try box.subscribe([episode])
    let stored = try #require(try box.library.episode(box.episodes(id)[0]))
    #expect(stored.row.title == episode.title && stored.feed.guid == "ab" && stored.feed.pubDate == nil)
    #expect(stored.feed.chapters == episode.chapters && stored.feed.soundbites.isEmpty)
    #expect(try box.library.apply(feed: Samples.feed([episode]), to: id, now: Samples.now) == ApplyResult())
  }

  @Test(arguments: [("https://x.example/a.torrent", nil), ("https://x.example/1", "application/x-bittorrent")])
  func torrentIsNothingToPlay(url: String, type: String?) throws {
    let box = try TemporaryLibrary()
    var episode = Samples.episode(1)
    (episode.mediaURL, episode.mediaType) = (url, type)
    episode.enclosures = [Enclosure(url: url, type: type)]
    let id = try box.episodes(box.subscribe([episode]))[0]
    let detail = try #require(try box.library.episode(id))
    #expect(!detail.row.hasMedia && detail.feed.mediaURL == nil && detail.feed.enclosures == episode.enclosures)
  }
}
