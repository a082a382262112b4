import Model

/// The file that is being opened or played.
struct ActiveFile {
  private(set) var request: PlayRequest
  let source: MediaSource
  /// mpv's number for it, by which its events are told from those of the last file.
  var entry: Int64
  /// mpv has begun with it: what the core says from now on is about this file.
  var isStarted = false
  /// It is open: properties can be read, seeks are possible.
  var isLoaded = false
  private(set) var seeking: SeekingManner
  /// The listener has been told that it is open; a file that is opened once more is the same to him.
  var isTold = false
  /// Opened paused, whatever the listener wants: a fast seek may have gone astray, and a server without byte ranges starts
  /// at the beginning. Neither shall be heard.
  var isHeld: Bool
  /// False for a live stream: what mpv calls its duration is how much of it has arrived.
  var hasLength = true
  /// When the last sample will have been heard, in seconds of the thread's clock; nil before the end.
  var heardAt: Double?
  /// Asked for while the file was being opened, when mpv would refuse or forget it.
  var pendingSeek: Double?
  var isPaused: Bool
  var speed: Double
  var volume: Double
  var sound: SoundShape
  /// 1, or less while it fades out.
  var fade = 1.0
  var silence = SilenceWatch()
  var reason = FailureReason()
  var doubt = SeekDoubt()
  var tracker: PlaybackTracker

  init(request: PlayRequest, source: MediaSource, entry: Int64) {
    self.request = request
    self.source = source
    self.entry = entry
    isPaused = request.isPaused
    speed = request.speed
    volume = request.volume
    sound = request.sound
    tracker = PlaybackTracker(generation: request.generation, isPaused: request.isPaused)
    if case .http = source { seeking = .fast } else { seeking = .indexed }
    isHeld = seeking.isHeld(startingAt: request.start)
  }

  /// As it is now, but from another second on.
  func request(from start: Double) -> PlayRequest {
    var request = request
    request.start = start
    request.isPaused = isPaused
    request.speed = speed
    request.volume = volume
    request.sound = sound
    return request
  }

  /// What mpv is told: silence is passed over faster, unless it is fast already.
  var effectiveSpeed: Double { silence.isSilent ? max(speed, SilenceWatch.speed) : speed }
  var effectiveVolume: Double { volume * fade }
  /// The filter that listens for silence has to be asked.
  var watchesSilence: Bool { sound.skipsSilence && isLoaded && !isPaused && speed < SilenceWatch.speed }

  mutating func note(_ line: LogLine) {
    reason.note(line)
    doubt.note(line)
  }

  /// It was opened ahead and is now what was asked for: the differences between the two are settled when it is open.
  mutating func adopted(as wanted: PlayRequest) {
    // To less than that a place is not sought.
    if abs(wanted.start - request.start) > 0.05 { pendingSeek = PlayRequest.position(wanted.start) }
    request.generation = wanted.generation
    isPaused = wanted.isPaused
    speed = wanted.speed
    volume = wanted.volume
    sound = wanted.sound
    tracker = PlaybackTracker(generation: wanted.generation, isPaused: wanted.isPaused)
  }

  mutating func reopened(with request: PlayRequest, entry: Int64, seeking: SeekingManner) {
    self.request = request
    self.entry = entry
    self.seeking = seeking
    isHeld = seeking.isHeld(startingAt: request.start)
    isStarted = false
    isLoaded = false
    heardAt = nil
    silence.sought()
    reason = FailureReason()
  }
}

/// How places in a file are found.
enum SeekingManner: Equatable {
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

/// A `PlayRequest` in mpv's words.
enum LoadArguments {
  /// Everything is an option of the file, set the moment it is opened: the file before it keeps its own to the end, and
  /// no seek after a delay is needed.
  /// - Parameter behind: to be played after the file that plays now, not instead of it.
  static func make(
    _ request: PlayRequest, _ source: MediaSource, seeking: SeekingManner, behind: Bool = false
  ) -> [(key: String, value: MpvValue)] {
    var options = source.options(seeking: seeking)
    // Not for 0: mpv would seek there, with a second request to the server.
    let start = PlayRequest.position(request.start)
    if start > 0 { options.append(("start", text(start))) }
    if let end = request.end { options.append(("end", text(PlayRequest.position(end)))) }
    options.append(("pause", request.isPaused || seeking.isHeld(startingAt: start) ? "yes" : "no"))
    options.append(("speed", text(request.speed.clamped(to: PlayRequest.speeds) ?? 1)))
    options.append(("volume", text(request.volume.clamped(to: PlayRequest.volumes) ?? 100)))
    // Also the empty one: what the last file changed while it played would stay.
    let filters = [request.sound.filters, request.extraFilter ?? ""].filter { !$0.isEmpty }
    options.append(("af", filters.joined(separator: ",")))
    if let title = request.title { options.append(("force-media-title", LogLine(source: "", text: title).text)) }
    return [
      (key: "url", value: .string(source.address)),
      (key: "flags", value: .string(behind ? "append" : "replace")),
      (key: "options", value: .map(options.map { (key: $0.key, value: .string($0.value)) })),
    ]
  }

  static func signedText(_ number: Double) -> String { number < 0 ? "-" + text(-number) : text(number) }

  /// Seconds (or a factor) to a thousandth, with a point whatever the locale.
  static func text(_ number: Double) -> String {
    let thousandths = Int64((number * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }
}
