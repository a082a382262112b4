/// Tells a broken stream from a slow one, and decides when to report that playback waits for the network. Pure:
/// FFmpeg's log lines and the time (`now`, seconds of a monotonic clock) are passed in.
struct NetworkWatch: Equatable {
  /// When the newest connection error was logged, if no data has arrived since.
  private var brokenSince: Double?
  /// When playback started to wait.
  private var since: Double?
  /// When the wait is reported next. Nil: nothing to report.
  private(set) var deadline: Double?

  /// mpv reports buffered data up to this many seconds after it arrived.
  static let delay = 2.0

  var isBroken: Bool { brokenSince != nil }

  mutating func read(_ line: LogLine, now: Double) { if line.isConnectionError { brokenSince = now } }

  /// The buffer has grown.
  mutating func dataArrived(now: Double) {
    if let at = brokenSince, now - at > Self.delay { brokenSince = nil }
  }

  mutating func soundStarted() { brokenSince = nil }

  /// Seconds that playback has waited for the network, if a report is due now: at once, then every second. The count
  /// continues through a pause, without reports.
  mutating func wait(isStalled: Bool, isPaused: Bool, isConnectionLost: Bool, now: Double) -> Double? {
    if !isStalled, !isPaused { since = nil }
    guard isStalled, isConnectionLost else {
      deadline = nil
      return nil
    }
    let begun = since ?? now
    since = begun
    guard now >= deadline ?? now else { return nil }
    deadline = begun + (now - begun).rounded(.down) + 1
    return now - begun
  }
}

/// Decides when to report that a stream takes long to open. A server may send less than FFmpeg needs to begin, without
/// an error.
struct OpeningWatch: Equatable {
  private var since: Double?
  /// When the wait is reported next. Nil: nothing is being opened.
  private(set) var deadline: Double?

  /// Seconds before the first report.
  static let patience = 10.0

  /// Seconds that the stream has been opening, if a report is due now: after `patience`, then every second.
  mutating func wait(isOpening: Bool, now: Double) -> Double? {
    guard isOpening else {
      (since, deadline) = (nil, nil)
      return nil
    }
    let begun = since ?? now
    let due = deadline ?? begun + Self.patience
    (since, deadline) = (begun, due)
    guard now >= due else { return nil }
    deadline = begun + (now - begun).rounded(.down) + 1
    return now - begun
  }
}

extension LogLine {
  /// FFmpeg reports a connection problem in the middle of a stream (libavformat/http.c, 4.4 to 7).
  var isConnectionError: Bool {
    text.contains("Stream ends prematurely") && !isAboutUnknownLength || text.contains("Will reconnect at")
  }

  /// FFmpeg also says so at every end of a stream whose length the server does not give. It then compares with
  /// UINT64_MAX.
  private var isAboutUnknownLength: Bool { text.hasSuffix("should be \(UInt64.max)") }
}
