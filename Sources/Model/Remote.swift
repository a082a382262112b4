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
  /// Of the media, or a path.
  public var address: String?
  public var imageURL: String?
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

  public init() {}

  /// 0 to 1; nil without a duration.
  public var fraction: Double? {
    guard let duration, duration > 0 else { return nil }
    return min(1, max(0, position / duration))
  }
}
