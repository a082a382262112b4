import AppCore
import Foundation
import Model
import Store

/// The page of statistics: in total, the last two weeks by day, the last year by month, and by podcast.
extension Library {
  public func statistics() throws -> ListeningStatistics { try statistics(now: Date(), calendar: .current) }

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
    let days = try listening(by: .day, since(.day, 13), calendar: calendar)
    let months = try listening(by: .month, since(.month, 11), calendar: calendar)
    return ListeningStatistics(sections: [
      .init(title: "Since the beginning", lines: [Self.line("In all", total)]),
      .init(
        title: "The last two weeks",
        lines: days.map { Self.line(Self.date($0.start, calendar, hasDay: true), $0.total) }),
      .init(
        title: "The last year", lines: months.map { Self.line(Self.date($0.start, calendar, hasDay: false), $0.total) }),
      .init(
        title: "By podcast",
        lines: try listeningByPodcast(always).prefix(50).map { Self.line($0.title, $0.total) }),
    ])
  }

  private static func line(_ name: String, _ total: ListeningTotal) -> ListeningStatistics.Line {
    let saved: [(String, Double)] = [
      ("speed", total.saved), ("silence", total.savedTimes[.silence] ?? 0), ("intros", total.savedTimes[.intro] ?? 0),
      ("chapters", total.savedTimes[.chapter] ?? 0),
    ]
    return ListeningStatistics.Line(
      name: name, heard: total.heard, episodes: total.episodes,
      saved: saved.map { ListeningStatistics.Saved(by: $0.0, seconds: $0.1) })
  }

  private static func date(_ date: Date, _ calendar: Calendar, hasDay: Bool) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return Gregorian.text(parts.year ?? 0, parts.month ?? 0, hasDay ? parts.day ?? 0 : nil)
  }
}
