import Foundation

/// A command that does not come from the keyboard: from media keys or `earshot ctl`. Times are in seconds.
public enum RemoteCommand: Sendable, Equatable {
  case play, pause, toggle, stop
  case next, previous
  /// Seeks to a position.
  case seek(to: Double)
  /// Seeks relative to the current position.
  case seekBy(Double)
  case speed(Double)
  /// Percent.
  case volume(Double)
  case quit
  /// Plays an episode of the library from its stored position.
  case playEpisode(EpisodeID)
  /// Adds episodes of the library to the queue, at the end or behind the playing one (`QueueTarget`).
  case enqueue([EpisodeID], next: Bool)
  /// The argument of `:sleep`: minutes, `1h30m`, `off`, `chapter`, `episode` or `3 episodes`.
  case sleep(String)
  case chapter(ChapterStep)
  /// Starts, or ends, a clip at the current position.
  case clipStart
  case clipEnd(title: String?)
  /// Sets a bookmark at the current position.
  case bookmark(title: String?)

  /// The chapter to go to.
  public enum ChapterStep: Sendable, Equatable {
    case next, previous
    /// From 1.
    case number(Int)
  }

  /// The allowed speeds and volumes (percent).
  public static let speeds = 0.5...4.0
  public static let volumes = 0.0...150.0
}

/// What is playing, for the desktop. Times are in seconds.
public struct NowPlaying: Sendable, Equatable {
  public enum Status: String, Sendable, Equatable, Codable {
    case playing, paused
    /// Nothing is loaded. An episode may be shown for resuming.
    case stopped
    /// An item is being loaded. There is no sound yet.
    case loading
  }

  public var status: Status = .stopped
  /// The number of the load, which identifies the track.
  public var generation = 0
  /// Counts seeks, so that an observer can tell a seek from playing.
  public var seeks = 0
  public var episode: EpisodeID?
  public var title: String?
  public var podcast: String?
  /// The address of the media, or a path. Any program on the bus or the control socket can read it.
  public var address: ShownAddress?
  public var imageURL: ShownAddress?
  public var pubDate: Date?
  public var chapter: String?
  public var position: Double = 0
  public var duration: Double?
  public var speed: Double = 1
  /// Percent.
  public var volume: Double = 100
  /// Playback waits for data.
  public var isStalled = false
  /// Why and since when the stream has been broken off; nil if it is not.
  public var networkWait: NetworkWait?
  /// Whether the commands next and previous have a target.
  public var hasNext = false
  public var hasPrevious = false
  /// The number of episodes in the queue.
  public var queued = 0
  /// The episodes of the queue. Empty without a library.
  public var queue: [EpisodeID] = []
  /// The remaining seconds of the sleep timer; nil without one.
  public var sleep: Double?
  /// The event that the sleep timer waits for: "chapter", "episode", "3 episodes".
  public var sleepsAfter: String?
  /// The number of chapters.
  public var chapters = 0
  /// The start of a clip that was begun, in seconds.
  public var clipStart: Double?
  /// The number of remote commands that were carried out and whose effect is only visible in the player's own state, or
  /// that had none.
  public var commands = 0
  /// Why the library cannot be changed; nil if it can.
  public var unwritable: String?
  /// Whether the player shows the library on the screen. Then remote commands can play episodes of the library.
  public var hasLibrary = false

  public init() {}
}
