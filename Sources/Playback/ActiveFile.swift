/// The file that is being opened or played.
struct ActiveFile {
  private(set) var request: PlayRequest
  let source: MediaSource
  /// mpv's number for it, by which its events are told from those of the last file.
  private(set) var entry: Int64
  /// mpv has begun with it: what the core says from now on is about this file.
  var isStarted = false
  /// It is open: properties can be read, seeks are possible.
  var isLoaded = false
  /// The server does not give out parts of the file (no byte ranges): a place ahead is read up to, and for a place
  /// behind, outside the buffer, the file is opened again.
  private(set) var isReadThrough = false
  /// False for a live stream: what mpv calls its duration is how much of it has arrived.
  var hasLength = true
  /// Asked for while the file was being opened, when mpv would refuse or forget it.
  var pendingSeek: Double?
  var isPaused: Bool
  var speed: Double
  var volume: Double
  var reason = FailureReason()
  var tracker: PlaybackTracker

  init(request: PlayRequest, source: MediaSource, entry: Int64) {
    self.request = request
    self.source = source
    self.entry = entry
    isPaused = request.isPaused
    speed = request.speed
    volume = request.volume
    tracker = PlaybackTracker(generation: request.generation, isPaused: request.isPaused)
  }

  /// As it is now, but from another second on.
  func request(from start: Double) -> PlayRequest {
    var request = request
    request.start = start
    request.isPaused = isPaused
    request.speed = speed
    request.volume = volume
    return request
  }

  mutating func reopened(with request: PlayRequest, entry: Int64) {
    self.request = request
    self.entry = entry
    isReadThrough = true
    isStarted = false
    isLoaded = false
    reason = FailureReason()
  }
}

/// A `PlayRequest` in mpv's words.
enum LoadArguments {
  /// Everything is an option of the file, set the moment it is opened: the file before it keeps its own to the end, and
  /// no seek or unpausing after a delay is needed.
  static func make(
    _ request: PlayRequest, _ source: MediaSource, isReadThrough: Bool = false
  ) -> [(key: String, value: MpvValue)] {
    var options = source.options
    // Not for 0: mpv would seek there, with a second request to the server.
    let start = PlayRequest.position(request.start)
    if start > 0 { options.append(("start", text(start))) }
    if let end = request.end { options.append(("end", text(PlayRequest.position(end)))) }
    options.append(("pause", request.isPaused ? "yes" : "no"))
    options.append(("speed", text(request.speed.clamped(to: PlayRequest.speeds) ?? 1)))
    options.append(("volume", text(request.volume.clamped(to: PlayRequest.volumes) ?? 100)))
    // mpv would not even try; FFmpeg reads up to a place ahead.
    if isReadThrough { options.append(("force-seekable", "yes")) }
    if let title = request.title { options.append(("force-media-title", LogLine(source: "", text: title).text)) }
    return [
      (key: "url", value: .string(source.address)),
      (key: "flags", value: .string("replace")),
      (key: "options", value: .map(options.map { (key: $0.key, value: .string($0.value)) })),
    ]
  }

  /// Seconds (or a factor) to a thousandth, with a point whatever the locale.
  static func text(_ number: Double) -> String {
    let thousandths = Int64((number * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }
}
