/// Tells a stream that has broken off from one that is merely slow, and when to say so. Pure: what FFmpeg logs and the time
/// (`now`, seconds of a clock that does not run backwards) come with each call.
struct NetworkWatch: Equatable {
  /// The newest complaint about the connection that no data has followed.
  private var brokeOffAt: Double?
  /// Since when the sound waits.
  private var since: Double?
  /// When that is to be told; nil: not before something happens.
  private(set) var deadline: Double?

  /// mpv tells of what has arrived up to so much later, in seconds.
  static let delay = 2.0

  var hasBrokenOff: Bool { brokeOffAt != nil }

  mutating func note(_ line: LogLine, now: Double) { if line.isAboutConnection { brokeOffAt = now } }

  /// The buffer has grown.
  mutating func dataCame(now: Double) {
    if let at = brokeOffAt, now - at > Self.delay { brokeOffAt = nil }
  }

  mutating func soundCame() { brokeOffAt = nil }

  /// For how long the sound has been waiting for the network, when that is to be told: at once, and then once a second.
  /// Through a pause it goes on waiting, in silence.
  mutating func wait(isStalled: Bool, isPaused: Bool, isCutOff: Bool, now: Double) -> Double? {
    if !isStalled, !isPaused { since = nil }
    guard isStalled, isCutOff else {
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

extension LogLine {
  /// FFmpeg complains about the connection in the middle of a stream (libavformat/http.c, 4.4 to 7).
  var isAboutConnection: Bool { text.contains("Stream ends prematurely") || text.contains("Will reconnect at") }
}
