/// What it means that no more sound comes. mpv reports the same end of file for the last word of an episode, for a
/// stream that broke off and could not be asked for again, and for half a file.
enum EndOfFile: Equatable {
  case ended(atEnd: Bool)
  /// Far from the end.
  case cut
}

/// What is known about a file when no more sound comes. Seconds and bytes.
struct EndEvidence: Equatable {
  enum Place: Equatable {
    /// Sound came up to here, or was read up to here.
    case reached(Double)
    /// This place was asked for, and no sound came from it: that the file reaches so far is only a wish.
    case sought(Double)

    var seconds: Double {
      switch self {
      case .reached(let seconds), .sought(let seconds): seconds
      }
    }
  }

  var place: Place
  var duration: Double?
  /// Where the listener wanted to stop.
  var requestedEnd: Double?
  /// How far the demuxer read, of how many bytes: nil when the server did not say.
  var bytesRead: Int64?
  var size: Int64?
  /// FFmpeg guessed the duration from the bit rate: an mp3 without a Xing header may be wrong by any factor.
  var isDurationEstimated = false
  /// FFmpeg complained about the connection since sound last came.
  var hasStreamError = false

  /// Positions end a few packets before the duration, and headers round it. Half a per cent, within 1 and 10 seconds:
  /// little enough that a cut there loses nothing.
  static func margin(duration: Double) -> Double { min(max(duration * 0.005, 1), 10) }

  /// Tags (ID3v1, APE) behind the sound are not read.
  private static let trailerBytes: Int64 = 64 * 1024

  /// As the bytes say; without them (a live stream, chunks) as FFmpeg says of the connection.
  private var wasReadWhole: Bool {
    guard let bytesRead, let size, size > 0 else { return !hasStreamError }
    return bytesRead >= size - Self.trailerBytes
  }

  var verdict: EndOfFile {
    let seconds = place.seconds
    let isNearEnd = duration.map { seconds >= $0 - Self.margin(duration: $0) }
    if let requestedEnd, seconds >= requestedEnd - 1 { return .ended(atEnd: isNearEnd ?? false) }
    if isNearEnd == true {
      if case .sought = place { return wasReadWhole ? .ended(atEnd: true) : .cut }
      return .ended(atEnd: true)
    }
    if duration == nil || isDurationEstimated { return wasReadWhole ? .ended(atEnd: true) : .cut }
    return .cut
  }
}
