import Model

/// Turns what the core says about one file into what the listener needs to know, not more than about twice a second.
/// Pure: the time (`now`, seconds of a clock that does not run backwards) comes with each call.
struct PlaybackTracker {
  let generation: Int
  /// The last true position, or the target of a seek under way. Nil until the file is open. To a thousandth: mpv tells
  /// that of a sample, which lies a fraction before the second that was sought, and 239.9998 is shown as 3:59.
  private(set) var position: Double? {
    didSet { position = position.map { ($0 * 1000).rounded() / 1000 } }
  }
  private(set) var duration: Double?
  private(set) var isPaused: Bool
  private(set) var isSeeking = true
  /// The newest seek that the listener asked for: told with every position.
  var seek = SeekID.none
  /// Where sound was to begin after the last seek; nil until it comes. Not where mpv says that it is by then: that may be
  /// the end.
  private var soundStart: Double?
  /// The listener knows that it waits.
  var isStalled: Bool { reportedStall }

  private var isWaitingForData = false
  private var isSilent = false
  private var reportedStall = false
  private var lastSignOfLife = 0.0
  /// The last two places that sound came from, and when; nil after a seek.
  private var heard: (seconds: Double, at: Double)?
  private var newest: (seconds: Double, at: Double)?
  private var reportedPosition: (seconds: Double, at: Double)?
  private var reportedChapters: [Chapter] = []
  private var durations = Throttled(interval: 1, step: 0.5)
  private var buffer = Throttled(interval: 1, step: 1)

  /// Playing for that long without a new position counts as stalled: a dead sound device, a seek that reads through
  /// half a file. mpv itself reports 13 positions a second.
  static let patience = 3.0
  /// Without a seek no position is that little before the last one. Seconds; a device holds up to half a second.
  static let stepBack = 2.0
  /// At 4× the shown second changes four times a second: every second one is enough.
  static let positionInterval = 0.45

  init(generation: Int, isPaused: Bool) {
    self.generation = generation
    self.isPaused = isPaused
  }

  /// The file is open. `bufferedUntil` is its length when it needs no buffer.
  mutating func opened(
    at start: Double, duration: Double?, isSeekable: Bool, isPaused: Bool, chapters: [Chapter], isLocal: Bool,
    now: Double
  ) -> [PlayerEvent] {
    position = start
    self.duration = duration
    self.isPaused = isPaused
    lastSignOfLife = now
    reportedChapters = chapters
    if let duration { _ = durations.offer(duration, now: now) }
    var events: [PlayerEvent] = [.started(generation: generation, duration: duration, seekable: isSeekable)]
    events.append(.paused(generation: generation, isPaused))
    // Also that there are none: they may have been in the file before.
    events.append(.chapters(generation: generation, chapters))
    if isLocal, let duration { events.append(.buffered(generation: generation, until: duration)) }
    return events
  }

  /// Sound comes, at the start or after a seek.
  mutating func restarted(at seconds: Double?, now: Double) -> [PlayerEvent] {
    isSeeking = false
    soundStart = position ?? seconds
    // After a seek in a pause mpv subtracts the sound that the device held when the pause began: 0.2 s of it at 1×, 0.6 at
    // 4× (seen in 0.35 with `ao=null`). What is heard next begins at the target.
    let seconds = isPaused && seconds.map(isStepBack) == true ? nil : seconds
    return moved(to: seconds ?? position ?? 0, now: now, isForced: true)
  }

  /// A seek is under way. Its target is shown at once.
  mutating func sought(to seconds: Double, now: Double) -> [PlayerEvent] {
    isSeeking = true
    soundStart = nil
    lastSignOfLife = now
    position = seconds
    return report(now: now)
  }

  mutating func changedPosition(_ seconds: Double, now: Double) -> [PlayerEvent] {
    // Until sound comes, positions are the old place's, or stations on the way.
    guard !isSeeking else { return [] }
    // When the speed changes mpv goes back for a moment: it counts what the device holds at the new speed.
    if isStepBack(seconds) {
      lastSignOfLife = now
      return []
    }
    return moved(to: seconds, now: now, isForced: false)
  }

  mutating func changedPause(_ isPaused: Bool, at seconds: Double?, now: Double) -> [PlayerEvent] {
    guard isPaused != self.isPaused else { return [] }
    self.isPaused = isPaused
    lastSignOfLife = now
    if !isSeeking, let seconds, !isStepBack(seconds) { position = seconds }
    return [.paused(generation: generation, isPaused)] + report(now: now) + stallEvents()
  }

  mutating func changedWaiting(_ isWaiting: Bool) -> [PlayerEvent] {
    isWaitingForData = isWaiting
    return stallEvents()
  }

  mutating func changedDuration(_ seconds: Double?, now: Double) -> [PlayerEvent] {
    duration = seconds
    guard let seconds, let value = durations.offer(seconds, now: now) else { return [] }
    return [.duration(generation: generation, seconds: value)]
  }

  mutating func changedBuffer(until seconds: Double, now: Double) -> [PlayerEvent] {
    buffer.offer(seconds, now: now).map { [.buffered(generation: generation, until: $0)] } ?? []
  }

  mutating func changedChapters(_ chapters: [Chapter]) -> [PlayerEvent] {
    guard chapters != reportedChapters else { return [] }
    reportedChapters = chapters
    return [.chapters(generation: generation, chapters)]
  }

  // MARK: Time

  /// What is due although the core says nothing.
  mutating func timePassed(now: Double) -> [PlayerEvent] {
    var events: [PlayerEvent] = []
    if let value = buffer.due(now: now) { events.append(.buffered(generation: generation, until: value)) }
    if let value = durations.due(now: now) { events.append(.duration(generation: generation, seconds: value)) }
    if position != nil, !isPaused, !isSilent, now >= lastSignOfLife + Self.patience {
      isSilent = true
      events += stallEvents()
    }
    return events
  }

  /// When `timePassed` should be called; nil: not before the core speaks. Paused and with a full buffer there is none,
  /// so that the thread sleeps.
  var deadline: Double? {
    let silence = position != nil && !isPaused && !isSilent ? lastSignOfLife + Self.patience : nil
    return [buffer.deadline, durations.deadline, silence].compactMap { $0 }.min()
  }

  /// Seconds until that place will have been heard; the sound that a device holds is a second at most. Reckoned from the
  /// place before the last one: mpv calls the end its position as soon as nothing is left to be made.
  func unheard(until end: Double, speed: Double, now: Double) -> Double {
    guard let heard, !isSeeking, speed > 0 else { return 0 }
    return min(max(0, (end - heard.seconds) / speed - (now - heard.at)), 1)
  }

  /// `end` is where mpv is when no more sound comes: whether any sound came before it since the last seek. When none did,
  /// that is the place that was asked for, and says nothing of the file.
  func hasHeard(before end: Double) -> Bool { soundStart.map { end > $0 + 0.001 } ?? false }

  // MARK: Reports

  private mutating func moved(to seconds: Double, now: Double, isForced: Bool) -> [PlayerEvent] {
    position = max(0, seconds)
    heard = isForced ? nil : newest
    newest = (max(0, seconds), now)
    lastSignOfLife = now
    isSilent = false
    return stallEvents() + (isForced || isReportDue(at: seconds, now: now) ? report(now: now) : [])
  }

  /// A little before the last place, and no seek led there.
  private func isStepBack(_ seconds: Double) -> Bool {
    position.map { seconds < $0 && $0 - seconds < Self.stepBack } ?? false
  }

  /// Every second; and in a pause what mpv still puts right when the device has stopped, for that is where it stays.
  private func isReportDue(at seconds: Double, now: Double) -> Bool {
    guard let last = reportedPosition else { return true }
    if isPaused { return abs(seconds - last.seconds) >= Self.correction }
    return last.seconds.rounded(.down) != seconds.rounded(.down) && now - last.at >= Self.positionInterval
  }

  /// Seconds.
  private static let correction = 0.05

  private mutating func report(now: Double) -> [PlayerEvent] {
    guard let position else { return [] }
    reportedPosition = (position, now)
    return [.position(generation: generation, seconds: position, seek: seek)]
  }

  private mutating func stallEvents() -> [PlayerEvent] {
    let isStalled = !isPaused && (isWaitingForData || isSilent)
    guard isStalled != reportedStall else { return [] }
    reportedStall = isStalled
    return [.stalled(generation: generation, isStalled)]
  }
}
