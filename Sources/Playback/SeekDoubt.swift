/// Whether FFmpeg's fast seeks in this file lead where they say. It tells in its log how it found the place.
///
/// Measured with hour-long mp3 files over HTTP, heard samples against reported positions (`SeekTruthTests` repeats it):
/// a constant rate lands within 0.05 s, with a Xing/Info header and without; a variable rate is off by up to 17 s with
/// the header's table (100 entries of one byte each), and by up to 550 s without one.
struct SeekDoubt: Equatable {
  enum Sign: Equatable {
    /// By the table of a Xing header: a variable rate.
    case table
    /// By the share of the duration: right if, and only if, the rate is constant.
    case scaled
  }

  private(set) var sign: Sign?

  /// libavformat/mp3dec.c, `mp3_seek` (4.0 to 7.1).
  mutating func note(_ line: LogLine) {
    if line.text.contains("Using MP3 TOC to seek") { sign = .table }
    if line.text.contains("Using scaling to seek VBR MP3"), sign == nil { sign = .scaled }
  }

  /// - Parameter averageRate: of the frames that were looked at when the file was opened, bits per second.
  func isAstray(averageRate: Double?) -> Bool {
    switch sign {
    case nil: false
    case .table: true
    // An average that is exactly one of the rates a frame can have is that of frames all alike.
    case .scaled: !Self.rates.contains(averageRate ?? 0)
    }
  }

  /// The rates of MPEG audio layer III (ISO 11172-3 and 13818-3), bits per second.
  private static let rates = Set(
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 192, 224, 256, 320].map { Double($0) * 1000 })
}
