/// How positions in a stream are found.
enum SeekStrategy: Equatable {
  /// From the bit rate or the file's table: quick, with one request for the bytes of the position. Correct for
  /// constant bit rates and for formats with an index. `SeekReliability` detects the other cases.
  case fast
  /// By reading up to the position, unless the format has an index. Correct for every file.
  case indexed
  /// The server has no byte ranges. To seek forward, the file is read up to the position. To seek backward outside
  /// the buffer, it is opened again.
  case readThrough
  /// Whether playback stays paused until the position of the sound is known.
  func isHeld(startingAt start: Double) -> Bool {
    self == .fast && PlayRequest.position(start) > 0
  }

  /// mpv's options for opening a stream with this strategy.
  var options: [(key: String, value: String)] {
    // A manifest (HLS) may refer to other addresses, but not to local files.
    let protocols = "protocol_whitelist=[http,https,httpproxy,tls,tcp,crypto]"
    return switch self {
    case .fast: [("demuxer-lavf-o", protocols + ",fflags=+fastseek"), ("force-seekable", "no")]
    case .indexed: [("demuxer-lavf-o", protocols), ("force-seekable", "no")]
    // Without `force-seekable`, mpv would refuse to seek. FFmpeg then reads up to a position ahead.
    case .readThrough: [("demuxer-lavf-o", protocols), ("force-seekable", "yes")]
    }
  }
}
