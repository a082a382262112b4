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
  private struct Total: Encodable {
    var heard: Double
    /// In real time. The difference to `heard` was saved by speed.
    var took: Double
    var saved: Double
    /// Saved by skipping silence, intros and outros, and chapters.
    var savedBySilence: Double
    var savedByIntros: Double
    var savedByChapters: Double
    /// Saved by skipping parts that the listener has marked.
    var savedByParts: Double
    var episodes: Int

    init(_ total: ListeningTotal) {
      heard = total.heard
      took = total.took
      saved = total.saved
      savedBySilence = total.savedTimes[.silence] ?? 0
      savedByIntros = total.savedTimes[.intro] ?? 0
      savedByChapters = total.savedTimes[.chapter] ?? 0
      savedByParts = total.savedTimes[.part] ?? 0
      episodes = total.episodes
    }
  }

  private struct Line: Encodable {
    /// The first day of the day, week or month in local time, such as `2026-11-21`.
    var start: String?
    var podcast: Int64?
    var title: String?
    var total: Total
  }

  private struct Listing: Encodable {
    var total: Total
    var by: String
    var lines: [Line]
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
      return try Report.json(Listing(total: Total(total), by: by.rawValue, lines: rows.map(\.line)))
    }
    let width = rows.map { Clusters.width($0.name) }.max() ?? 0
    for row in rows { Report.line(Self.text(row.name, row.total, width)) }
    guard total.episodes > 0 else {
      return Report.message(days == nil ? "nothing was heard yet" : "nothing was heard in these days")
    }
    Report.line(Self.text("in all", total, width))
  }

  /// A year as JSON.
  private struct Year: Encodable {
    var year: Int
    var heard: Double
    var episodes: Int
    var podcasts: Int
    var days: Int
    var longestStreak: Int
    var streakStart: String?
    var streakEnd: String?
    var saved: [YearInListening.Entry]
    var months: [Double]
    var mostHeard: [YearInListening.Entry]
    var mostBookmarked: [YearInListening.Entry]
    var bookmarks: Int

    init(_ year: YearInListening) {
      self.year = year.year
      (heard, episodes, podcasts, days) = (year.heard, year.episodes, year.podcasts, year.days)
      longestStreak = year.streak?.days ?? 0
      streakStart = year.streak.map { StatsVerb.day($0.first) }
      streakEnd = year.streak.map { StatsVerb.day($0.last) }
      (saved, months, mostHeard, mostBookmarked) = (year.saved, year.months, year.mostHeard, year.mostBookmarked)
      bookmarks = year.bookmarks
    }
  }

  private func report(_ year: YearInListening) throws {
    if output.json { return try Report.json(Year(year)) }
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

  private typealias Row = (name: String, total: ListeningTotal, line: Line)

  private func rows(_ library: Library, _ range: Range<Date>, _ calendar: Calendar) throws -> [Row] {
    func periods(_ unit: Calendar.Component) throws -> [Row] {
      try library.listening(by: unit, range, calendar: calendar).map { period in
        let day = calendar.dayNumber(period.start)
        let (year, month, _) = Gregorian.date(ofDay: day)
        let name = unit == .month ? "\(DayText.months[month - 1]) \(year)" : DayText.text(ofDay: day).leftPadded(11)
        return (name, period.total, Line(start: Self.day(day), total: Total(period.total)))
      }
    }
    switch by {
    case .day: return try periods(.day)
    case .week: return try periods(.weekOfYear)
    case .month: return try periods(.month)
    case .podcast:
      return try library.listeningByPodcast(range).map {
        ($0.title, $0.total, Line(podcast: $0.podcast.rawValue, title: $0.title, total: Total($0.total)))
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
