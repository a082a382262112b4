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
    text(date, secondsFromGMT: zone.secondsFromGMT(for: date))
  }

  /// The day in the time zone with this offset, in seconds.
  public static func text(_ date: Date, secondsFromGMT offset: Int) -> String {
    let seconds = date.timeIntervalSince1970 + Double(offset)
    guard seconds.isFinite, abs(seconds) < 1e13 else { return "" }
    return text(ofDay: Int((seconds / 86_400).rounded(.down)))
  }
}

extension Calendar {
  /// The day of a date, counted from 1970-01-01.
  public func dayNumber(_ date: Date) -> Int {
    let parts = dateComponents([.year, .month, .day], from: date)
    return Gregorian.daysSinceEpoch(parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
  }
}
