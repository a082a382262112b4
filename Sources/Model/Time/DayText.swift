import Foundation

/// Formats a day as `21 Nov 2025`, the full form of what lists shorten to `21 Nov` or `Nov'25`.
public enum DayText {
  public static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Parameter day: counted from 1970-01-01.
  public static func text(ofDay day: Int) -> String {
    let (year, month, day) = Gregorian.date(ofDay: day)
    return "\(day) \(months[month - 1]) \(year)"
  }

  public static func text(_ date: Date, in zone: TimeZone = .current) -> String {
    number(of: date, in: zone).map { text(ofDay: $0) } ?? ""
  }

  /// The day of a date, counted from 1970-01-01. Nil for what is no date.
  public static func number(of date: Date, in zone: TimeZone) -> Int? {
    let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
    guard seconds.isFinite, abs(seconds) < 1e13 else { return nil }
    return Int((seconds / 86_400).rounded(.down))
  }
}

extension Calendar {
  /// The day of a date, counted from 1970-01-01.
  public func dayNumber(_ date: Date) -> Int { DayText.number(of: date, in: timeZone) ?? 0 }
}
