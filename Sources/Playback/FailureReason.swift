import Foundation

/// Finds out why a file could not be played. mpv's error codes only say that it failed; the reason is in the warnings
/// that FFmpeg logged just before.
struct FailureReason {
  private var lines: [LogLine] = []
  /// mpv's duration may be wrong: FFmpeg has estimated it, or mpv gives what has been read.
  private(set) var isDurationEstimated = false
  /// FFmpeg reported a connection error that has not been overcome.
  private(set) var hasStreamError = false
  /// mpv said that sound starts, and the position has not moved since. `hasNewError`: there was an error since.
  private var awaitsSound = false
  private var hasNewError = false
  /// FFmpeg has failed several times to open the address and would keep trying for `reconnectSeconds`. That is right
  /// in the middle of an episode, but at its start the listener should get the error now.
  private(set) var hasExhaustedRetries = false

  /// The server refused the bytes that a seek asked for. FFmpeg then continues from where it was, so the sound does
  /// not match the position that mpv reports.
  private(set) var isSeekRefused = false

  mutating func seekStarts() { isSeekRefused = false }

  mutating func read(_ line: LogLine) {
    lines.append(line)
    if lines.count > 20 { lines.removeFirst() }
    // The messages are from libavformat/utils.c and libavformat/http.c (4.4 to 7).
    if line.text.contains("Estimating duration from bitrate") { isDurationEstimated = true }
    if line.isOfChainedFile { isDurationEstimated = true }
    if line.isConnectionError { (hasStreamError, hasNewError) = (true, true) }
    // 416 means a position after the end; FFmpeg handles that itself.
    if line.text.contains("HTTP error 4"), !line.text.contains("HTTP error 416") { isSeekRefused = true }
    if let delay = line.text.range(of: " in [0-9]+ second", options: .regularExpression),
      line.text.contains("Will reconnect at"), let seconds = Int(line.text[delay].filter(\.isNumber)), seconds >= 3
    {
      hasExhaustedRetries = true
    }
  }

  /// mpv says that sound starts. It also says so at the end of what could be read, before it reports the end. So
  /// connection errors count until `soundMoved`.
  mutating func soundStarts() { (awaitsSound, hasNewError) = (true, false) }

  /// Sound plays, so the connection errors from before it started have been overcome.
  mutating func soundMoved() {
    guard awaitsSound else { return }
    awaitsSound = false
    hasStreamError = hasNewError
    hasExhaustedRetries = false
  }

  /// The error for the newest log line that explains the failure, or else for mpv's error code.
  func error(code: Int32, text: String) -> PlaybackError {
    for line in lines.reversed() {
      for known in Self.knownPhrases {
        if let found = line.text.range(of: known.phrase) {
          return known.error(String(line.text[found.upperBound...]).trimmed)
        }
      }
    }
    if let error = Self.errors[code] { return error }
    return hasStreamError ? .unreachable("it closed the connection") : .other(lines.last?.text.trimmed ?? text)
  }

  /// Phrases from the logs of FFmpeg 4 to 7 and mpv 0.33 to 0.40. Each closure gets the rest of the line.
  private static let knownPhrases: [(phrase: String, error: @Sendable (String) -> PlaybackError)] = [
    (
      "HTTP error ",
      { rest in
        let words = rest.split(separator: " ", maxSplits: 1)
        return .httpStatus(words.first.flatMap { Int($0) } ?? 0, words.count > 1 ? String(words[1]) : "")
      }
    ),
    ("Failed to resolve hostname ", { .unknownHost($0.prefix(upTo: ":")) }),
    ("ertificate", { _ in .insecure("its certificate is not valid") }),
    ("Error in the pull function", { .unreachable($0.isEmpty ? "the connection was closed" : $0) }),
    ("TLS", { .insecure($0) }),
    ("Connection refused", { _ in .unreachable("it refuses connections") }),
    ("timed out", { _ in .unreachable("it does not answer") }),
    ("Network is unreachable", { _ in .unreachable("no network") }),
    ("No route to host", { _ in .unreachable("no route to it") }),
    ("error=Connection reset", { _ in .unreachable("it closed the connection") }),
    ("error=Input/output error", { _ in .unreachable("the connection broke off") }),
    ("Could not open/initialize audio device", { _ in .noSoundDevice }),
    ("Failed to initialize audio driver", { _ in .noSoundDevice }),
    ("Failed to recognize file format", { _ in .notAudio }),
  ]

  /// `mpv_error` of client.h.
  private static let errors: [Int32: PlaybackError] = [
    -14: .noSoundDevice,  // MPV_ERROR_AO_INIT_FAILED
    -16: .notAudio,  // MPV_ERROR_NOTHING_TO_PLAY
    -17: .notAudio,  // MPV_ERROR_UNKNOWN_FORMAT
  ]
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
  fileprivate func prefix(upTo separator: Character) -> String { String(prefix { $0 != separator }) }
}

/// A warning or an error from mpv's log, which includes FFmpeg's.
struct LogLine: Equatable {
  /// One line without control characters. It can quote addresses and headers from the network.
  var text: String

  init(_ text: String) {
    let clean = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    self.text = String(String(String.UnicodeScalarView(clean)).prefix(300))
  }
}
