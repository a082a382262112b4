import Foundation
import Testing

@testable import Model

/// When a feed is due for an automatic refresh.
@Suite struct RefreshScheduleTests {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)
  private static let hour = 3600.0
  private static let day = 86_400.0
  private let schedule = RefreshSchedule(every: 3600)

  /// Seconds from the last request of a feed to the next.
  private func wait(_ change: (inout FeedTiming) -> Void) -> Double? {
    var feed = FeedTiming(lastAsked: Self.now)
    change(&feed)
    return schedule.due(feed, now: Self.now).map { $0.timeIntervalSince(Self.now) }
  }

  /// Dates of episodes `gap` seconds apart. The newest is from `ago` seconds ago.
  private func episodes(every gap: Double, ago: Double, count: Int = 10) -> [Date] {
    (0..<count).map { Self.now.addingTimeInterval(-ago - Double($0) * gap) }
  }

  @Test func feedWithoutHintsUsesTheListenersInterval() {
    #expect(wait { _ in } == Self.hour)
    #expect(RefreshSchedule(every: 300).due(FeedTiming(lastAsked: Self.now), now: Self.now) == Self.now + 300)
  }

  @Test func feedWithoutARequestIsDue() {
    #expect(schedule.due(FeedTiming(), now: Self.now) == Self.now)
    #expect(schedule.isDue(FeedTiming(), now: Self.now))
    let later = Self.now + 90
    #expect(schedule.due(FeedTiming(notBefore: later), now: Self.now) == later)
  }

  @Test func feedIsDueFromItsTimeOn() {
    let feed = FeedTiming(lastAsked: Self.now)
    #expect(!schedule.isDue(feed, now: Self.now + 3599))
    #expect(schedule.isDue(feed, now: Self.now + 3600))
  }

  /// A clock that was ahead may leave times in the future. They must not stop the feed's refreshes.
  @Test func lastRequestInTheFutureIsIgnored() {
    #expect(schedule.isDue(FeedTiming(lastAsked: Self.now + 10_000_000), now: Self.now))
    let failed = FeedTiming(lastAsked: Self.now + 10_000_000, notBefore: Self.now + 10_003_600)
    #expect(schedule.isDue(failed, now: Self.now))
  }

  @Test func minimumIntervalOfTheFeedIsKept() {
    #expect(wait { $0.minimumInterval = 5 * Self.hour } == 5 * Self.hour)
    #expect(wait { $0.minimumInterval = 60 } == Self.hour, "but not for less than the listener's")
    #expect(wait { $0.minimumInterval = 400 * Self.day } == 7 * Self.day, "and not for ever")
  }

  @Test func feedWithPodpingIsRequestedLessOften() {
    #expect(wait { $0.usesPodping = true } == 2 * Self.hour)
    #expect(
      wait {
        $0.usesPodping = true
        $0.minimumInterval = 20 * Self.hour
      } == Self.day, "but once a day")
    #expect(
      wait {
        $0.usesPodping = true
        $0.minimumInterval = 3 * Self.day
      } == 3 * Self.day, "unless it wants more rest")
  }

  @Test func pauseOfTheServerIsKept() {
    #expect(wait { $0.notBefore = Self.now + 5 * Self.hour } == 5 * Self.hour)
    #expect(wait { $0.notBefore = Self.now + 60 } == Self.hour)
  }

  @Test func goneFeedIsNeverDue() { #expect(wait { $0.health = .gone } == nil) }

  @Test func permanentFailureIsTriedOnceADay() {
    #expect(wait { $0.health = .failed(connectivity: false, message: "") } == Self.day)
    #expect(wait { $0.health = .failed(connectivity: true, message: "") } == Self.hour)
    // If there is a time for the next attempt, that time decides.
    let later = Self.now + 2 * Self.hour
    #expect(
      wait {
        $0.health = .failed(connectivity: false, message: "")
        $0.notBefore = later
      } == 2 * Self.hour)
  }

  /// Days since the last episode of a weekly podcast, and the hours until its next request.
  @Test(arguments: [
    // Shortly after an episode, the wait is limited to six hours.
    (0.1, 6.0),
    (4, 6),
    // After three quarters of the interval the next episode may come.
    (5.3, 1), (7, 1), (8, 1), (20, 1), (27, 1),
    // After more than four intervals and a month without an episode, the wait grows from half a day to a day.
    (40, 16), (100, 24), (3000, 24),
  ])
  func weeklyPodcastIsRequestedMoreOftenBeforeItsEpisode(days: Double, hours: Double) throws {
    let wait = try #require(wait { $0.published = episodes(every: 7 * Self.day, ago: days * Self.day) })
    #expect(abs(wait - hours * Self.hour) < 1)
  }

  /// A wrong year does not make the next episode seem far away.
  @Test func datesInTheFutureAreIgnored() {
    let wrong = Self.now + 9000 * Self.day
    #expect(wait { $0.published = [wrong] + episodes(every: 7 * Self.day, ago: 8 * Self.day) } == Self.hour)
    #expect(wait { $0.published = [wrong] } == Self.hour)
  }

  @Test func waitEndsWhenTheNextEpisodeMayCome() throws {
    // Three quarters of a week are 5.25 days.
    let wait = try #require(wait { $0.published = episodes(every: 7 * Self.day, ago: 5.125 * Self.day) })
    #expect(wait == 3 * Self.hour)
  }

  @Test func dailyPodcastIsRequestedEveryHour() {
    #expect(wait { $0.published = episodes(every: Self.day, ago: Self.hour) } == Self.hour)
  }

  @Test func twoDatesGiveNoInterval() {
    #expect(wait { $0.published = episodes(every: 7 * Self.day, ago: 0, count: 2) } == Self.hour)
    // Episodes that were all published at once give no interval either.
    #expect(wait { $0.published = episodes(every: 0, ago: 0) } == Self.hour)
  }

  @Test func updateFrequencyOverridesThePastIntervals() {
    let rule = UpdateFrequency(rule: "FREQ=WEEKLY")
    let wait = wait {
      $0.published = episodes(every: Self.hour, ago: Self.day)
      $0.frequency = rule
    }
    #expect(wait == 6 * Self.hour)
  }

  @Test func completePodcastIsRequestedOnceAWeek() {
    #expect(wait { $0.frequency = UpdateFrequency(complete: true) } == 7 * Self.day)
  }

  @Test(arguments: [
    ("FREQ=DAILY", 1.0), ("freq=weekly", 7), ("FREQ=WEEKLY;BYDAY=MO,TH", 3.5), ("FREQ=WEEKLY;INTERVAL=2", 14),
    ("FREQ=MONTHLY;BYDAY=1MO", 30.4), ("FREQ=YEARLY", 365),
  ])
  func updateRulesGiveTheInterval(rule: String, days: Double) {
    #expect(UpdateFrequency(rule: rule).gap == days * Self.day)
  }

  @Test(arguments: [
    "", "weekly", "FREQ=", "FREQ=SECONDLY", "FREQ=WEEKLY;COUNT=10", "FREQ=DAILY;INTERVAL=0", "=;;=", ";",
  ])
  func updateRulesWithoutAnIntervalAreIgnored(rule: String) { #expect(UpdateFrequency(rule: rule).gap == nil) }

  @Test func feedsThatWereAskedTogetherAreSpread() throws {
    let times = try (0..<10).map { index in try #require(wait { $0.jitter = Double(index) / 10 }) }
    #expect(times == times.sorted() && Set(times).count == 10)
    #expect(times[0] == Self.hour && times[9] <= 1.2 * Self.hour)
  }

  @Test func minimumIntervalComesFromTtlOrSyndication() {
    var feed = FeedPodcast()
    #expect(feed.minimumRefreshInterval == nil)
    feed.timeToLive = 90
    #expect(feed.minimumRefreshInterval == 5400)
    feed.updatePeriod = "daily"
    #expect(feed.minimumRefreshInterval == 86_400)
    feed.updatesPerPeriod = 24
    #expect(feed.minimumRefreshInterval == 5400, "the longer of the two")
  }
}
