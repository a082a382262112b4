import Foundation

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
