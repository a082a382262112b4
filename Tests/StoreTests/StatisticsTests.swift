import Foundation
import Model
import Seeded
import Testing

@testable import Store

/// Statistics, the history, and events of other devices.
@Suite struct StatisticsTests {
  private let box: TemporaryLibrary
  private let ids: [EpisodeID]
  private let others: [EpisodeID]
  private var library: Library { box.library }
  private var calendar: Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }

  init() throws {
    box = try TemporaryLibrary()
    ids = try box.episodes(box.subscribe(Samples.episodes(1...3)))
    let other = try box.library.subscribe(
      feed: Samples.feed(Samples.episodes(1...2), title: "B"), feedURL: "https://b.example", now: Samples.now)
    others = try box.episodes(other)
  }

  private func hear(
    _ id: EpisodeID, _ from: Double, _ to: Double, at seconds: Double, speed: Double? = nil
  ) throws {
    try library.record(
      ListeningEvent(
        episode: id, kind: .play(from: from, to: to, total: 1800), timestamp: Samples.later(seconds), speed: speed))
  }

  @Test func timeSavedBySkippingIsCounted() throws {
    try hear(ids[0], 0, 600, at: 0, speed: 2)
    try hear(others[0], 0, 60, at: 86_400)
    try library.record(SavedTime(.silence, seconds: 30), of: ids[0], now: Samples.later(1))
    try library.record(SavedTime(.silence, seconds: 5), of: others[0], now: Samples.later(86_401))
    try library.record(SavedTime(.intro, seconds: 20), of: ids[0], now: Samples.later(2))
    try library.record(SavedTime(.chapter, seconds: 90), of: ids[0], now: Samples.later(3))
    for nothing in [0, -5, .nan, .infinity] as [Double] {
      try library.record(SavedTime(.chapter, seconds: nothing), of: ids[0], now: Samples.later(4))
    }
    let all = try library.listeningTotal(always)
    #expect(all.savedTimes == [.silence: 35, .intro: 20, .chapter: 90])
    #expect(all.saved == 300, "by the speed")
    let days = try library.listening(by: .day, always, calendar: calendar)
    #expect(days.map(\.total.savedTimes) == [[.silence: 5], [.silence: 30, .intro: 20, .chapter: 90]])
    let podcasts = try library.listeningByPodcast(always)
    #expect(podcasts.map(\.total.savedTimes[.silence]) == [30, 5])
    #expect(try library.listeningTotal(Samples.later(2)..<Samples.later(3)).savedTimes == [.intro: 20])
  }

  private let always = Date.distantPast..<Date.distantFuture

  @Test func listeningIsCountedByPodcastDayAndWeek() throws {
    // Samples.now is Tuesday, 14 November 2023, 22:13:20 UTC.
    try hear(ids[0], 0, 600, at: 0, speed: 2)
    try hear(ids[0], 600, 700, at: 10)
    try hear(others[0], 100, 160, at: 86400, speed: 1.5)
    try hear(others[1], 0, 30, at: 7 * 86400)
    try hear(ids[1], 50, 20, at: 20)
    try library.record(ListeningEvent(episode: ids[1], kind: .pause, timestamp: Samples.later(21)))
    let all = try library.listeningTotal(always)
    #expect(all.heard == 790 && all.took == 300 + 100 + 40 + 30 && all.episodes == 3 && all.savedTimes.isEmpty)
    #expect(all.saved == 320)
    #expect(
      try library.listeningByPodcast(always).map { [$0.title: $0.total.heard] } == [["A Podcast": 700], ["B": 90]])
    let days = try library.listening(by: .day, always, calendar: calendar)
    #expect(days.map(\.total.heard) == [30, 60, 700])
    #expect(days.last?.start == Date(timeIntervalSince1970: 1_699_920_000))
    let weeks = try library.listening(by: .weekOfYear, always, calendar: calendar)
    #expect(weeks.map(\.total.heard) == [30, 760] && weeks.map(\.total.episodes) == [1, 2])
    #expect(weeks.last?.start == Date(timeIntervalSince1970: 1_699_833_600))
    #expect(try library.listening(by: .month, always, calendar: calendar).count == 1)
    // Two hours later it is already the next day further east.
    var east = calendar
    east.timeZone = try #require(TimeZone(secondsFromGMT: 7200))
    #expect(
      try library.listening(by: .day, always, calendar: east).last?.start == Date(timeIntervalSince1970: 1_699_999_200))
    #expect(try library.listeningTotal(Samples.later(86000)..<Samples.later(90000)).heard == 60)
    #expect(try library.listeningTotal(Samples.later(90000)..<Samples.later(90001)) == ListeningTotal())
  }

  @Test func listeningAcrossMidnightCountsForBothDays() throws {
    let midnight = Calendar.current.startOfDay(for: Samples.later(86_400)).timeIntervalSince(Samples.now)
    for minute in -10..<5 {
      let start = Double(minute + 10) * 60
      try hear(ids[0], start, start + 60, at: midnight + Double(minute) * 60 + 59, speed: 1)
    }
    #expect(try library.listening(by: .day, always).map(\.total.heard) == [300, 600])
    #expect(try library.events(limit: 9).count == 2)
  }

  @Test func yearHasStreakMonthsAndBookmarks() throws {
    // 14, 15 and 17 November, 1 December, and the first day of the next year.
    for day in [0, 1, 3, 17] { try hear(ids[0], 0, 100, at: Double(day) * 86_400, speed: 2) }
    try hear(others[0], 0, 500, at: 48 * 86_400)
    for second in [5.0, 9.0] { _ = try library.addClip(of: ids[1], startTime: second, endTime: nil, now: Samples.now) }
    _ = try library.addClip(of: ids[0], startTime: 1, endTime: 2, now: Samples.later(48 * 86_400))
    let year = try library.year(2023, calendar: calendar)
    #expect(year.heard == 400 && year.episodes == 1 && year.podcasts == 1 && year.days == 4)
    #expect(year.streak?.days == 2 && year.streak?.first == calendar.dayNumber(Samples.now))
    #expect(year.months == [Double](repeating: 0, count: 10) + [300, 100])
    #expect(year.mostHeard == [.init(title: "A Podcast", amount: 400)])
    #expect(year.bookmarks == 2 && year.mostBookmarked.map(\.amount) == [2])
    #expect(try library.year(2024, calendar: calendar).mostHeard == [.init(title: "B", amount: 500)])
    #expect(
      try library.year(2022, calendar: calendar).lines(width: 80, bar: nil).map(\.text) == [
        "Nothing was heard in 2022."
      ])
  }

  @Test func latestIsFirstInTheHistory() throws {
    for (offset, id) in [ids[2], ids[0], others[0], ids[1]].enumerated() {
      try hear(id, 0, 10, at: Double(offset))
    }
    try hear(ids[2], 5, 10, at: 100)
    try library.setStatus([ids[0]], .deleted, now: Samples.later(200))
    let history = try library.history(limit: 9)
    #expect(history.map(\.row.id) == [ids[2], ids[1], others[0], ids[0]])
    #expect(history.map(\.heard) == [15, 10, 10, 10] && history[0].heardAt == Samples.later(100))
    #expect(history[3].row.status == .deleted)
    #expect(try library.history(limit: 3) == Array(history.prefix(3)))
    #expect(try library.events(limit: 9).count == 6)
  }

  private func event(_ kind: ListeningEvent.Kind, _ id: EpisodeID, at seconds: Double) -> ListeningEvent {
    ListeningEvent(episode: id, kind: kind, timestamp: Samples.later(seconds))
  }

  @Test func latestEventWins() throws {
    try library.savePosition(ids[0], seconds: 50, total: nil, now: Samples.later(10))
    try library.record(event(.play(from: 0, to: 20, total: nil), ids[0], at: 5))
    #expect(try library.episode(ids[0])?.row.position == 50)
    try library.record(event(.play(from: 50, to: 90, total: 1801), ids[0], at: 15))
    #expect(try library.episode(ids[0])?.row.position == 90)
    #expect(try library.events(limit: 9).count == 2)

    try library.enqueue([ids[1]], now: Samples.now)
    try library.record(event(.delete, ids[1], at: 30))
    #expect(try library.episode(ids[1])?.row.status == .deleted && library.queue().isEmpty)
    try library.record(event(.start, ids[1], at: 20))
    #expect(try library.episode(ids[1])?.row.status == .deleted)
    try library.setStatus([ids[1]], .new, now: Samples.later(40))
    try library.record(event(.delete, ids[1], at: 35))
    try library.record(event(.delete, EpisodeID(999), at: 99))
    #expect(try library.episode(ids[1])?.row.status == .new)
    #expect(try library.integrityCheck() == [])
  }

  /// A player may save late what it could not write before.
  @Test func orderOfEventsDoesNotMatter() throws {
    let events = [
      event(.start, ids[0], at: 1), event(.play(from: 0, to: 60, total: nil), ids[0], at: 61),
      event(.pause, ids[0], at: 62), event(.delete, ids[0], at: 70), event(.new, ids[0], at: 80),
    ]
    for seed in UInt64(0)..<6 {
      var random = SplitMix64(seed: seed)
      let box = try TemporaryLibrary()
      let podcast = try box.subscribe(Samples.episodes(1...3))
      #expect(try box.episodes(podcast)[0] == ids[0])
      let order = seed == 0 ? events : events.shuffled(using: &random)
      for event in order { try box.library.record(event) }
      let row = try #require(try box.library.episode(ids[0])?.row)
      #expect(row.status == .new && row.position == 0, "\(order.map(\.kind))")
    }
  }
}
