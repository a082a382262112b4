import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot stats`: how much was heard, and how much time was saved by speed and skipped silence, intros and chapters.
struct StatsVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show how much you have listened, by day, week, month or podcast.")

  /// The period of a line.
  enum Unit: String, ExpressibleByArgument, CaseIterable {
    case day, week, month, podcast

    /// `show` is accepted for `podcast`.
    init?(argument: String) { self.init(rawValue: argument == "show" ? "podcast" : argument) }
  }

  @Option(help: "Group by day, week, month or podcast.") var by = Unit.day
  @Option(help: "Only this number of days up to today; by default everything.") var days: Int?
  @Option(help: "One year as a text to share: hours, podcasts, the longest streak, months, most heard and bookmarked.")
  var year: Int?
  @OptionGroup var output: JSONOption

  /// Times in seconds.
  private static func json(_ total: ListeningTotal) -> JSONObject {
    func saved(_ kind: SavedTime.Kind) -> Double { total.savedTimes[kind] ?? 0 }
    return [
      // `took` is real time. The difference, `saved`, was saved by speed.
      "heard": total.heard, "took": total.took, "saved": total.saved, "savedBySilence": saved(.silence),
      "savedByIntros": saved(.intro), "savedByChapters": saved(.chapter), "savedByParts": saved(.part),
      "episodes": total.episodes,
    ]
  }

  func validate() throws {
    guard (days ?? 1) >= 1 else { throw ValidationError("At least one day can be counted.") }
    guard year == nil || days == nil else { throw ValidationError("--year and --days exclude each other.") }
    if let year, !(1970...9999).contains(year) { throw ValidationError("\(year) is not a year.") }
  }

  func perform() throws {
    let library = try VerbContext().library
    if let year { return try report(try library.year(year, calendar: .current)) }
    let calendar = Calendar.current
    let range = range(calendar, now: Date())
    let total = try library.listeningTotal(range)
    let rows = try rows(library, range, calendar)
    if output.json {
      return try Report.json(
        ["total": Self.json(total), "by": by.rawValue, "lines": rows.map(\.line)] as JSONObject)
    }
    let width = rows.map { Clusters.width($0.name) }.max() ?? 0
    for row in rows { Report.line(Self.text(row.name, row.total, width)) }
    guard total.episodes > 0 else {
      return Report.message(days == nil ? "nothing was heard yet" : "nothing was heard in these days")
    }
    Report.line(Self.text("in all", total, width))
  }

  private static func json(_ year: YearInListening) -> JSONObject {
    let longestStreak = year.streak?.days ?? 0
    let (streakStart, streakEnd) = (year.streak.map { day($0.first) }, year.streak.map { day($0.last) })
    return [
      "year": year.year, "heard": year.heard, "episodes": year.episodes, "podcasts": year.podcasts, "days": year.days,
      "longestStreak": longestStreak, "streakStart": streakStart, "streakEnd": streakEnd, "saved": year.saved,
      "months": year.months, "mostHeard": year.mostHeard, "mostBookmarked": year.mostBookmarked,
      "bookmarks": year.bookmarks,
    ]
  }

  private func report(_ year: YearInListening) throws {
    if output.json { return try Report.json(Self.json(year)) }
    guard year.episodes > 0 else { return Report.message("nothing was heard in \(year.year)") }
    Report.line(String(year.year))
    for line in year.lines(width: 60, bar: { ProgressBar(width: $1, fraction: $0).text }) { Report.line(line.text) }
  }

  /// The range up to now, beginning with a whole day.
  private func range(_ calendar: Calendar, now: Date) -> Range<Date> {
    // One second is added so that what was heard at this moment counts.
    let end = now.addingTimeInterval(1)
    guard let days, let first = calendar.date(byAdding: .day, value: 1 - min(days, 100_000), to: now) else {
      return Date(timeIntervalSince1970: 0)..<end
    }
    return min(calendar.startOfDay(for: first), now)..<end
  }

  /// `line`: as JSON. Its `start` is the first day of the day, week or month in local time, such as `2026-11-21`.
  private typealias Row = (name: String, total: ListeningTotal, line: JSONObject)

  private func rows(_ library: Library, _ range: Range<Date>, _ calendar: Calendar) throws -> [Row] {
    func periods(_ unit: Calendar.Component) throws -> [Row] {
      try library.listening(by: unit, range, calendar: calendar).map { period in
        let day = calendar.dayNumber(period.start)
        let (year, month, _) = Gregorian.date(ofDay: day)
        let name = unit == .month ? "\(DayText.months[month - 1]) \(year)" : DayText.text(ofDay: day).leftPadded(11)
        return (name, period.total, ["start": Self.day(day), "total": Self.json(period.total)] as JSONObject)
      }
    }
    switch by {
    case .day: return try periods(.day)
    case .week: return try periods(.weekOfYear)
    case .month: return try periods(.month)
    case .podcast:
      return try library.listeningByPodcast(range).map {
        ($0.title, $0.total, ["podcast": $0.podcast, "title": $0.title, "total": Self.json($0.total)] as JSONObject)
      }
    }
  }

  /// As in ISO 8601.
  private static func day(_ number: Int) -> String {
    let (year, month, day) = Gregorian.date(ofDay: number)
    return Gregorian.text(year, month, day)
  }

  /// Such as `21 Nov 2026    1h 20m   3 episodes  saved 25m by speed, 40s by silence`.
  /// - Parameter width: of the widest name, in columns.
  private static func text(_ name: String, _ total: ListeningTotal, _ width: Int) -> String {
    let heard = TimeText.short(total.heard).leftPadded(8)
    let count = "\(total.episodes)".leftPadded(4) + (total.episodes == 1 ? " episode" : " episodes")
    let parts = total.savings.causes
    let row = "\(name.rightPadded(max(10, width)))  \(heard)  "
    return parts.isEmpty ? row + count : row + count.rightPadded(13) + "  saved " + parts.joined(separator: ", ")
  }
}
