import Foundation
import Model

/// Turns dates into the days of the listener's time zone. Handed in, so that AppCore asks the system for nothing.
public struct CalendarRules: Equatable, Sendable {
  /// A class, since functions cannot be compared.
  private final class Rule: Sendable {
    /// Seconds from UTC at a date; the time zone's own rule.
    let offset: @Sendable (Date) -> Int
    init(_ offset: @escaping @Sendable (Date) -> Int) { self.offset = offset }
  }

  private let rule: Rule

  public init(offset: @escaping @Sendable (Date) -> Int) { rule = Rule(offset) }

  public static func == (left: CalendarRules, right: CalendarRules) -> Bool { left.rule === right.rule }

  public static let utc = CalendarRules { _ in 0 }

  /// Days since 1970-01-01 in the listener's time zone.
  func day(of date: Date) -> Int {
    let seconds = date.timeIntervalSince1970 + Double(rule.offset(date))
    guard seconds.isFinite, abs(seconds) < 1e13 else { return 0 }
    return Int((seconds / 86_400).rounded(.down))
  }

  /// `2026-11-21`.
  public func isoDay(_ date: Date) -> String {
    let (year, month, day) = Gregorian.date(ofDay: day(of: date))
    return Gregorian.text(year, month, day)
  }

  /// The date of a list row, at most ten columns: `today`, `yesterday`, `21 Nov` in the last half year, else the ISO day.
  public func listDay(_ date: Date, now: Date) -> String {
    let age = day(of: now) - day(of: date)
    switch age {
    case 0: return "today"
    case 1: return "yesterday"
    case 2..<183:
      let (_, month, day) = Gregorian.date(ofDay: day(of: date))
      return "\(day) \(Self.months[month - 1])"
    default: return isoDay(date)
    }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
