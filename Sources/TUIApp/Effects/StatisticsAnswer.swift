import AppCore
import Foundation
import Model
import Store

/// The page of statistics: in total, the last weeks by day and by week, the last year by month, and by podcast.
extension Library {
  public func statistics() throws -> ListeningStatistics { try statistics(now: Date(), calendar: .current) }

  public func year(_ year: Int) throws -> YearInListening { try self.year(year, calendar: .current) }

  private func statistics(now: Date, calendar: Calendar) throws -> ListeningStatistics {
    // One second is added so that what was heard at this moment counts.
    let end = now.addingTimeInterval(1)
    let always = Date(timeIntervalSince1970: 0)..<end
    // From the beginning of a day or a month, so that the oldest one is whole.
    func since(_ component: Calendar.Component, _ count: Int) -> Range<Date> {
      let date = calendar.date(byAdding: component, value: -count, to: now)
      let start = date.flatMap { calendar.dateInterval(of: component, for: $0)?.start }
      return min(start ?? now, now)..<end
    }
    let total = try listeningTotal(always)
    guard total.episodes > 0 else { return ListeningStatistics(sections: []) }
    let days = try listening(by: .day, always, calendar: calendar)
    let weeks = try listening(by: .week, since(.weekOfYear, 5), calendar: calendar)
    let months = try listening(by: .month, since(.month, 11), calendar: calendar)
    let recent = since(.day, 13).lowerBound
    let names = PeriodNames(now: now, calendar: calendar)
    let streaks = names.streaks(days.map(\.start))
    return ListeningStatistics(sections: [
      .init(title: "Since the beginning", lines: [Self.line("In all", total)], notes: [streaks].compactMap { $0 }),
      .init(
        title: "The last two weeks",
        lines: days.filter { $0.start >= recent }.map { Self.line(names.day($0.start), $0.total) }),
      .init(title: "By week", lines: weeks.map { Self.line(names.week($0.start), $0.total) }),
      .init(title: "The last year", lines: months.map { Self.line(names.month($0.start), $0.total) }),
      .init(
        title: "Most heard",
        lines: try listeningByPodcast(always).prefix(50).map { Self.line($0.title, $0.total) }),
    ])
  }

  private static func line(_ name: String, _ total: ListeningTotal) -> ListeningStatistics.Line {
    let saved: [(String, Double)] = [
      ("speed", total.saved), ("silence", total.savedTimes[.silence] ?? 0), ("intros", total.savedTimes[.intro] ?? 0),
      ("chapters", total.savedTimes[.chapter] ?? 0), ("skipped parts", total.savedTimes[.part] ?? 0),
    ]
    return ListeningStatistics.Line(
      name: name, heard: total.heard, episodes: total.episodes,
      saved: saved.map { ListeningStatistics.Saved(by: $0.0, seconds: $0.1) })
  }
}

/// The names of days, weeks and months, as people say them.
struct PeriodNames {
  let now: Date
  let calendar: Calendar

  /// Such as `today`, `yesterday` or `Wed 19 Nov`.
  func day(_ date: Date) -> String {
    switch daysAgo(date) {
    case 0: "today"
    case 1: "yesterday"
    default: text(date, "EEE d MMM")
    }
  }

  /// Such as `this week`, `last week` or `from 3 Nov`.
  func week(_ start: Date) -> String {
    switch calendar.dateInterval(of: .weekOfYear, for: now).map({ weeks(from: start, to: $0.start) }) {
    case 0: "this week"
    case 1: "last week"
    default: "from " + text(start, "d MMM")
    }
  }

  /// Such as `Nov 2025`.
  func month(_ start: Date) -> String { text(start, "MMM yyyy") }

  /// Such as `5 days in a row; 12 at most`. A day that has only begun does not end the row. Nil: there is no row.
  /// - Parameter days: those with listening time, newest first.
  func streaks(_ days: [Date]) -> String? {
    let ages = days.map(daysAgo)
    var (longest, length, current) = (0, 0, 0)
    for (index, age) in ages.enumerated() {
      length = index > 0 && age == ages[index - 1] + 1 ? length + 1 : 1
      longest = max(longest, length)
      // The newest row goes up to today or yesterday.
      if length == index + 1, ages[0] <= 1 { current = length }
    }
    guard longest > 1 else { return nil }
    return current > 1 ? "\(current) days in a row; \(longest) at most" : "At most \(longest) days in a row"
  }

  private func daysAgo(_ date: Date) -> Int {
    calendar.dateComponents([.day], from: calendar.startOfDay(for: date), to: calendar.startOfDay(for: now)).day ?? 0
  }

  private func weeks(from start: Date, to end: Date) -> Int {
    (calendar.dateComponents([.day], from: start, to: end).day ?? 0) / 7
  }

  private func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    (formatter.calendar, formatter.timeZone, formatter.dateFormat) = (calendar, calendar.timeZone, format)
    return formatter.string(from: date)
  }
}
