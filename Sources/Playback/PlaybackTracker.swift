import Model

/// Turns mpv's events about one file into player events, with positions at most about twice a second. Pure: the time
/// (`now`, seconds of a monotonic clock) is passed in.
struct PlaybackTracker {
  let generation: Int
  /// The last valid position, or the target of a seek in progress. Nil until the file is open. Rounded to
  /// thousandths: mpv reports the position of a sample, which can lie just before the target of a seek, and 239.9998
  /// would be shown as 3:59.
  private(set) var position: Double? {
    didSet { position = position.map { ($0 * 1000).rounded() / 1000 } }
  }
  private(set) var duration: Double?
  private(set) var isPaused: Bool
  private(set) var isSeeking = true
  /// The newest seek that the listener asked for. Every reported position carries it.
  var seek = SeekID.none
  /// Where the sound starts after the last seek. Nil until it starts. This is the target, not mpv's position at that
  /// time, which may already be the end.
  private var soundStart: Double?
  /// Whether a stall has been reported.
  private(set) var isStalled = false

  private var isWaitingForData = false
  private var isSilent = false
  /// When the position last changed, or the listener last changed something that stops it for a moment.
  private var lastChange = 0.0
  private var reportedPosition: (seconds: Double, at: Double)?
  private var reportedChapters: [Chapter] = []
  private var durations = Throttled(interval: 1, step: 0.5)
  private var buffer = Throttled(interval: 1, step: 1)

  /// Seconds of playing without a new position that count as a stall, such as with a dead sound device or a seek that
  /// reads through half a file. mpv itself reports 13 positions a second.
  static let timeout = 3.0
  /// Seconds. A position that is less than this before the last one is ignored unless a seek led there: mpv steps
  /// back briefly (see `isStepBack`). A device buffers up to 0.5 s.
  static let stepBack = 2.0
  /// Seconds between position reports. At speed 4 the displayed second changes four times a second; about two reports
  /// are enough.
  static let positionInterval = 0.45

  init(generation: Int, isPaused: Bool) {
    self.generation = generation
    self.isPaused = isPaused
  }

  /// The file is open. A local file needs no buffer, so `.buffered` reports its whole length.
  mutating func opened(
    at start: Double, duration: Double?, isSeekable: Bool, isPaused: Bool, chapters: [Chapter], isLocal: Bool,
    now: Double
  ) -> [PlayerEvent] {
    position = start
    self.duration = duration
    self.isPaused = isPaused
    lastChange = now
    reportedChapters = chapters
    if let duration { _ = durations.submit(duration, now: now) }
    var events: [PlayerEvent] = [.started(generation: generation, duration: duration, seekable: isSeekable)]
    events.append(.paused(generation: generation, isPaused))
    // Reported even if there are none, because the previous file may have had some.
    events.append(.chapters(generation: generation, chapters))
    if isLocal, let duration { events.append(.buffered(generation: generation, until: duration)) }
    return events
  }

  /// Sound starts, after opening or after a seek.
  mutating func restarted(at seconds: Double?, now: Double) -> [PlayerEvent] {
    isSeeking = false
    soundStart = position ?? seconds
    // After a seek during a pause, mpv subtracts the sound that the device held when the pause began: 0.2 s at speed
    // 1, 0.6 s at speed 4 (seen in 0.35 with `ao=null`). Playback continues at the target, so that position is
    // ignored.
    let seconds = isPaused && seconds.map(isStepBack) == true ? nil : seconds
    return moved(to: seconds ?? position ?? 0, now: now, isForced: true)
  }

  /// A seek has started. Its target is reported at once.
  mutating func seekStarted(to seconds: Double, now: Double) -> [PlayerEvent] {
    isSeeking = true
    soundStart = nil
    lastChange = now
    position = seconds
    return report(now: now)
  }

  mutating func changedPosition(_ seconds: Double, now: Double) -> [PlayerEvent] {
    // Until sound starts, positions are those from before the seek or intermediate ones.
    guard !isSeeking else { return [] }
    // On a speed change, mpv's position steps back briefly, because it recalculates the sound that the device holds
    // at the new speed.
    if isStepBack(seconds) {
      lastChange = now
      return []
    }
    return moved(to: seconds, now: now, isForced: false)
  }

  mutating func changedPause(_ isPaused: Bool, at seconds: Double?, now: Double) -> [PlayerEvent] {
    guard isPaused != self.isPaused else { return [] }
    self.isPaused = isPaused
    lastChange = now
    if !isSeeking, let seconds, !isStepBack(seconds) { position = seconds }
    return [.paused(generation: generation, isPaused)] + report(now: now) + stallEvents()
  }

  mutating func changedWaiting(_ isWaiting: Bool) -> [PlayerEvent] {
    isWaitingForData = isWaiting
    return stallEvents()
  }

  mutating func changedDuration(_ seconds: Double?, now: Double) -> [PlayerEvent] {
    duration = seconds
    guard let seconds, let value = durations.submit(seconds, now: now) else { return [] }
    return [.duration(generation: generation, seconds: value)]
  }

  mutating func changedBuffer(until seconds: Double, now: Double) -> [PlayerEvent] {
    buffer.submit(seconds, now: now).map { [.buffered(generation: generation, until: $0)] } ?? []
  }

  mutating func changedChapters(_ chapters: [Chapter]) -> [PlayerEvent] {
    guard chapters != reportedChapters else { return [] }
    reportedChapters = chapters
    return [.chapters(generation: generation, chapters)]
  }

  // MARK: Time

  /// Events that are due although mpv sent none.
  mutating func timePassed(now: Double) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    if let value = buffer.due(now: now) { events.append(.buffered(generation: generation, until: value)) }
    if let value = durations.due(now: now) { events.append(.duration(generation: generation, seconds: value)) }
    if position != nil, !isPaused, !isSilent, now >= lastChange + Self.timeout {
      isSilent = true
      events += stallEvents()
    }
    return events
  }

  /// When `timePassed` must be called. Nil: not before the next event of mpv. Paused with a full buffer it is nil, so
  /// the thread sleeps.
  var deadline: Double? {
    let silence = position != nil && !isPaused && !isSilent ? lastChange + Self.timeout : nil
    return [buffer.deadline, durations.deadline, silence].compactMap { $0 }.min()
  }

  /// Whether any sound since the last seek came before `end`, mpv's position at the end of the file. If none did,
  /// `end` is just the target of the seek and says nothing about the file.
  func hasPlayed(before end: Double) -> Bool { soundStart.map { end > $0 + 0.001 } ?? false }

  // MARK: Reports

  private mutating func moved(to seconds: Double, now: Double, isForced: Bool) -> [PlayerEvent] {
    position = max(0, seconds)
    lastChange = now
    isSilent = false
    return stallEvents() + (isForced || isReportDue(at: seconds, now: now) ? report(now: now) : [])
  }

  /// A small step backwards that no seek explains.
  private func isStepBack(_ seconds: Double) -> Bool {
    position.map { seconds < $0 && $0 - seconds < Self.stepBack } ?? false
  }

  /// Once a second while playing. During a pause, mpv corrects the position when the device has stopped; such a
  /// correction is reported because the position stays there.
  private func isReportDue(at seconds: Double, now: Double) -> Bool {
    guard let last = reportedPosition else { return true }
    if isPaused { return abs(seconds - last.seconds) >= Self.correction }
    return last.seconds.rounded(.down) != seconds.rounded(.down) && now - last.at >= Self.positionInterval
  }

  /// The smallest correction during a pause that is reported. Seconds.
  private static let correction = 0.05

  private mutating func report(now: Double) -> [PlayerEvent] {
    guard let position else { return [] }
    reportedPosition = (position, now)
    return [.position(generation: generation, seconds: position, seek: seek)]
  }

  private mutating func stallEvents() -> [PlayerEvent] {
    let isStalled = !isPaused && (isWaitingForData || isSilent)
    guard isStalled != self.isStalled else { return [] }
    self.isStalled = isStalled
    return [.stalled(generation: generation, isStalled)]
  }
}
