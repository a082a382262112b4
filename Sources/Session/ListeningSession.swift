import Foundation
import Model

/// The state of listening: what plays, the position, what was heard, what is skipped, and the sleep timer. The
/// full-screen player and `earshot play` both use it.
///
/// It is pure. Player events and the listener's requests go in, with the time where it matters. `SessionEffect`s come
/// out, which the client carries out. Positions and durations are in seconds.
public struct ListeningSession<Item: Playable>: Equatable, Sendable {
  /// What the session is doing.
  public enum Stage: Equatable, Sendable {
    /// Nothing is loaded. The item, if there is one, can be resumed.
    case idle
    /// The item was heard to its end, and nothing is loaded. It is not resumed.
    case finished
    /// The player was asked to load the item. There is no sound yet.
    case loading
    case active(Sound)
  }

  /// The state of an item that the player has started.
  public struct Sound: Equatable, Sendable {
    public enum Wait: Equatable, Sendable {
      case none
      /// The player waits for data.
      case data
      /// The stream has broken off. `isReported`: the listener was told the cause.
      case network(NetworkWait, isReported: Bool)
    }

    /// The duration of the file in seconds, as the player reports it.
    var fileDuration: Double?
    /// The position at which it was loaded, in seconds. After an excerpt, the one to which the listener has gone back.
    var beginning: Double
    /// Nil while it plays.
    var pause: Pause?
    var wait = Wait.none
    /// The buffer reaches up to this position, in seconds.
    var bufferedUntil: Double?
    /// Everything before this position was recorded. A pause does not move it, because the player reports the exact
    /// position only after the pause.
    var spanStart: Double
    /// Where the sound began after the last seek or jump, in seconds: what lies before it was not just heard.
    var soundStart: Double
    /// Whether sound was heard at the position that was loaded, or at one that the listener has chosen since.
    var reach = Reach.open(isChosen: false)
    /// What was heard before the speed changed, and is not recorded yet.
    var earlierSpans: [HeardSpan] = []
    /// The pause or resume that the player was asked for and has not reported yet. A second press of the key means the
    /// opposite.
    var requestedPause: Bool?
    /// The newest seek. Its target is shown at once. Positions count only if the player reports them after this seek.
    var newestSeek = SeekID.none
    /// Where an automatic skip began whose sound was not heard yet, in seconds: what starts or ends in the skipped part
    /// has been reached by playback.
    var skippedFrom: Double?
    /// Playback began where the listener has chosen nothing, and the chapter there is not known yet. It may be one that
    /// is skipped.
    var isFirstChapterOpen = false
    /// Seconds heard since the last long seek; nil when that was long ago.
    var heardSinceLongSeek: Double?
    /// Whether the sleep timer is fading out the sound.
    var isFading = false
    /// The target of the newest seek, in seconds, until the player has reported a position there.
    var unconfirmedTarget: Double?
    /// The player has reported a position since the newest seek, or since the start.
    var hasReported = false
    /// The exact position from the last query, a little after the last report.
    var exactPosition: Double?
  }

  struct Pause: Equatable, Sendable {
    var since: Date
    /// The listener has gone to another position since. Resuming starts there, and not a little earlier.
    var isPositionChosen = false
  }

  /// Whether the sound has reached a position that is then stored. `isChosen`: the listener has chosen it since the
  /// start, and the stream did not end before it.
  enum Reach: Equatable, Sendable {
    /// Nothing was heard yet, or only excerpts, or only sound before a kept position.
    case open(isChosen: Bool)
    /// The stream of unknown length has not reached the stored position, which is kept.
    case short(isChosen: Bool)
    case reached

    mutating func choose(_ isChosen: Bool = true) {
      switch self {
      case .open: self = .open(isChosen: isChosen)
      case .short: self = .short(isChosen: isChosen)
      case .reached: break
      }
    }
  }

  /// A part of the item that was heard at one speed. Positions in seconds.
  struct HeardSpan: Equatable, Sendable {
    var start: Double
    var end: Double
    var speed: Double
  }

  /// The settings of one podcast.
  struct OwnSettings: Equatable, Sendable {
    var podcast: PodcastID
    var settings: PlaybackSettings
  }

  /// A seek that was requested while the item is being opened. It is sent when playback starts.
  enum WaitingSeek: Equatable, Sendable {
    case to(Double, SeekKind)
    case by(Double, SeekKind)
  }

  /// A seek forward of the listener: in which load, and when.
  struct ForwardSeek: Equatable, Sendable {
    var generation: Int
    var time: Date
  }

  public internal(set) var stage = Stage.idle
  var waitingSeek: WaitingSeek?
  /// Why the item was loaded.
  public internal(set) var reason = LoadReason.resume
  /// The stream takes long to open. Nil if it does not, and in every other stage than `loading`.
  var openingWait: NetworkWait? {
    get { stage == .loading ? reportedOpeningWait : nil }
    set { reportedOpeningWait = newValue }
  }
  private var reportedOpeningWait: NetworkWait?
  /// The stored state of the item before this load.
  public internal(set) var storedState: StoredState?
  /// The part that is played, if only a part is. The stored position does not change.
  var excerpt: Excerpt?
  /// The stored position, in seconds, which is kept although playback is before it (`LoadReason.fromStart`).
  var keptPosition: Double?
  /// The position that the listener wanted to hear, in seconds, if it lies behind the end of the file. Nil once
  /// something was heard.
  var unheardTarget: Double?
  /// The places that the listener jumped away from.
  public var jumps = JumpList()
  /// The number of the load. Events of an older load are dropped.
  public internal(set) var generation = 0
  public var item: Item?
  public internal(set) var position: Double = 0
  public internal(set) var duration: Double?
  /// All chapters, in order of time. The hidden ones only change the picture.
  var allChapters: [Chapter] = [] { didSet { chapters = allChapters.filter { !$0.hidden } } }
  /// Visible chapters, in order of time.
  public private(set) var chapters: [Chapter] = []
  /// The player has found no chapters in the file. It may have had some when it was last played.
  var hasNoFileChapters = false
  public internal(set) var speed: Double { willSet { if newValue != speed { endSpanOfSpeed() } } }
  /// Percent.
  public internal(set) var volume: Double
  public internal(set) var sleep: SleepTimer?
  /// The speed of podcasts that have no speed setting.
  public internal(set) var generalSpeed: Double
  /// A speed for everything, which overrides the settings of the podcasts.
  public internal(set) var speedOverride: Double?
  /// Resuming after a pause starts a few seconds earlier.
  public var rewindsAfterPause = true
  /// The settings of the podcast that was looked up last.
  var own: OwnSettings?
  /// Seconds that skipping silence has saved in this item since it was loaded.
  public internal(set) var savedSeconds: Double = 0
  /// Saved time in seconds of real time, not recorded yet.
  var unrecordedSavedTime: [SavedTime.Kind: Double] = [:]
  /// Chapters, by their start, that the listener chose to skip or to play. This overrides the podcast's skip words.
  var chosenSkips: [Double: Bool] = [:]
  /// The parts that are always skipped, in seconds, in order.
  public internal(set) var skippedParts: [ClosedRange<Double>] = []
  /// The part in which the listener has chosen a position. It is not skipped.
  var heardPart: ClosedRange<Double>?
  var previousFile = PreviousFile()
  /// The newest seek forward, unless another item was chosen since.
  var forwardSeek: ForwardSeek?
  /// `suspend` has interrupted playback.
  var resumesAfterSuspend = false
  /// Counts seeks, for observers such as MPRIS.
  public internal(set) var seeks = 0

  public init(speed: Double = 1, volume: Double = 100, speedOverride: Double? = nil) {
    generalSpeed = speed
    self.speed = speedOverride ?? speed
    self.volume = volume
    self.speedOverride = speedOverride
  }

  /// Seconds by which a seek may land before the start of a chapter and still count as being in it.
  public static var chapterTolerance: Double { 0.05 }

  /// A change of the position by this many seconds or more is a seek, not playback: the player reports every second,
  /// and the highest speed is 4.
  static var jump: Double { 10 }

  /// When this many seconds (in real time) are left, the next episode is prepared.
  static var upcomingSeconds: Double { 30 }
}

// MARK: Derived values

extension ListeningSession {
  public var phase: NowPlaying.Status {
    switch stage {
    case .idle, .finished: .stopped
    case .loading: .loading
    case .active(let sound): sound.pause == nil ? .playing : .paused
    }
  }

  public var isActive: Bool { stage != .idle && stage != .finished }

  /// The item was heard to its end. Resuming does not mean this item.
  public var isFinished: Bool { stage == .finished }

  var sound: Sound? { if case .active(let sound) = stage { sound } else { nil } }

  mutating func change(_ body: (inout Sound) -> Void) {
    guard case .active(var sound) = stage else { return }
    body(&sound)
    stage = .active(sound)
  }

  public var newestSeek: SeekID { sound?.newestSeek ?? .none }

  /// The player waits for data.
  public var isStalled: Bool { sound.map { $0.wait != .none } ?? (openingWait != nil) }

  /// Why the stream has broken off and since when; nil while it has not.
  public var networkWait: NetworkWait? { if case .network(let wait, _) = sound?.wait { wait } else { openingWait } }

  /// Whether the newest seek or load has led to this place. Nil until the player has reported where it has led.
  public func hasReached(_ place: EpisodePlace) -> Bool? {
    guard sound?.hasReported == true, let currentPlace else { return nil }
    return currentPlace.episode == place.episode && abs(currentPlace.seconds - place.seconds) < Self.nearTarget
  }

  public var bufferedUntil: Double? { sound?.bufferedUntil }

  /// The settings of the loaded podcast.
  public var playbackSettings: PlaybackSettings {
    guard let own, own.podcast == item?.podcastID else { return PlaybackSettings() }
    return own.settings
  }

  /// The sound settings in effect.
  /// - Parameter general: the settings of podcasts without their own.
  public func shape(over general: SoundShape) -> SoundShape {
    isActive ? playbackSettings.shape(over: general) : general
  }

  /// The end of the part to play: the duration without the podcast's outro.
  var end: Double? { duration.map { $0 - (playbackSettings.outro(of: $0) ?? 0) } }

  /// The end is near and the next episode must be prepared, unless the sleep timer stops after this one.
  public var isEndNear: Bool {
    guard phase == .playing, excerpt == nil, let end else { return false }
    return end - position <= Self.upcomingSeconds * max(1, speed) && !pausesAfterItem
  }

  /// The index of the chapter at the position; nil before the first.
  public var chapterIndex: Int? { chapters.lastIndex { $0.start <= position + Self.chapterTolerance } }

  public var chapter: Chapter? { chapterIndex.map { chapters[$0] } }

  /// The title to show for the chapter at the position; nil before the first.
  public var chapterTitle: String? { chapterIndex.map { chapters.title(at: $0) } }

  /// The picture of the chapter at the position, which may be a hidden one.
  public var chapterPicture: String? { allChapters.picture(at: position + Self.chapterTolerance) }

  static func positive(_ seconds: Double) -> Double? { seconds.isFinite && seconds > 0 ? seconds : nil }

  /// The data for MPRIS and `earshot ctl`, except for the data about the item.
  public var nowPlaying: NowPlaying {
    var now = NowPlaying()
    now.status = phase
    now.generation = generation
    now.seeks = seeks
    now.chapter = chapterTitle
    now.chapters = chapters.count
    now.position = position
    now.duration = duration
    now.speed = speed
    now.volume = volume
    now.isStalled = isStalled
    now.networkWait = networkWait
    switch sleep {
    case .seconds(let left): now.sleep = left
    case .endOfChapter: now.sleepsAfter = "chapter"
    case .endOfEpisode: now.sleepsAfter = "episode"
    case .episodes(let count): now.sleepsAfter = Counted.text(count, "episode")
    case nil: break
    }
    return now
  }
}

/// An item that a session plays, as its client represents it.
public protocol Playable: Equatable, Sendable {
  /// Nil for a file or an address that belongs to no podcast.
  var podcastID: PodcastID? { get }
  /// Nil for an item that is not in the library.
  var episodeID: EpisodeID? { get }
}
