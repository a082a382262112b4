import Foundation
import Model

/// Converts dates to days in the listener's time zone. It is a value in State, so that AppCore never asks the system.
public struct CalendarRules: Equatable, Sendable {
  private let zone: TimeZone

  public init(zone: TimeZone) { self.zone = zone }

  public static let utc = CalendarRules(zone: .gmt)

  /// Days since 1970-01-01 in the listener's time zone.
  func day(of date: Date) -> Int { DayText.number(of: date, in: zone) ?? 0 }

  /// Such as `21 Nov 2025`: the full form of what lists show as `21 Nov` or `Nov'25`.
  public func day(_ date: Date) -> String { DayText.text(ofDay: day(of: date)) }

  /// A date in a sentence: `today`, `yesterday`, `21 Nov` within half a year, else `21 Nov 2024`.
  public func listDay(_ date: Date, now: Date) -> String {
    let age = day(of: now) - day(of: date)
    if age == 0 { return "today" }
    if age == 1 { return "yesterday" }
    let (year, month, day) = Gregorian.date(ofDay: day(of: date))
    let text = "\(day) \(DayText.months[month - 1])"
    return abs(age) < 183 ? text : "\(text) \(year)"
  }

  /// A date in at most six columns: `today`, `13 Jul`, or `Jul'21` in another year. A number without an apostrophe is
  /// always a day. In the first months of a year, dates in the last months of the previous year keep their day.
  public func rowDay(_ date: Date, now: Date) -> String {
    let age = day(of: now) - day(of: date)
    if age == 0 { return "today" }
    let (year, month, day) = Gregorian.date(ofDay: self.day(of: date))
    let name = DayText.months[month - 1]
    if (1..<183).contains(age) || year == Gregorian.date(ofDay: self.day(of: now)).year { return "\(day) \(name)" }
    return "\(name)'\(Gregorian.padded(((year % 100) + 100) % 100, 2))"
  }

  /// As `rowDay`, but with the time for today: `14:05`.
  public func rowMoment(_ date: Date, now: Date) -> String {
    day(of: date) == day(of: now) ? timeOfDay(date) : rowDay(date, now: now)
  }

  /// Such as `14:05`.
  public func timeOfDay(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
    guard seconds.isFinite, abs(seconds) < 1e13 else { return "--:--" }
    let minutes = Int((seconds / 60).rounded(.down))
    let ofDay = ((minutes % 1440) + 1440) % 1440
    return "\(Gregorian.padded(ofDay / 60, 2)):\(Gregorian.padded(ofDay % 60, 2))"
  }
}
