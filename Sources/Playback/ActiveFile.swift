import Model

/// The file that is being opened or played.
struct ActiveFile {
  private(set) var request: PlayRequest
  let source: MediaSource
  var stage = Stage.opening(hasBegun: false, then: nil)
  /// How mpv was asked to open it, the last time.
  var opening: Opening
  /// What it turned out to be when it was first open, which the listener was told; nil before. A file that is opened once
  /// more is the same to the listener.
  var kind: Kind?
  var isPaused: Bool
  var speed: Double
  var volume: Double
  var sound: SoundShape
  /// 1, or less while it fades out.
  var fade = 1.0
  var silence = SilenceWatch()
  var reason = FailureReason()
  /// The last time that the stream broke off, if it did.
  var outage: Outage?
  var network = NetworkWatch()
  var doubt = SeekDoubt()
  var tracker: PlaybackTracker

  init(request: PlayRequest, source: MediaSource) {
    self.request = request
    self.source = source
    isPaused = request.isPaused
    speed = request.speed
    volume = request.volume
    sound = request.sound
    tracker = PlaybackTracker(generation: request.generation, isPaused: request.isPaused)
    if case .http = source {
      opening = Opening(seeking: .fast, start: request.start)
    } else {
      opening = Opening(seeking: .indexed, start: request.start)
    }
  }
}

// MARK: Stages

extension ActiveFile {
  enum Stage: Equatable {
    /// mpv has been asked for it. Until `hasBegun`, mpv still speaks of another file. `then`: a place that was asked for
    /// meanwhile, when mpv would refuse or forget it.
    case opening(hasBegun: Bool, then: Double?)
    /// Properties can be read, seeks are possible.
    case open(Sound)
    /// The network is away. It is opened again at `nextTry`, in seconds of the thread's clock, at the place `then` if the
    /// listener has asked for one.
    case away(nextTry: Double, then: Double?)
  }

  /// The sound of a file that is open.
  enum Sound: Equatable {
    /// It has still to come from the place that was asked for. `isHeld`: mpv is paused until then.
    case awaited(Arrival, isHeld: Bool)
    case coming
    /// mpv has said that no more comes. Whether that is so is looked at when all has been told that it has to tell.
    case perhapsOver
    /// The last sample will have been heard then, in seconds of the thread's clock.
    case ending(heardAt: Double)
  }

  /// What has to be told before sound is known to be that of the place that was asked for.
  enum Arrival: Equatable {
    /// The first sound.
    case sound
    /// That mpv has taken the seek of this tag. Until then sound, and seeks that begin, are those of earlier wishes.
    case answer(tag: UInt64)
    /// That the seek has begun; then the sound. mpv makes one of seeks that wait, so that there may be fewer of these than
    /// of answers (`queue_seek` in its player/playloop.c).
    case seek
  }

  /// How mpv was asked to open a file.
  struct Opening {
    /// mpv's number for it, by which its events are told from those of other files.
    var entry: Int64 = 0
    var seeking: SeekStrategy
    /// Only its start was found by reading up to it: places that are not in the buffer can still be sought fast.
    var isIndexedForStart = false
    /// Opened paused, whatever the listener wants: a fast seek may have gone astray, and a server without byte ranges
    /// starts at the beginning. Neither shall be heard.
    var isHeld: Bool
    /// Because the server refused a place; refused once more, the file cannot be played.
    var isAfterRefusal = false

    init(entry: Int64 = 0, seeking: SeekStrategy, start: Double, isAfterRefusal: Bool = false) {
      self.entry = entry
      self.seeking = seeking
      self.isAfterRefusal = isAfterRefusal
      isHeld = seeking.isHeld(startingAt: start)
    }
  }

  enum Kind: Equatable {
    /// With a length that is known.
    case whole
    /// What mpv calls the duration of a live stream is how much of it has arrived.
    case live
    /// A live stream that says so (Icecast, SHOUTcast). It can be tuned in again where another one would begin anew.
    case station
  }

  var isOpen: Bool { if case .open = stage { true } else { false } }

  /// mpv is paused although the listener may not want it.
  var isHeld: Bool {
    switch stage {
    case .opening, .away: opening.isHeld
    case .open(.awaited(_, let isHeld)): isHeld
    case .open: false
    }
  }

  var hasLength: Bool { kind == nil || kind == .whole }

  /// A place that was asked for while there was no file to look for it in.
  var pendingPlace: Double? {
    switch stage {
    case .opening(_, let then), .away(_, let then): then
    case .open: nil
    }
  }

  /// Where the listener is, or wants to be. Seconds.
  var wantedPlace: Double { pendingPlace ?? tracker.position ?? request.start }

  /// When something is due although mpv says nothing.
  var deadline: Double? {
    switch stage {
    case .away(let nextTry, _): nextTry
    case .open(.ending(let heardAt)): heardAt
    case .open(.perhapsOver): -.infinity
    case .open, .opening: nil
    }
  }

  /// Keeps a place until it can be sought.
  mutating func keep(_ place: Double) {
    switch stage {
    case .opening(let hasBegun, _): stage = .opening(hasBegun: hasBegun, then: place)
    case .away(let nextTry, _): stage = .away(nextTry: nextTry, then: place)
    case .open: break
    }
  }

  /// mpv has taken the seek of this tag.
  mutating func seekWasTaken(_ tag: UInt64) {
    guard case .open(.awaited(.answer(tag), let isHeld)) = stage else { return }
    stage = .open(.awaited(.seek, isHeld: isHeld))
  }

  mutating func seekHasBegun() {
    guard case .open(.awaited(.seek, let isHeld)) = stage else { return }
    stage = .open(.awaited(.sound, isHeld: isHeld))
  }

  /// Whether sound that comes is that of the place which was asked for.
  var isSoundExpected: Bool {
    switch stage {
    case .open(.awaited(.sound, _)), .open(.coming), .open(.perhapsOver), .open(.ending): true
    case .open(.awaited), .opening, .away: false
    }
  }

  /// No sound may be left. Not while a place is being sought: what mpv is then says nothing of it.
  mutating func mayBeOver() {
    switch stage {
    case .open(.coming), .open(.ending): stage = .open(.perhapsOver)
    case .open, .opening, .away: break
    }
  }

  /// It is not over after all: a pause, or a change of mind.
  mutating func goesOn() {
    switch stage {
    case .open(.ending), .open(.perhapsOver): stage = .open(.coming)
    case .open, .opening, .away: break
    }
  }
}

// MARK: What it is

extension ActiveFile {
  /// Nothing comes, since the connection is gone; not only because it is slow.
  var isCutOff: Bool { network.hasBrokenOff || outage != nil && !isOpen }

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
  var watchesSilence: Bool { sound.skipsSilence && isOpen && !isPaused && speed < SilenceWatch.speed }

  /// To be opened while another file is heard. What is read ahead holds a place near the beginning, which is found there
  /// at once and for certain: unlike after a fast seek, nothing has to be held back.
  mutating func openAhead() {
    guard opening.isHeld, request.start <= Self.startWithinBuffer else { return }
    opening.seeking = .indexed
    opening.isIndexedForStart = true
    opening.isHeld = false
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
    let isElsewhere = abs(wanted.start - request.start) > 0.05
    let hasBegun = if case .opening(let hasBegun, _) = stage { hasBegun } else { true }
    stage = .opening(hasBegun: hasBegun, then: isElsewhere ? PlayRequest.position(wanted.start) : nil)
    request.generation = wanted.generation
    isPaused = wanted.isPaused
    speed = wanted.speed
    volume = wanted.volume
    sound = wanted.sound
    tracker = PlaybackTracker(generation: wanted.generation, isPaused: wanted.isPaused)
  }

  mutating func reopened(with request: PlayRequest, _ opening: Opening) {
    self.request = request
    self.opening = opening
    stage = .opening(hasBegun: false, then: nil)
    silence.sought()
    reason = FailureReason()
  }
}
