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
    let weeks = try listening(by: .weekOfYear, since(.weekOfYear, 5), calendar: calendar)
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
    .init(name: name, heard: total.heard, episodes: total.episodes, saved: total.savings)
  }
}

/// The names of days, weeks and months, as people say them.
struct PeriodNames {
  let now: Date
  let calendar: Calendar

  /// Such as `today`, `yesterday` or `Wed 19 Nov`.
  func day(_ date: Date) -> String {
    switch days(from: date, to: now) {
    case 0: "today"
    case 1: "yesterday"
    default: text(date, "EEE d MMM")
    }
  }

  /// Such as `this week`, `last week` or `from 3 Nov`.
  func week(_ start: Date) -> String {
    switch calendar.dateInterval(of: .weekOfYear, for: now).map({ days(from: start, to: $0.start) / 7 }) {
    case 0: "this week"
    case 1: "last week"
    default: "from " + text(start, "d MMM")
    }
  }

  /// Such as `Nov 2025`.
  func month(_ start: Date) -> String { text(start, "MMM yyyy") }

  /// Such as `5 days in a row; 12 at most`. A day that has only begun does not end the row. Nil: there is no row.
  /// - Parameter days: those with listening time.
  func streaks(_ days: [Date]) -> String? {
    let streaks = YearInListening.Streak.all(of: days.map(calendar.dayNumber))
    guard let last = streaks.last, let longest = streaks.map(\.days).max(), longest > 1 else { return nil }
    let current = last.last >= calendar.dayNumber(now) - 1 ? last.days : 0
    return current > 1 ? "\(current) days in a row; \(longest) at most" : "At most \(longest) days in a row"
  }

  private func days(from start: Date, to end: Date) -> Int { calendar.dayNumber(end) - calendar.dayNumber(start) }

  private func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    (formatter.calendar, formatter.timeZone, formatter.dateFormat) = (calendar, calendar.timeZone, format)
    return formatter.string(from: date)
  }
}
