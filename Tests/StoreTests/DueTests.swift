import Foundation
import Model
import Testing

@testable import Store

/// What the library stores about feeds to decide which are due.
@Suite struct DueTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  private let schedule = RefreshSchedule(every: 3600)

  @Test func feedIsDueAnHourAfterItsRequest() throws {
    let id = try box.subscribe([])
    #expect(try box.library.lastAsked() == Samples.now)
    #expect(try box.library.podcastsDue(schedule, now: Samples.later(3599)).isEmpty)
    // Feeds that were fetched together are spread over a fifth of their interval.
    #expect(try box.library.podcastsDue(schedule, now: Samples.later(3600 * 1.2)) == [id])
    let next = try #require(try box.library.nextDue(schedule, now: Samples.now))
    #expect(next >= Samples.later(3600) && next <= Samples.later(3600 * 1.2))
  }

  @Test func goneUnsubscribedAndBuiltInFeedsAreNeverDue() throws {
    let dead = try box.subscribe([], url: "https://a.example")
    let left = try box.subscribe([], url: "https://b.example")
    try box.subscribe([], url: "earshot:welcome")
    try box.library.store(.failed(dead, .gone, RefreshInfo()), now: Samples.now)
    try box.library.unsubscribe(left, now: Samples.now)
    #expect(try box.library.podcastsDue(schedule, now: Samples.later(10_000_000)).isEmpty)
    #expect(try box.library.nextDue(schedule, now: Samples.now) == nil)
  }

  @Test func scheduleOfTheFeedIsStored() throws {
    var feed = Samples.feed(Samples.episodes(1...12))
    feed.podcast.timeToLive = 120
    feed.podcast.updatePeriod = "daily"
    feed.podcast.updatesPerPeriod = 2
    feed.podcast.updateFrequency = UpdateFrequency(rule: "FREQ=WEEKLY")
    try box.library.subscribe(feed: feed, feedURL: "https://example.org/feed", now: Samples.now)
    let timing = try #require(try box.library.feedTimings(now: Samples.now).first?.timing)
    #expect(timing.minimumInterval == 43_200 && timing.frequency?.rule == "FREQ=WEEKLY" && timing.health == .good)
    #expect(timing.lastAsked == Samples.now && timing.notBefore == nil)
    #expect(timing.published == (3...12).reversed().compactMap { Samples.episode($0).pubDate }, "the newest ten")
  }

  @Test func pauseOfTheServerIsKept() throws {
    let id = try box.subscribe([])
    let until = Samples.later(50_000)
    let info = RefreshInfo(notBefore: until)
    try box.library.store(.failed(id, .failed(connectivity: true, message: "429"), info), now: Samples.now)
    #expect(try box.library.podcastsDue(schedule, now: Samples.later(49_999)).isEmpty)
    #expect(try box.library.podcastsDue(schedule, now: until) == [id])
  }

  /// Another process has got the answer, so the client of this one does not know it.
  @Test func serverThatAskedForAPauseIsLeftAlone() throws {
    let refused = try box.subscribe([], url: "https://a.example/1")
    let neighbour = try box.subscribe([], url: "https://A.example:443/2")
    let other = try box.subscribe([], url: "https://a.example:8443/3")
    let pause = RefreshInfo(notBefore: Samples.later(50_000), pause: .server)
    try box.library.store(.failed(refused, .failed(connectivity: true, message: "429"), pause), now: Samples.now)
    #expect(try box.library.podcastsDue(schedule, now: Samples.later(49_999)) == [other])
    #expect(try box.library.podcastsToRefresh(now: Samples.later(49_999)).map(\.id) == [other])
    #expect(try Set(box.library.podcastsDue(schedule, now: Samples.later(50_000))) == [refused, neighbour, other])
    #expect(try box.library.podcastsToRefresh(now: Samples.later(50_000)).count == 3)
    #expect(try box.library.podcastsToRefresh([refused], now: Samples.now).map(\.id) == [refused], "asked for by name")
    // The clock was wrong when the server answered.
    #expect(try box.library.podcastsToRefresh(now: Samples.later(-60)).count == 3)
  }

  @Test func pauseOfTheServerEnds() throws {
    let refused = try box.subscribe([], url: "https://a.example/1")
    let neighbour = try box.subscribe([], url: "https://a.example/2")
    func refuse(_ pause: RequestedPause) throws {
      let info = RefreshInfo(notBefore: Samples.later(50_000), pause: pause)
      try box.library.store(.failed(refused, .failed(connectivity: true, message: "429"), info), now: Samples.now)
    }
    func asked() throws -> Set<PodcastID> {
      let now = Samples.later(40_000)
      let ids = try Set(box.library.podcastsToRefresh(now: now).map(\.id))
      #expect(try Set(box.library.podcastsDue(schedule, now: now)) == ids)
      return ids
    }
    // Its address led to another server, which refused.
    try refuse(.feed)
    #expect(try asked() == [neighbour])
    try refuse(.server)
    #expect(try asked() == [])
    // Its request was older than the refusal.
    try box.library.store(.unchanged(neighbour, RefreshInfo()), now: Samples.later(1))
    #expect(try asked() == [])
    try box.library.store(.unchanged(refused, RefreshInfo()), now: Samples.later(60))
    #expect(try asked() == [refused, neighbour], "the server answers again")
  }

  @Test func pauseForARemovedPodcastCountsForNoOther() throws {
    let refused = try box.subscribe([], url: "https://a.example/1")
    let neighbour = try box.subscribe([], url: "https://a.example/2")
    let pause = RefreshInfo(notBefore: Samples.later(50_000), pause: .server)
    try box.library.store(.failed(refused, .failed(connectivity: true, message: "429"), pause), now: Samples.now)
    try box.library.unsubscribe(refused, now: Samples.now)
    #expect(try box.library.podcastsToRefresh(now: Samples.later(1)).map(\.id) == [neighbour])
  }

  @Test func pauseOfTheServerEndsWhenTheFeedMovesToAnotherOne() throws {
    let refused = try box.subscribe([], url: "https://a.example/1")
    let neighbour = try box.subscribe([], url: "https://b.example/2")
    let pause = RefreshInfo(notBefore: Samples.later(50_000), pause: .server)
    try box.library.store(.failed(refused, .failed(connectivity: true, message: "429"), pause), now: Samples.now)
    try box.library.setFeedURL(refused, "https://a.example/moved", now: Samples.now)
    #expect(try box.library.podcastsToRefresh(now: Samples.later(1)).map(\.id) == [neighbour])
    try box.library.setFeedURL(refused, "https://b.example/1", now: Samples.now)
    #expect(try Set(box.library.podcastsToRefresh(now: Samples.later(1)).map(\.id)) == [refused, neighbour])
  }

  @Test func neighboursAreSpread() throws {
    for number in 1...20 { try box.subscribe([], url: "https://example.org/\(number)") }
    let timings = try box.library.feedTimings(now: Samples.now)
    let times = timings.compactMap { schedule.due($0.timing, now: Samples.now) }.sorted()
    #expect(times.count == 20)
    for (time, next) in zip(times, times.dropFirst()) { #expect(next.timeIntervalSince(time) > 5) }
  }

  @Test func onlyOneRefreshHoldsTheLock() throws {
    var first = RefreshLock.acquire(library: box.path)
    #expect(first != nil)
    #expect(RefreshLock.acquire(library: box.path) == nil)
    // The player has a lock of its own, so a timer can refresh while the player runs.
    let player = try PlayerLock.acquire(library: box.path)
    if case .taken = player { Issue.record("a refresh locks the player out") }
    first = nil
    #expect(RefreshLock.acquire(library: box.path) != nil)
  }
}
