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
  private(set) var seeking: SeekStrategy
  /// Only its start was found by reading up to it: places that are not in the buffer can still be sought fast.
  private(set) var isIndexedForStart = false
  /// The listener has been told that it is open; a file that is opened once more is the same to him.
  var isTold = false
  /// Opened paused, whatever the listener wants: a fast seek may have gone astray, and a server without byte ranges starts
  /// at the beginning. Neither shall be heard.
  var isHeld: Bool
  /// False for a live stream: what mpv calls its duration is how much of it has arrived.
  var hasLength = true
  /// A station says so (Icecast, SHOUTcast). It can be tuned in again where a file without a length would begin anew.
  var isBroadcast = false
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
  var outage: Outage?
  var network = NetworkWatch()
  /// It has been opened again because the server refused a place; refused once more, it cannot be played.
  var isReopenedAfterRefusal = false
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

  /// Nothing comes, since the connection is gone; not only because it is slow.
  var isCutOff: Bool { network.hasBrokenOff || outage != nil && !isLoaded }

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

  /// To be opened while another file is heard. What is read ahead holds a place near the beginning, which is found there
  /// at once and for certain: unlike after a fast seek, nothing has to be held back.
  mutating func openAhead() {
    guard isHeld, request.start <= Self.startWithinBuffer else { return }
    seeking = .indexed
    isIndexedForStart = true
    isHeld = false
  }

  /// Seconds. Half of what the buffer holds at 192 kbit/s: behind an introduction, not in the middle. What begins beyond
  /// that is opened when its turn comes: mpv (0.35) opens ahead at a file's first byte and seeks only then, so that the
  /// connection would be saved but not the seek, and the last sound of the file before it would be held back. Measured on
  /// this machine, from one file's end to the next one's sound: 3 ms opened ahead, 20 ms in the middle.
  private static let startWithinBuffer = 180.0

  mutating func note(_ line: LogLine, now: Double) {
    reason.note(line)
    doubt.note(line)
    network.note(line, now: now)
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

  mutating func reopened(with request: PlayRequest, entry: Int64, seeking: SeekStrategy) {
    self.request = request
    self.entry = entry
    self.seeking = seeking
    isIndexedForStart = false
    isHeld = seeking.isHeld(startingAt: request.start)
    isStarted = false
    isLoaded = false
    heardAt = nil
    silence.sought()
    reason = FailureReason()
  }
}
