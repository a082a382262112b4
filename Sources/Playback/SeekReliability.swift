import Model

/// Whether FFmpeg's fast seeks in this file land at the right position. FFmpeg logs which method it used.
///
/// Measured with hour-long mp3 files over HTTP, comparing the samples heard with the positions reported
/// (`SeekTruthTests` repeats it): with a constant bit rate, seeks are exact within 0.05 s, with or without a
/// Xing/Info header. With a variable bit rate they are off by up to 17 s with the header's table (100 entries of one
/// byte each), and by up to 550 s without a table. If the server has joined pieces of different bit rates, the first
/// frames tell nothing about the others. So a seek in proportion is only believed if the bytes show it
/// (`StreamTiming`).
struct SeekReliability: Equatable {
  enum Method: Equatable {
    /// The table of a Xing header: the bit rate varies.
    case table
    /// In proportion to the duration. Correct only if the bit rate is constant.
    case scaled
  }

  /// What is known about the open file.
  struct Evidence {
    /// The average bit rate of the frames that FFmpeg examined when it opened the file, bits per second.
    var averageRate: Double?
    /// What the relay has seen. Nil: nothing, or there is no relay.
    var timing: StreamTiming?
    /// According to mpv, in seconds.
    var duration: Double?
    var feedDuration: Double?
  }

  private(set) var method: Method?
  /// FFmpeg has found that the header counts other bytes than the file has. It scales by them all the same.
  private(set) var isIndexFalse = false
  /// The file is Ogg, and consists of several streams behind each other. FFmpeg finds no seek position in it, and no
  /// duration.
  private(set) var isChained = false

  /// Messages of `mp3_seek` in libavformat/mp3dec.c (4.0 to 7.1).
  mutating func read(_ line: LogLine) {
    if line.text.contains("Using MP3 TOC to seek") { method = .table }
    if line.text.contains("Using scaling to seek VBR MP3"), method == nil { method = .scaled }
    // `mp3_parse_info_tag`.
    let isFalse = ["invalid concatenated file detected", "filesize and duration do not match"]
    if isFalse.contains(where: { line.text.contains($0) }) { isIndexFalse = true }
    if line.isOfChainedFile { isChained = true }
  }

  /// The bytes of the file show that it is chained.
  mutating func foundChain() { isChained = true }

  /// Sound has started at this second. Every method leads to the beginning. libmpv 0.41 seeks there when it opens a
  /// file, and that says nothing about a later seek, which may need no method.
  mutating func soundStarted(at second: Double) {
    if second <= 0 { method = nil }
  }

  /// Whether a fast seek to this second may have led elsewhere.
  func isUnreliable(at second: Double, _ evidence: Evidence) -> Bool {
    // The file begins there, whatever its index says.
    guard second > 0 else { return false }
    switch method {
    // With an Info header, FFmpeg logs nothing.
    case nil: return isIndexFalse
    case .table: return true
    case .scaled:
      // The average is a standard frame bit rate only if all frames have the same rate. Otherwise the rate varies.
      guard Self.isConstant(evidence.averageRate), !isIndexFalse else { return true }
      if let timing = evidence.timing {
        return !timing.isProportional(at: second, feedDuration: evidence.feedDuration)
      }
      guard let feed = evidence.feedDuration, let duration = evidence.duration else { return false }
      return abs(feed - duration) > StreamTiming.tolerance
    }
  }

  /// Whether all examined frames of an mp3 stream have the same bit rate. Then a duration estimated from it is right.
  static func isConstant(_ averageRate: Double?) -> Bool { rates.contains(averageRate ?? 0) }

  /// The bit rates of MPEG audio layer III (ISO 11172-3 and 13818-3), bits per second.
  private static let rates = Set(
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 192, 224, 256, 320].map { Double($0) * 1000 })
}

extension LogLine {
  /// `ogg_read_page` in libavformat/oggdec.c (4.2 to 7.1): the page at the end of the file is of another stream.
  var isOfChainedFile: Bool { text.contains("failed to create or replace stream") }
}

extension MpvCore {
  /// The average bit rate of the frames that FFmpeg examined when it opened the file, bits per second.
  var averageRate: Double? { value(of: "current-tracks/audio/demux-bitrate").number }

  /// Whether the duration of the open file can be used. If the file does not state it, FFmpeg estimates it from the bit
  /// rate of the first frames. If the bit rate varies, the estimate is wrong by any factor. If it is far from what the
  /// feed states, too: the rate varies later.
  /// - Parameter reason: has read the log lines of opening.
  func isDurationReliable(_ reason: FailureReason, _ evidence: SeekReliability.Evidence? = nil) -> Bool {
    guard reason.isDurationEstimated else { return true }
    let evidence = evidence ?? SeekReliability.Evidence(averageRate: averageRate)
    guard SeekReliability.isConstant(evidence.averageRate),
      evidence.timing.map({ $0.durationAtConstantRate != nil || $0.proportionalUntil == .infinity }) ?? true
    else { return false }
    guard let feed = evidence.feedDuration, let duration = evidence.duration else {
      return evidence.timing?.isJoined != true
    }
    return abs(feed - duration) <= feed * Self.largestDisagreement
  }

  /// As a share of the duration that the feed states.
  private static let largestDisagreement = 0.1

  /// The duration in seconds if the file or its size tells it. For a stream of unknown size, mpv reports the end of
  /// what has arrived. A duration from the container is far beyond that.
  func duration(isStream: Bool) -> Double? {
    guard let duration = value(of: .duration).number else { return nil }
    guard isStream, fileSize == nil else { return duration }
    return duration > (value(of: .bufferedUntil).number ?? 0) + 1 ? duration : nil
  }
}
