import Foundation

/// Formats a date as `2026-11-21 15:04` in local time.
public enum MinuteText {
  public static func text(_ date: Date) -> String {
    let format = Date.VerbatimFormatStyle(
      format:
        "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .current, calendar: Calendar(identifier: .gregorian))
    return date.formatted(format)
  }
}
