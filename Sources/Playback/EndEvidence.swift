/// What is known about a file when no more sound comes, to tell its real end from a cut. mpv reports the same end for
/// the real end of an episode, for a stream that broke off and could not be reconnected, and for an incomplete file.
/// Seconds and bytes.
struct EndEvidence: Equatable {
  enum Position: Equatable {
    /// Sound was heard, or data was read, up to this position.
    case reached(Double)
    /// This position was the target of a seek, and no sound came from it. The file may be shorter.
    case seekTarget(Double)

    var seconds: Double {
      switch self {
      case .reached(let seconds), .seekTarget(let seconds): seconds
      }
    }
  }

  var position: Position
  var duration: Double?
  /// The duration that the feed states. Evidence if the server does not give the size.
  var feedDuration: Double?
  /// How many bytes the demuxer has read, and how large the file is. Nil when the server does not say.
  var bytesRead: Int64?
  var size: Int64?
  /// FFmpeg estimated the duration from the bit rate. For an mp3 without a Xing header it can be wrong by any factor,
  /// and mpv extends it to what has been read.
  var isDurationEstimated = false
  /// FFmpeg reported a connection error since the last sound.
  var hasStreamError = false

  /// How far before the duration a position counts as the end: 0.5%, at least 1 and at most 10 seconds. Positions
  /// stop a few packets early, and durations in headers are rounded. A cut within this margin loses almost nothing.
  static func margin(duration: Double) -> Double { min(max(duration * 0.005, 1), 10) }

  /// Tags after the sound (ID3v1, APE) are not read by the demuxer.
  private static let trailerBytes: Int64 = 64 * 1024

  /// Judged by the bytes read, or by connection errors when the size is unknown (live streams, chunked transfers).
  private var wasReadWhole: Bool {
    guard let bytesRead, let size, size > 0 else { return !hasStreamError && !isFarFromFeedDuration }
    return bytesRead >= size - Self.trailerBytes
  }

  /// The advertisements in a file, and so its duration, may be other ones than when the feed was made.
  private var isFarFromFeedDuration: Bool {
    guard let feedDuration else { return false }
    return position.seconds < feedDuration - min(max(feedDuration * 0.1, 10), 180)
  }

  /// False: it stopped far from its end.
  var isEnd: Bool {
    // mpv extends an estimated duration while it reads on, so only the bytes tell the end.
    guard let duration, !isDurationEstimated else { return wasReadWhole }
    guard position.seconds >= duration - Self.margin(duration: duration) else { return false }
    if case .seekTarget = position { return wasReadWhole }
    return true
  }
}
