/// Seconds as listeners read them: 7:05, 1:02:03.
enum ClockText {
  static func text(_ seconds: Double) -> String {
    // Beyond a year the number is nonsense from outside, and might not fit an Int.
    let whole = seconds.isFinite ? Int(min(max(seconds, 0), 31_536_000)) : 0
    let minutes = padded(whole / 60 % 60, width: whole >= 3600 ? 2 : 1)
    let tail = "\(minutes):\(padded(whole % 60, width: 2))"
    return whole >= 3600 ? "\(whole / 3600):\(tail)" : tail
  }

  /// "12:34 of 56:00", or the first half when the duration is not known.
  static func pair(_ position: Double, of duration: Double?) -> String {
    guard let duration else { return text(position) }
    return "\(text(position)) of \(text(duration))"
  }

  private static func padded(_ number: Int, width: Int) -> String {
    number < 10 && width == 2 ? "0\(number)" : "\(number)"
  }
}
