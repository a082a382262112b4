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
  }

  public var phase: Phase = .stopped
  /// Waiting for data while `playing`.
  public var isStalled = false
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
  /// Where the stretch that is being heard began; nil while nothing is heard.
  var stretchStart: Double?
  /// A seek that the player has not yet reported; shown at once, so that keys never feel late.
  var pendingSeek: Double?
  /// Reports that came since the seek and were not yet of it.
  var lateReports = 0

  public init(speed: Double = 1, volume: Double = 100) {
    self.speed = speed
    self.volume = volume
  }

  public var isActive: Bool { phase == .playing || phase == .paused || phase == .loading }

  /// Heard so far, 0 to 1; nil without a duration.
  public var fraction: Double? {
    guard let duration, duration > 0 else { return nil }
    return min(1, max(0, position / duration))
  }

  /// The chapter at the position, as an index; nil before the first.
  public var chapterIndex: Int? { chapters.lastIndex { $0.start <= position + 0.05 } }

  public var chapter: Chapter? { chapterIndex.map { chapters[$0] } }
}
