/// Skips silence by playing it faster. Removing it (`silenceremove`) would make all later positions wrong. Pure: the
/// filter's output and the time are passed in. Seconds.
struct SilenceDetector: Equatable {
  /// The label of the `silencedetect` filter in mpv's filter chain.
  static let label = "silence"
  /// How often to poll the filter, in seconds. It sends no events.
  static let interval = 0.04
  /// The highest speed at which mpv still plays sound (scaletempo2 is mute above 4), so the first word after a
  /// silence is heard.
  static let speed = 4.0

  /// The shortest silence that the filter reports, in seconds. It is heard before it is skipped.
  static let minimumLength = 0.5

  /// The longest time to count at once, in seconds. Well above `interval`, because the thread can be late on a busy
  /// machine.
  private static let maxStep = 1.0

  private(set) var isSilent = false
  private var lastStart: String?
  private var lastEnd: String?
  /// When time was last counted, on a monotonic clock.
  private var countedAt: Double?
  /// Seconds saved that have not been reported yet. Negative if more was reported than the last silence has saved.
  private var saved = 0.0
  /// Seconds saved in the current silence.
  private var savedHere = 0.0
  /// The length of a silence that has ended and is not counted completely.
  private var endedLength: Double?

  /// Takes the filter's newest output (`lavfi.silence_start`, `lavfi.silence_end`). A new value means that silence
  /// has begun or ended. True if the speed must change.
  mutating func heard(start: String?, end: String?) -> Bool {
    let began = start != lastStart && start != nil
    let ended = end != lastEnd && end != nil
    (lastStart, lastEnd) = (start, end)
    let before = isSilent
    if isSilent, ended, let start = start.flatMap(Double.init), let end = end.flatMap(Double.init) {
      endedLength = max(0, end - start)
    }
    if ended { isSilent = false }
    if began { isSilent = true }
    // Both are new: the silence has already ended.
    if began, ended { isSilent = false }
    return isSilent != before
  }

  /// Adds the time saved up to now. It uses the clock, because mpv's position jumps by half a second when the speed
  /// changes. A long gap means that the process was suspended, and is not counted. A silence saves no more time than
  /// its length allows: on a busy machine its end is noticed late, and mpv may not have played on.
  mutating func count(now: Double, base: Double) {
    if let countedAt {
      let step = min(now - countedAt, Self.maxStep) * (Self.speed / base - 1)
      saved += step
      savedHere += step
    }
    if let endedLength {
      let most = max(0, endedLength - Self.minimumLength) * (1 / base - 1 / Self.speed)
      saved -= max(0, savedHere - most)
    }
    countedAt = isSilent ? now : nil
    if !isSilent { (savedHere, endedLength) = (0, nil) }
  }

  /// Forgets the current silence. Call it after a seek, because earlier filter output no longer applies.
  mutating func forgetSilence() {
    isSilent = false
    countedAt = nil
    (savedHere, endedLength) = (0, nil)
  }

  /// The seconds saved since the last call, if at least 0.5, or all of them when `all`.
  mutating func take(all: Bool = false) -> Double? {
    guard saved >= 0.5 || all && saved > 0 else { return nil }
    defer { saved = 0 }
    return saved
  }
}
