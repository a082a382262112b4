import Foundation
import Model

/// What listening is, whoever shows it: what plays, where it is, what of it was heard, and when it falls silent.
///
/// Pure. The player's events and the listener's wishes go in, with the time where it matters; what is to be done comes out
/// as data. Times of an item in seconds.
public struct ListeningSession<Item: Playable>: Equatable, Sendable {
  /// What plays.
  public enum Stage: Equatable, Sendable {
    /// Nothing is loaded. The item, if there is one, stands ready to be gone on with.
    case idle
    /// The item was heard to its end, and nothing is loaded. It is not gone on with.
    case finished
    /// Asked for; no sound yet.
    case loading
    case active(Sound)
  }

  /// An item whose sound has come.
  public struct Sound: Equatable, Sendable {
    public enum Wait: Equatable, Sendable {
      case none
      /// For data.
      case data
      /// The stream has broken off. `isTold`: the listener has been told why.
      case network(NetworkWait, isTold: Bool)
    }

    /// Since when it has been paused; nil: it plays.
    var pausedAt: Date?
    var wait = Wait.none
    /// The buffer holds the file up to here.
    var bufferedUntil: Double?
    /// Up to here all that was heard has been recorded. A pause leaves it where it is, since the player reports the exact
    /// place only after it.
    var stretchStart: Double
    /// What the player was asked for and has not yet reported: a second press of the key means the opposite.
    var wantedPause: Bool?
    /// Its target is shown at once, so that keys never feel late; the player's positions count when they follow it.
    var newestSeek = SeekID.none
    /// Seconds that were heard since the last stride (`SeekKind.stride`); nil long after it.
    var heardSinceStride: Double?
    /// The sound goes away, for the sleep timer.
    var isFading = false
    /// Where the newest seek is to lead, until it is heard to have led there.
    var sought: Double?
    /// Where the player was at the last look, a little after its last report.
    var exactPosition: Double?
  }

  /// The own settings of a podcast.
  struct OwnSettings: Equatable, Sendable {
    var podcast: PodcastID
    var settings: PlaybackSettings
  }

  public internal(set) var stage = Stage.idle
  /// A seek that was asked for while the item is still being opened: done when its sound comes.
  enum WaitingSeek: Equatable, Sendable {
    case to(Double, SeekKind)
    case by(Double, SeekKind)
  }

  var waitingSeek: WaitingSeek?
  /// Why the item was loaded.
  var arrival = Arrival.resume
  /// How the item was left before this load.
  public internal(set) var left: Left?
  /// The part that is heard, when only a part is. It does not move the place.
  var excerpt: Excerpt?
  /// The place that is kept although what is heard lies before it, in seconds (`Arrival.fromStart`).
  var held: Double?
  /// The places that the listener jumped away from.
  public var jumps = JumpList()
  /// Counts loads. Events of an older load are dropped.
  public internal(set) var generation = 0
  public var item: Item?
  public internal(set) var position: Double = 0
  public internal(set) var duration: Double?
  /// Visible chapters, in order of time.
  public internal(set) var chapters: [Chapter] = []
  public internal(set) var speed: Double
  /// Percent.
  public internal(set) var volume: Double
  public internal(set) var sleep: SleepTimer?
  /// The speed of podcasts that have none of their own.
  public internal(set) var generalSpeed: Double
  /// Of all that is played, whatever their podcasts say.
  public internal(set) var wantedSpeed: Double?
  /// A little, after a pause.
  public var rewindsAfterPause = true
  /// Of the podcast that was looked up last.
  var own: OwnSettings?
  /// Seconds that passing over silence has won in this item, in this session.
  public internal(set) var savedSeconds: Double = 0
  /// Seconds on the clock that were spared since the last record.
  var unrecordedSavings: [Saving.Kind: Double] = [:]
  /// Chapters, by their start, that the listener wants skipped or heard whatever the podcast's words say.
  var chosenSkips: [Double: Bool] = [:]
  var memory = FileMemory()
  /// Counts jumps of the position, for those who watch from outside.
  public internal(set) var seeks = 0

  public init(speed: Double = 1, volume: Double = 100, wantedSpeed: Double? = nil) {
    generalSpeed = speed
    self.speed = wantedSpeed ?? speed
    self.volume = volume
    self.wantedSpeed = wantedSpeed
  }

  /// Seconds by which the position may miss a chapter that it was sent to.
  public static var chapterTolerance: Double { 0.05 }

  /// A step of the position as long as this, in seconds, was not heard. Reports come once a second, and speed is 4 at
  /// most.
  static var jump: Double { 10 }

  /// Seconds of the listener's time before the end, when what comes next is to be made ready.
  static var upcomingSeconds: Double { 30 }
}

// MARK: What is to be seen of it

extension ListeningSession {
  public var phase: ListeningPhase {
    switch stage {
    case .idle, .finished: .stopped
    case .loading: .loading
    case .active(let sound): sound.pausedAt == nil ? .playing : .paused
    }
  }

  public var isActive: Bool { stage != .idle && stage != .finished }

  /// The item was heard to its end: it is not what the listener would go on with.
  public var isFinished: Bool { stage == .finished }

  var sound: Sound? { if case .active(let sound) = stage { sound } else { nil } }

  mutating func change(_ body: (inout Sound) -> Void) {
    guard case .active(var sound) = stage else { return }
    body(&sound)
    stage = .active(sound)
  }

  public var newestSeek: SeekID { sound?.newestSeek ?? .none }

  /// Waiting for data.
  public var isStalled: Bool { sound.map { $0.wait != .none } ?? false }

  /// While it waits: that the stream has broken off, and why.
  public var networkWait: NetworkWait? { if case .network(let wait, _) = sound?.wait { wait } else { nil } }

  public var bufferedUntil: Double? { sound?.bufferedUntil }

  /// The own settings of the podcast that is loaded.
  public var playbackSettings: PlaybackSettings {
    guard let own, own.podcast == item?.podcastID else { return PlaybackSettings() }
    return own.settings
  }

  /// How it sounds now, where `general` is how all podcasts sound.
  public func shape(over general: SoundShape) -> SoundShape {
    isActive ? playbackSettings.shape(over: general) : general
  }

  /// Heard so far, 0 to 1; nil without a duration.
  public var fraction: Double? {
    guard let duration, duration > 0 else { return nil }
    return min(1, max(0, position / duration))
  }

  /// Where what is wanted of it ends.
  var end: Double? { duration.map { $0 - (playbackSettings.outro ?? 0) } }

  /// The end is so near that what comes next is to be made ready, if the sleep timer lets anything come.
  public var isEndNear: Bool {
    guard phase == .playing, excerpt == nil, let end else { return false }
    return end - position <= Self.upcomingSeconds * max(1, speed) && !isSilentAfterItem
  }

  /// The chapter at the position, as an index; nil before the first.
  public var chapterIndex: Int? { chapters.lastIndex { $0.start <= position + Self.chapterTolerance } }

  public var chapter: Chapter? { chapterIndex.map { chapters[$0] } }

  /// The chapters that are listed, in order of time; files and feeds promise neither.
  public static func visible(_ chapters: [Chapter]) -> [Chapter] {
    chapters.filter { !$0.hidden && $0.start.isFinite && $0.start >= 0 }.sorted { $0.start < $1.start }
  }

  static func positive(_ seconds: Double) -> Double? { seconds.isFinite && seconds > 0 ? seconds : nil }

  /// What others on the machine are told, but for what the item is.
  public var nowPlaying: NowPlaying {
    var now = NowPlaying()
    now.status =
      switch phase {
      case .stopped: .stopped
      case .loading: .loading
      case .playing: .playing
      case .paused: .paused
      }
    now.generation = generation
    now.seeks = seeks
    now.chapter = chapter?.title
    now.chapters = chapters.count
    now.position = position
    now.duration = duration
    now.speed = speed
    now.volume = volume
    now.isStalled = isStalled
    now.networkWait = networkWait
    if case .seconds(let left) = sleep { now.sleep = left }
    return now
  }
}
