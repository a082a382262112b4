/// Limits of times in media files.
public enum MediaTime {
  /// Seconds: a thousand hours. No file is longer. Other programs and damaged files bring any number.
  public static let maximum = 3_600_000.0
}

/// Formats times and durations.
public enum TimeText {
  /// The limit of formatted durations, a hundred years in seconds, so that invalid values do not overflow.
  private static let limit: Double = 3_153_600_000

  /// A position, such as "4:05" or "1:02:03", in whole seconds rounded down. "-:--" for a value that is not finite.
  public static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "-:--" }
    let total = whole(abs(seconds))
    let sign = seconds <= -1 ? "-" : ""
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, Gregorian.padded(total % 60, 2))
    return hours > 0 ? "\(sign)\(hours):\(Gregorian.padded(minutes, 2)):\(rest)" : "\(sign)\(minutes):\(rest)"
  }

  public static func clock(_ seconds: Int) -> String { clock(Double(seconds)) }

  /// The seconds between two positions as `clock` shows them, so that "3:33" to "3:35" is "0:02".
  public static func span(_ start: Double, _ end: Double) -> Double { end.rounded(.down) - start.rounded(.down) }

  /// A duration, such as "1h 02m", "45m" or "30s", rounded to the smallest unit. "" for a value that is not finite.
  public static func short(_ duration: Double) -> String {
    guard duration.isFinite else { return "" }
    let total = whole(max(0, duration).rounded())
    if total < 60 { return "\(total)s" }
    let minutes = (total + 30) / 60
    return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h \(Gregorian.padded(minutes % 60, 2))m"
  }

  /// Whole seconds, for other programs. 0 for a value that is not finite.
  public static func whole(_ seconds: Double) -> Int { seconds.isFinite ? Int(min(max(seconds, -limit), limit)) : 0 }
}

/// A time that the listener writes, such as the argument of `:seek`: `93`, `1:33`, `1:02:03`, `+30`, `-1:00`.
public enum TimeArgument: Equatable, Sendable {
  case absolute(Double)
  case relative(Double)

  public init?(_ text: String) {
    let sign: Double? = text.hasPrefix("+") ? 1 : text.hasPrefix("-") ? -1 : nil
    let parts = text.dropFirst(sign == nil ? 0 : 1).split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      // `Double` also accepts signs, exponents, hexadecimal numbers and nan. Only the last part has a fraction.
      let allowed = index == parts.count - 1 ? "0123456789." : "0123456789"
      guard part.allSatisfy({ allowed.contains($0) }), let number = Double(part) else { return nil }
      guard index == 0 || number < 60 else { return nil }
      seconds = seconds * 60 + number
    }
    // Filters also take times that no file has, such as `duration<9999:00:00`.
    guard seconds < 100_000_000 else { return nil }
    self = sign.map { .relative($0 * seconds) } ?? .absolute(seconds)
  }
}
