import Foundation

/// What others than the keyboard ask of the player: media keys, `earshot ctl`. Times in seconds.
public enum RemoteCommand: Sendable, Equatable {
  case play, pause, toggle, stop
  case next, previous
  /// To a place.
  case seek(to: Double)
  /// By so much, backwards when negative.
  case seekBy(Double)
  case speed(Double)
  /// Percent.
  case volume(Double)
  case quit
  /// Goes on with an episode of the library.
  case playEpisode(EpisodeID)
  /// Queues episodes of the library, at the end or as the next ones.
  case enqueue([EpisodeID], next: Bool)
  /// As `:sleep` takes it: minutes, `off`, `chapter`, `episode` or `3 episodes`.
  case sleep(String)
  case chapter(ChapterStep)
  /// A clip starts, or ends, where the episode is.
  case clipStart
  case clipEnd(title: String?)

  public enum ChapterStep: Sendable, Equatable {
    case next, previous
    /// From 1.
    case number(Int)
  }

  /// What a speed and a volume (percent) may be.
  public static let speeds = 0.5...4.0
  public static let volumes = 0.0...150.0
}

/// What is playing, as the desktop shows it. Times in seconds.
public struct NowPlaying: Sendable, Equatable {
  public enum Status: String, Sendable, Equatable, Codable { case playing, paused, stopped, loading }

  public var status: Status = .stopped
  /// Another number for each thing that was loaded: names the track.
  public var generation = 0
  /// Counts the jumps of the position, so that a watcher can tell a seek from time going by.
  public var seeks = 0
  public var episode: EpisodeID?
  public var title: String?
  public var podcast: String?
  /// Of the media, or a path. Any program on the bus or the control socket can read it.
  public var address: ShownAddress?
  public var imageURL: ShownAddress?
  public var pubDate: Date?
  public var chapter: String?
  public var position: Double = 0
  public var duration: Double?
  public var speed: Double = 1
  /// Percent.
  public var volume: Double = 100
  /// It waits for data.
  public var isStalled = false
  /// The stream has broken off: for how long it waits already, and why.
  public var networkWait: NetworkWait?
  /// Whether next and previous would lead somewhere.
  public var hasNext = false
  public var hasPrevious = false
  /// Episodes in the queue.
  public var queued = 0
  /// Seconds to the end of the sleep timer; nil without one.
  public var sleep: Double?
  /// What the sleep timer waits for in place of a time: "chapter", "episode", "3 episodes".
  public var sleepsAfter: String?
  /// Of what is playing.
  public var chapters = 0
  /// Where a clip was begun, in seconds.
  public var clipStart: Double?
  /// Remote commands that were carried out, so far as it depends on the player's own state.
  public var commands = 0
  /// Why the library cannot be changed; nil: it can.
  public var unwritable: String?
  /// Episodes of the library can be asked for: it is the player with a screen.
  public var hasLibrary = false

  public init() {}

  /// 0 to 1; nil without a duration.
  public var fraction: Double? {
    guard let duration, duration > 0 else { return nil }
    return min(1, max(0, position / duration))
  }
}
