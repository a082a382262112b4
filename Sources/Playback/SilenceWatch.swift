/// Passes over silence by playing it faster: cutting it out (`silenceremove`) would falsify every position after it.
/// Pure: what the filter says and the time come with each call. Seconds.
struct SilenceWatch: Equatable {
  /// Of the `silencedetect` filter in mpv's list.
  static let label = "silence"
  /// How often the filter is asked, in seconds: it cannot be waited for.
  static let interval = 0.04
  /// As fast as mpv keeps the sound audible (scaletempo2 is mute above 4); speech that comes is not lost.
  static let speed = 4.0

  /// Much more than `interval`: on a busy machine the thread comes late.
  private static let longestStep = 1.0

  private(set) var isSilent = false
  private var lastStart: String?
  private var lastEnd: String?
  /// When it was last counted, by a clock that does not run backwards.
  private var countedAt: Double?
  /// Told and not yet told.
  private var saved = 0.0

  /// What the filter last said (`lavfi.silence_start`, `lavfi.silence_end`): silence has begun or ended when it says
  /// something new. True when the speed must change.
  mutating func heard(start: String?, end: String?) -> Bool {
    let began = start != lastStart && start != nil
    let ended = end != lastEnd && end != nil
    (lastStart, lastEnd) = (start, end)
    let before = isSilent
    if ended { isSilent = false }
    if began { isSilent = true }
    // Both at once: a pause that is over already.
    if began, ended { isSilent = false }
    return isSilent != before
  }

  /// Counts up to now. By the clock, since mpv's position jumps by half a second for a moment when the speed changes; but
  /// of a process that was stopped meanwhile nothing was heard.
  mutating func count(now: Double, base: Double) {
    if let countedAt { saved += min(now - countedAt, Self.longestStep) * (Self.speed / base - 1) }
    countedAt = isSilent ? now : nil
  }

  /// After a seek nothing is known; what the filter said before it is no news.
  mutating func sought() {
    isSilent = false
    countedAt = nil
  }

  /// Seconds won since the last call, once there is at least half a one, or when `all`.
  mutating func take(all: Bool = false) -> Double? {
    guard saved >= 0.5 || all && saved > 0 else { return nil }
    defer { saved = 0 }
    return saved
  }
}
