/// Whether FFmpeg's fast seeks in this file land at the right position. FFmpeg logs which method it used.
///
/// Measured with hour-long mp3 files over HTTP, comparing the samples heard with the positions reported
/// (`SeekTruthTests` repeats it): with a constant bit rate, seeks are exact within 0.05 s, with or without a
/// Xing/Info header. With a variable bit rate they are off by up to 17 s with the header's table (100 entries of one
/// byte each), and by up to 550 s without a table.
struct SeekReliability: Equatable {
  enum Method: Equatable {
    /// The table of a Xing header: the bit rate varies.
    case table
    /// In proportion to the duration. Correct only if the bit rate is constant.
    case scaled
  }

  private(set) var method: Method?

  /// Messages of `mp3_seek` in libavformat/mp3dec.c (4.0 to 7.1).
  mutating func note(_ line: LogLine) {
    if line.text.contains("Using MP3 TOC to seek") { method = .table }
    if line.text.contains("Using scaling to seek VBR MP3"), method == nil { method = .scaled }
  }

  /// - Parameter averageRate: average bit rate of the frames that FFmpeg examined when it opened the file, bits per
  ///   second.
  func isUnreliable(averageRate: Double?) -> Bool {
    switch method {
    case nil: false
    case .table: true
    // The average is a standard frame bit rate only if all frames have the same rate. Otherwise the rate varies.
    case .scaled: !Self.isConstant(averageRate)
    }
  }

  /// Whether all examined frames of an mp3 stream have the same bit rate. Then a duration estimated from it is right.
  static func isConstant(_ averageRate: Double?) -> Bool { rates.contains(averageRate ?? 0) }

  /// The bit rates of MPEG audio layer III (ISO 11172-3 and 13818-3), bits per second.
  private static let rates = Set(
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 192, 224, 256, 320].map { Double($0) * 1000 })
}

extension MpvCore {
  /// The average bit rate of the frames that FFmpeg examined when it opened the file, bits per second.
  var averageRate: Double? { value(of: "current-tracks/audio/demux-bitrate").number }

  /// Whether the duration of the open file is right. If the file does not state it, FFmpeg estimates it from the bit
  /// rate of the first frames. If the bit rate varies, the estimate is wrong by any factor.
  /// - Parameter reason: has read the log lines of opening.
  func isDurationReliable(_ reason: FailureReason) -> Bool {
    !reason.isDurationEstimated || SeekReliability.isConstant(averageRate)
  }

  /// The duration in seconds if the file or its size tells it. For a stream of unknown size, mpv reports the end of
  /// what has arrived. A duration from the container is far beyond that.
  func duration(isStream: Bool) -> Double? {
    guard let duration = value(of: .duration).number else { return nil }
    guard isStream, value(of: "file-size").number == nil else { return duration }
    return duration > (value(of: .bufferedUntil).number ?? 0) + 1 ? duration : nil
  }
}
