/// How places in a file are found.
enum SeekStrategy: Equatable {
  /// By the bit rate or the file's own table: at once, with one request for the bytes of the place. Right for a constant
  /// rate and for formats with an index; `SeekDoubt` tells when it is not.
  case fast
  /// By reading up to it, unless the format has an index: true for every file.
  case indexed
  /// The server does not give out parts of the file (no byte ranges): a place ahead is read up to, and for a place
  /// behind, outside the buffer, the file is opened again.
  case readThrough

  /// Whether sound waits until it is known where it starts.
  func isHeld(startingAt start: Double) -> Bool { self == .fast && PlayRequest.position(start) > 0 }

  /// mpv's options for a stream that is opened so.
  var options: [(key: String, value: String)] {
    // A manifest (HLS) may name further addresses, but no file of this machine.
    let protocols = "protocol_whitelist=[http,https,httpproxy,tls,tcp,crypto]"
    return switch self {
    case .fast: [("demuxer-lavf-o", protocols + ",fflags=+fastseek"), ("force-seekable", "no")]
    case .indexed: [("demuxer-lavf-o", protocols), ("force-seekable", "no")]
    // mpv would not even try to seek; FFmpeg reads up to a place ahead.
    case .readThrough: [("demuxer-lavf-o", protocols), ("force-seekable", "yes")]
    }
  }
}
