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

/// Formats a date as `2011-04-27T07:00:00Z` (RFC 3339, UTC). A formatter would take a hundred times as long, and a feed
/// has thousands of dates.
public enum ISODate {
  public static func text(_ date: Date) -> String {
    // A date of another program can be any number.
    let exact = date.timeIntervalSince1970.rounded(.down)
    let seconds = abs(exact) < 1e13 ? Int(exact) : 0
    let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let time = seconds - days * 86400
    let (year, month, day) = Gregorian.date(ofDay: days)
    return Gregorian.text(year, month, day) + "T" + Gregorian.padded(time / 3600, 2) + ":"
      + Gregorian.padded(time / 60 % 60, 2) + ":" + Gregorian.padded(time % 60, 2) + "Z"
  }
}

/// Formats a date as `21 Nov 2026 15:04` in local time.
public enum MinuteText {
  public static func text(_ date: Date) -> String {
    let format = Date.VerbatimFormatStyle(
      format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .current, calendar: Calendar(identifier: .gregorian))
    return "\(DayText.text(date)) \(date.formatted(format))"
  }
}
