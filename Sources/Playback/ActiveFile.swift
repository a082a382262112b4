import Model

/// The file that mpv opens or plays now.
struct ActiveFile {
  /// How mpv was asked to play it.
  private(set) var request: PlayRequest
  /// How the listener wants it now, apart from the start.
  var wanted: PlayRequest
  let source: MediaSource
  var stage = Stage.opening(hasBegun: false, then: nil)
  /// How mpv was last asked to open the file.
  var opening: Opening
  /// What kind of recording it is. Nil until the file has been open once. It stays the same when the file is
  /// reopened, because `.started` is reported only once.
  var kind: Kind?
  /// The size in bytes when the file was opened. Nil if the server does not give it. FFmpeg forgets it when the server
  /// refuses to send the rest of a stream that broke off.
  var size: Int64?
  /// False: FFmpeg estimated the duration from a varying bit rate. It may be wrong by any factor, and is not reported.
  var isDurationReliable = true
  /// Factor of the volume: 1, or less during a fade-out.
  var fade = 1.0
  var silence = SilenceDetector()
  var reason = FailureReason()
  /// The newest interruption of the stream, if there was one.
  var outage: Outage?
  var network = NetworkWatch()
  var openingWatch = OpeningWatch()
  var seekReliability = SeekReliability()
  var overdue = OverdueSound()
  var tracker: PlaybackTracker

  init(request: PlayRequest, source: MediaSource) {
    self.request = request
    wanted = request
    self.source = source
    tracker = PlaybackTracker(generation: request.generation, isPaused: request.isPaused)
    opening = Opening(seeking: source.isStream ? .fast : .indexed)
  }
}

// MARK: Stages

extension ActiveFile {
  enum Stage: Equatable {
    /// mpv has been asked to open the file. `hasBegun` is false until `startFile` arrives; until then mpv's events
    /// belong to another file. `then` is a position in seconds to seek to once the file is open, because mpv would
    /// refuse or forget a seek now.
    case opening(hasBegun: Bool, then: Double?)
    /// Properties can be read and seeks are possible.
    case open(Sound)
    /// The network is down. The file is reopened at `nextTry` (seconds of the player thread's clock). `then` is the
    /// position in seconds to continue from, if the listener has asked for one.
    case offline(nextTry: Double, then: Double?)
  }

  /// The state of the sound of an open file.
  enum Sound: Equatable {
    /// Waiting for the first sound at the requested position. `isHeld`: mpv is kept paused until then.
    case pending(PendingEvent, isHeld: Bool)
    case playing
    /// mpv has reported the end of the file. `checkForEnd` verifies it once all pending events have been handled.
    case maybeEnded
    /// mpv has read the whole file, and the device plays the last samples. `checkForEnd` looks again at `nextLook`, and
    /// for the last time at `limit`. Both are in seconds of the player thread's clock.
    case ending(nextLook: Double, limit: Double)
  }

  /// The event that must come next before sound is known to belong to the requested position.
  enum PendingEvent: Equatable {
    /// `playbackRestart`: the first sound.
    case sound
    /// mpv's reply to the seek command with this tag. Until then, sound and seek events belong to earlier seeks.
    case reply(tag: UInt64)
    /// The `seek` event, after which the sound follows. mpv merges queued seeks, so there can be fewer of these
    /// events than replies (`queue_seek` in its player/playloop.c).
    case seek
  }

  /// How mpv was asked to open a file.
  struct Opening {
    /// mpv's playlist entry id, which its events carry.
    var entry: Int64 = 0
    var seeking: SeekStrategy
    /// The start position was found by reading up to it (`.indexed`). Positions outside the buffer can still use fast
    /// seeks, after a reopen.
    var isIndexedForStart = false
    /// mpv opens the file paused, even if the listener wants to play, until the position of the sound is known. A fast
    /// seek may land in the wrong position, a chained file is opened a second time, and a server without byte ranges
    /// starts at the beginning. None of it may be heard.
    var isHeld = true
    /// This is the second try, after the server refused a seek. If it is refused again, playback fails.
    var isAfterRefusal = false
  }

  enum Kind: Equatable {
    /// The length is known.
    case whole
    /// A live stream. The duration that mpv gives for it is how much has arrived so far.
    case live
    /// A live stream that identifies itself as a station (Icecast, SHOUTcast). It can be reconnected after an outage;
    /// another live stream would start from its beginning.
    case station
  }

  var isOpen: Bool { if case .open = stage { true } else { false } }

  /// The file is open, and its sound has not started yet.
  var isSoundPending: Bool { if case .open(.pending) = stage { true } else { false } }

  /// mpv is paused although the listener may not have asked for it.
  var isHeld: Bool {
    switch stage {
    case .opening, .offline: opening.isHeld
    case .open(.pending(_, let isHeld)): isHeld
    case .open: false
    }
  }

  /// The sound has advanced to this second.
  mutating func soundMoved(to seconds: Double) {
    reason.soundMoved()
    // A later break is another outage, with the full time to reopen the stream.
    if let outage, seconds >= outage.position + Outage.progress { self.outage = nil }
  }

  var hasLength: Bool { kind == nil || kind == .whole }
  /// Whether mpv's duration is the length of the file.
  var hasReliableDuration: Bool { hasLength && isDurationReliable }

  /// The position that the listener asked for while no file was open to seek in. Seconds.
  var pendingPosition: Double? {
    switch stage {
    case .opening(_, let then), .offline(_, let then): then
    case .open: nil
    }
  }

  /// The position that the listener is at or wants to be at. Seconds.
  var wantedPosition: Double { pendingPosition ?? tracker.position ?? request.start }

  /// When the player thread must act although mpv sends no event. Seconds of the thread's clock.
  var deadline: Double? {
    switch stage {
    case .offline(let nextTry, _): nextTry
    case .open(.ending(let nextLook, _)): nextLook
    case .open(.maybeEnded): -.infinity
    case .open, .opening: nil
    }
  }

  /// Remembers a position to seek to once the file is open.
  mutating func deferSeek(to target: Double) {
    switch stage {
    case .opening(let hasBegun, _): stage = .opening(hasBegun: hasBegun, then: target)
    case .offline(let nextTry, _): stage = .offline(nextTry: nextTry, then: target)
    case .open: break
    }
  }

  /// mpv has accepted the seek with this tag.
  mutating func seekAccepted(_ tag: UInt64) {
    guard case .open(.pending(.reply(tag), let isHeld)) = stage else { return }
    stage = .open(.pending(.seek, isHeld: isHeld))
  }

  mutating func seekStarted() {
    guard case .open(.pending(.seek, let isHeld)) = stage else { return }
    stage = .open(.pending(.sound, isHeld: isHeld))
  }

  /// Whether a `playbackRestart` now means sound at the requested position.
  var isSoundExpected: Bool {
    switch stage {
    case .open(.pending(.sound, _)), .open(.playing), .open(.maybeEnded), .open(.ending): true
    case .open(.pending), .opening, .offline: false
    }
  }

  /// mpv says that there may be no more sound. Ignored during a seek, when mpv's state says nothing about the target.
  mutating func suspectEnd() {
    switch stage {
    case .open(.playing), .open(.ending): stage = .open(.maybeEnded)
    case .open, .opening, .offline: break
    }
  }

  /// Cancels a suspected end: the listener has paused or seeked.
  mutating func cancelSuspectedEnd() {
    switch stage {
    case .open(.ending), .open(.maybeEnded): stage = .open(.playing)
    case .open, .opening, .offline: break
    }
  }
}

// MARK: Properties

extension ActiveFile {
  /// No data arrives because the connection is lost, rather than slow.
  var isConnectionLost: Bool { network.isBroken || outage != nil && !isOpen }

  /// The value of mpv's `af` for this sound.
  func filters(for sound: SoundShape) -> String {
    LoadArguments.filters([opening.seeking.filter(startingAt: request.start), sound.filters])
  }

  /// What the listener wants, starting at another position (seconds).
  func request(from start: Double) -> PlayRequest {
    var request = wanted
    request.start = start
    return request
  }

  /// The speed that mpv gets: silence is played at `SilenceDetector.speed` unless the speed is already higher.
  var effectiveSpeed: Double { silence.isSilent ? max(wanted.speed, SilenceDetector.speed) : wanted.speed }
  var effectiveVolume: Double { wanted.volume * fade }
  /// Whether the silence filter has to be polled.
  var detectsSilence: Bool {
    wanted.sound.skipsSilence && isOpen && !wanted.isPaused && wanted.speed < SilenceDetector.speed
  }

  /// Prepares the file for opening while another one plays. Its sound follows at once, so it is not held. A start
  /// position near the beginning of a stream lies within what is read ahead, so it is found exactly without a fast
  /// seek.
  mutating func prepareForPrefetch() {
    let start = PlayRequest.position(request.start)
    guard !source.isStream || start <= Self.startWithinBuffer else { return }
    opening.isHeld = false
    guard source.isStream, start > 0 else { return }
    opening.seeking = .indexed
    opening.isIndexedForStart = true
  }

  /// Seconds: half of what the buffer holds at 192 kbit/s. This covers a start after an introduction, but not one in
  /// the middle of the episode. A file with a later start is opened when it is needed: mpv (0.35) prefetches from the
  /// first byte and seeks afterwards, which would save the connection but not the seek, and would delay the last
  /// sound of the previous file. Measured from the end of one file to the sound of the next: 3 ms when prefetched, 20
  /// ms otherwise.
  private static let startWithinBuffer = 180.0

  /// Reads a line of the log. Until mpv starts this file, a connection error belongs to the previous one, which may
  /// have been given up in the middle of a request. A file on the disk has no connection.
  mutating func read(_ line: LogLine, now: Double) {
    let hasBegun = if case .opening(let hasBegun, _) = stage { hasBegun } else { true }
    guard !line.isConnectionError || source.isStream && hasBegun else { return }
    reason.read(line)
    seekReliability.read(line)
    network.read(line, now: now)
  }

  /// Makes a prefetched file the active one. Differences between the two requests are applied when the file is open.
  mutating func adopt(as wanted: PlayRequest) {
    // Smaller differences are not worth a seek.
    let isElsewhere = abs(wanted.start - request.start) > 0.05
    let hasBegun = if case .opening(let hasBegun, _) = stage { hasBegun } else { true }
    stage = .opening(hasBegun: hasBegun, then: isElsewhere ? PlayRequest.position(wanted.start) : nil)
    request.generation = wanted.generation
    self.wanted = wanted
    tracker = PlaybackTracker(generation: wanted.generation, isPaused: wanted.isPaused)
  }

  mutating func markReopened(with request: PlayRequest, _ opening: Opening) {
    self.request = request
    self.opening = opening
    stage = .opening(hasBegun: false, then: nil)
    silence.forgetSilence()
    reason = FailureReason()
  }
}
