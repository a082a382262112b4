import Foundation

/// Turns dates into the days of the listener's time zone. Handed in, so that AppCore asks the system for nothing.
public struct CalendarRules: Sendable {
  /// Seconds from UTC at a date; the time zone's own rule.
  private let offset: @Sendable (Date) -> Int

  public init(offset: @escaping @Sendable (Date) -> Int) { self.offset = offset }

  public static let utc = CalendarRules { _ in 0 }

  /// Days since 1970-01-01 in the listener's time zone.
  func day(of date: Date) -> Int {
    let seconds = date.timeIntervalSince1970 + Double(offset(date))
    guard seconds.isFinite, abs(seconds) < 1e13 else { return 0 }
    return Int((seconds / 86_400).rounded(.down))
  }

  /// Year, month and day; the proleptic Gregorian calendar (civil-from-days).
  func civil(of date: Date) -> (year: Int, month: Int, day: Int) {
    let shifted = day(of: date) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// `2026-11-21`.
  public func isoDay(_ date: Date) -> String {
    let (year, month, day) = civil(of: date)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// The date of a list row, at most ten columns: `today`, `yesterday`, `21 Nov` in the last half year, else the ISO day.
  public func listDay(_ date: Date, now: Date) -> String {
    let age = day(of: now) - day(of: date)
    switch age {
    case 0: return "today"
    case 1: return "yesterday"
    case 2..<183:
      let (_, month, day) = civil(of: date)
      return "\(day) \(Self.months[month - 1])"
    default: return isoDay(date)
    }
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
