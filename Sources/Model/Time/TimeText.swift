/// Times as people read them.
public enum TimeText {
  /// Longer than any recording; also what keeps a hostile duration from overflowing (a hundred years).
  private static let limit: Double = 3_153_600_000

  /// "4:05", "1:02:03": a place in a recording, in whole seconds rounded down. "-:--" when it is no number.
  public static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "-:--" }
    let total = whole(abs(seconds))
    let sign = seconds <= -1 ? "-" : ""
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, Gregorian.padded(total % 60, 2))
    return hours > 0 ? "\(sign)\(hours):\(Gregorian.padded(minutes, 2)):\(rest)" : "\(sign)\(minutes):\(rest)"
  }

  public static func clock(_ seconds: Int) -> String { clock(Double(seconds)) }

  /// "1h 02m", "45m", "30s": how long something is, rounded to the smallest unit shown. "" when it is no number.
  public static func short(_ duration: Double) -> String {
    guard duration.isFinite else { return "" }
    let total = whole(max(0, duration).rounded())
    if total < 60 { return "\(total)s" }
    let minutes = (total + 30) / 60
    return minutes < 60 ? "\(minutes)m" : "\(minutes / 60)h \(Gregorian.padded(minutes % 60, 2))m"
  }

  public static func short(_ duration: Int) -> String { short(Double(duration)) }

  private static func whole(_ seconds: Double) -> Int { Int(min(seconds, limit)) }
}
