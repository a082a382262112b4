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
  /// By decoding everything up to the position and dropping it. Correct even if the timestamps begin again within the
  /// file, as in chained Ogg (RFC 3533, section 4), where neither FFmpeg nor mpv can seek.
  ///
  /// The file is opened as one that cannot seek (`MediaSource.options`), so that mpv continues the timestamps of one
  /// stream in the next, and does not begin with a seek. In files that can seek, libmpv 0.41 does not continue them,
  /// and begins with a seek to 0 after which FFmpeg reads only the first stream of a Vorbis file.
  case decodeThrough

  /// mpv's option for starting at this second. Nil: from the beginning, or by `filter`.
  func startOption(_ start: Double) -> (key: String, value: String)? {
    let start = PlayRequest.position(start)
    // 0 is left out: mpv would seek there, with a second request to the server.
    return start > 0 && self != .decodeThrough ? ("start", LoadArguments.cut(start)) : nil
  }

  /// The audio filter that drops what is before this second. Nil: none is needed.
  func filter(startingAt start: Double) -> String? {
    let start = PlayRequest.position(start)
    return start > 0 && self == .decodeThrough ? "@start:lavfi=[atrim=start=\(LoadArguments.text(start))]" : nil
  }

  /// mpv's per-file options for opening a file with this strategy.
  var fileOptions: [(key: String, value: String)] {
    self == .decodeThrough ? [("stream-lavf-o-append", "seekable=0")] : []
  }

  /// mpv's options for opening a stream with this strategy.
  var options: [(key: String, value: String)] {
    // A manifest (HLS) may refer to other addresses, but not to local files.
    let protocols = "protocol_whitelist=[http,https,httpproxy,tls,tcp,crypto]"
    return switch self {
    case .fast: [("demuxer-lavf-o", protocols + ",fflags=+fastseek"), ("force-seekable", "no")]
    case .indexed, .decodeThrough: [("demuxer-lavf-o", protocols), ("force-seekable", "no")]
    // Without `force-seekable`, mpv would refuse to seek. FFmpeg then reads up to a position ahead.
    case .readThrough: [("demuxer-lavf-o", protocols), ("force-seekable", "yes")]
    }
  }
}
