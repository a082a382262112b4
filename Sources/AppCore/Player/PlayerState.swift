import Foundation
import Model

/// What is playing, and how. Times in seconds.
public struct PlayerState: Equatable, Sendable {
  public enum Phase: Equatable, Sendable {
    /// Nothing loaded; an episode may stand ready to be resumed.
    case stopped
    /// Asked for, no sound yet.
    case loading
    case playing
    case paused
  }

  /// When the player falls silent by itself.
  public enum SleepTimer: Equatable, Sendable {
    /// Seconds of playing time that are left.
    case seconds(Double)
    case endOfChapter
    case endOfEpisode
    /// This one and those after it; two or more.
    case episodes(Int)
  }

  /// A show's own settings.
  struct Show: Equatable, Sendable {
    var podcast: PodcastID
    var settings: ShowSettings
  }

  public var phase: Phase = .stopped
  /// The player has been told to get ready for sound.
  var isWarm = false
  /// Waiting for data while `playing`.
  public var isStalled = false
  /// While it waits: that the stream has broken off, and why.
  public var networkWait: NetworkWait?
  /// The listener has been told why.
  var hasToldWait = false
  /// What the player has been told to make ready.
  var upcoming: Upcoming?
  /// Counts loads. Events of an older load are dropped.
  public var generation = 0
  public var episode: EpisodeRow?
  public var position: Double = 0
  public var duration: Double?
  /// The buffer holds the file up to here.
  public var bufferedUntil: Double?
  /// Visible chapters, in order of time.
  public var chapters: [Chapter] = []
  public var speed: Double
  /// Percent.
  public var volume: Double
  public var sleep: SleepTimer?
  /// The sound goes away, for the sleep timer.
  var isFading = false
  /// The speed of shows that have none of their own.
  var generalSpeed: Double
  /// Of the show that was looked up last.
  var show: Show?
  /// Seconds that passing over silence has won in this episode, in this session.
  public var savedSeconds: Double = 0
  /// Since when it has been silent, for going back a little.
  var pausedAt: Date?
  /// Chapters, by their start, that the listener wants skipped or heard whatever the show's words say.
  var chosenSkips: [Double: Bool] = [:]
  /// How long the file was when it was left, and its chapters then.
  var leftTotal: Double?
  var leftChapters: [Chapter] = []
  /// It is another file now, and by how much the place has moved in it.
  var isOtherFile = false
  var shift: Double?
  /// Up to here all that was heard has been recorded; nil while nothing is loaded. A pause leaves it where it is, since
  /// the player reports the exact place only after it.
  var stretchStart: Double?
  /// What the player was asked for and has not yet reported: a second press of the key means the opposite.
  var wantedPause: Bool?
  /// Of this load. Its target is shown at once, so that keys never feel late; the player's positions count from when they
  /// follow it.
  var newestSeek = SeekID.none
  /// Counts jumps of the position, for those who watch from outside.
  var seeks = 0

  public init(speed: Double = 1, volume: Double = 100) {
    self.speed = speed
    generalSpeed = speed
    self.volume = volume
  }

  public var isActive: Bool { phase == .playing || phase == .paused || phase == .loading }

  /// The own settings of the show that is loaded.
  public var currentShow: ShowSettings {
    guard let show, show.podcast == episode?.podcast else { return ShowSettings() }
    return show.settings
  }

  /// How it sounds now, where `general` is how all shows sound.
  public func shape(over general: SoundShape) -> SoundShape {
    isActive ? currentShow.shape(over: general) : general
  }

  /// Heard so far, 0 to 1; nil without a duration.
  public var fraction: Double? {
    guard let duration, duration > 0 else { return nil }
    return min(1, max(0, position / duration))
  }

  /// Seconds by which the position may miss a chapter that it was sent to.
  public static let chapterTolerance = 0.05

  /// A step of the position as long as this, in seconds, was not heard. Reports come once a second, and speed is 4 at
  /// most.
  public static let jump = 10.0

  /// The chapter at the position, as an index; nil before the first.
  public var chapterIndex: Int? { chapters.lastIndex { $0.start <= position + Self.chapterTolerance } }

  public var chapter: Chapter? { chapterIndex.map { chapters[$0] } }

  /// The chapters that are listed, in order of time; files and feeds promise neither.
  public static func visible(_ chapters: [Chapter]) -> [Chapter] {
    chapters.filter { !$0.hidden && $0.start.isFinite && $0.start >= 0 }.sorted { $0.start < $1.start }
  }

  /// Nothing is loaded any more, and nothing of what was loaded is left but its name and place.
  mutating func fallSilent() {
    pausedAt = nil
    isFading = false
    isOtherFile = false
    shift = nil
    phase = .stopped
    isStalled = false
    networkWait = nil
    hasToldWait = false
    bufferedUntil = nil
    stretchStart = nil
    wantedPause = nil
    newestSeek = .none
  }
}
