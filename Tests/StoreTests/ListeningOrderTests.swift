import Foundation
import Model
import Testing

@testable import Store

/// Podcasts that are heard from the first episode to the last.
@Suite struct ListeningOrderTests {
  private let box: TemporaryLibrary
  private var library: Library { box.library }

  init() throws { box = try TemporaryLibrary() }

  private func addSerial(_ rule: CatalogueRule = .standard, type: String = "serial") throws -> PodcastID {
    var feed = Samples.feed(Samples.episodes(1...5))
    feed.podcast.type = type
    return try library.subscribe(
      feed: feed, feedURL: "https://example.org/feed", info: RefreshInfo(catalogueRule: rule), now: Samples.now)
  }

  private var new: [String] { get throws { try box.titles(EpisodeQuery(.new)) } }

  private func start(_ podcast: PodcastID) throws -> String? {
    let list = try library.episodeList(EpisodeQuery(.podcast(podcast)), around: nil, count: 3)
    return try list.start.map { try library.episodeRows([$0])[0].title }
  }

  @Test func serialBeginsWithItsFirstEpisode() throws {
    let podcast = try addSerial()
    #expect(try box.titles(EpisodeQuery(.podcast(podcast))).first == "Episode 1")
    #expect(try start(podcast) == "Episode 1")
    #expect(try new == ["Episode 1"])
    #expect(try library.podcasts().map(\.new) == [1])
  }

  @Test func nextEpisodeAfterTheLastHeardIsNew() throws {
    let podcast = try addSerial(.all)
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[0], ids[2]], .played, now: Samples.now)
    #expect(try new == ["Episode 4"], "after the last heard, not the one that was left out")
    #expect(try start(podcast) == "Episode 4")
    try library.savePosition(ids[3], seconds: 42, total: nil, now: Samples.now)
    #expect(try new == ["Episode 4"], "it has not ended")
    try library.setStatus([ids[4]], .played, now: Samples.now)
    #expect(try new == [] && library.podcasts().map(\.new) == [0])
    #expect(try start(podcast) == nil)
  }

  @Test func serialThatIsNotWantedInNewIsThereOnceItIsBegun() throws {
    let podcast = try addSerial(.none)
    #expect(try new == [])
    try library.setStatus([box.episodes(podcast)[0]], .played, now: Samples.now)
    #expect(try new == ["Episode 2"])
  }

  @Test func newIsEmptiedAlsoOfSerials() throws {
    let podcast = try addSerial()
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[0]], .played, now: Samples.now, emptiesNew: true)
    #expect(try new == [] && library.podcasts().map(\.new) == [0])
    #expect(try start(podcast) == "Episode 2", "the listener is still there")
    _ = try library.undo(now: Samples.now)
    #expect(try new == ["Episode 1"] && library.podcasts().map(\.new) == [1])
    _ = try library.undo(.forward, now: Samples.now)
    #expect(try new == [])
    var feed = Samples.feed(Samples.episodes(1...6))
    feed.podcast.type = "serial"
    try library.apply(feed: feed, to: podcast, info: RefreshInfo(catalogueRule: .standard), now: Samples.later(60))
    #expect(try new == ["Episode 2"], "a new episode has arrived")
    try library.setStatus([ids[1]], .played, now: Samples.later(60), emptiesNew: true)
    #expect(try new == [])
    try library.setStatus([ids[2]], .played, now: Samples.later(70))
    #expect(try new == ["Episode 4"], "it goes on")
  }

  @Test func listenerChoosesTheOrder() throws {
    let podcast = try addSerial(.all, type: "episodic")
    func order(_ order: EpisodeOrder?) throws -> String? {
      try library.change(.order(order), of: podcast)
      return try box.titles(EpisodeQuery(.podcast(podcast))).first
    }
    #expect(try order(nil) == "Episode 5" && new.count == 5 && start(podcast) == nil)
    #expect(try order(.oldest) == "Episode 1" && new == ["Episode 1"])
    #expect(try order(.newest) == "Episode 5" && new.count == 5)
    let serial = try library.subscribe(
      feed: Samples.feed(Samples.episodes(11...12)), feedURL: "https://example.org/other",
      info: RefreshInfo(catalogueRule: .all), now: Samples.now)
    try library.change(.order(.oldest), of: serial)
    #expect(try new == ["Episode 11"] + (1...5).reversed().map { "Episode \($0)" }, "by date")
    #expect(try box.titles(EpisodeQuery(.new, unplayedOnly: true)).count == 6)
    var words = EpisodeQuery(.new)
    words.titleContains = "episode 11"
    #expect(try box.titles(words) == ["Episode 11"])
    try library.unsubscribe(serial, now: Samples.now)
    #expect(try new.count == 5, "without the former podcast")
  }

  @Test func queueIsSorted() throws {
    let ids = try box.fill()
    try library.enqueue([ids[3], ids[1], ids[7]], now: Samples.now)
    #expect(try library.sortQueue(.newest, now: Samples.now))
    #expect(try library.queue() == [ids[1], ids[3], ids[7]])
    #expect(try !library.sortQueue(.newest, now: Samples.now), "it has this order already")
    try library.sortQueue(.oldest, first: ids[1], now: Samples.now)
    #expect(try library.queue() == [ids[1], ids[7], ids[3]], "the playing one stays at the front")
    for order in QueueOrder.allCases {
      try library.sortQueue(order, now: Samples.now)
      #expect(try Set(library.queue()) == [ids[1], ids[3], ids[7]])
    }
    try library.sortQueue(.oldest, now: Samples.now)
    try library.sortQueue(.newest, now: Samples.now)
    _ = try library.undo(now: Samples.now)
    #expect(try library.queue() == [ids[7], ids[3], ids[1]])
  }
}
