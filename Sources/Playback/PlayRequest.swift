import Model

/// A file or stream to play, with all its settings. Each request is complete, so nothing of the previous one remains.
public struct PlayRequest: Sendable, Equatable {
  /// An http or https address, or an absolute path of a local file. Anything else fails.
  public var address: String
  /// Chosen by the caller, different for each load. Every event carries it.
  public var generation: Int
  /// Where to start, in seconds. Exact.
  public var start: Double
  /// What to do if the server does not allow seeking to `start`.
  public var seekFallback: SeekFallback
  public var isPaused = false
  /// 0.25 to 4; the pitch is kept.
  public var speed: Double
  /// Percent, 0 to 150.
  public var volume: Double
  public var sound: SoundShape
  /// The duration that the feed states, in seconds. Evidence against an estimate of FFmpeg.
  public var feedDuration: Double?
  /// The title that mixers and media keys show instead of the file's name.
  public var title: String?
  /// An address from a test, such as `av://lavfi:sine`, which is passed to mpv unchecked.
  var isTrusted = false
  /// A filter that a test adds after the player's own.
  var extraFilter: String?

  /// What to do if a server sends the file only from its beginning (no byte ranges) and does not send its length.
  public enum SeekFallback: Sendable, Equatable {
    /// Report `PlayerEvent.unreachable` before any sound plays.
    case ask
    /// Read the file up to `start`, which can take as long as a download.
    case readThrough
  }

  public init(
    address: String, generation: Int, start: Double = 0, seekFallback: SeekFallback = .ask, speed: Double = 1,
    volume: Double = 100, sound: SoundShape = SoundShape(), feedDuration: Double? = nil, title: String? = nil
  ) {
    self.address = address
    self.generation = generation
    self.start = start
    self.seekFallback = seekFallback
    self.speed = speed
    self.volume = volume
    self.sound = sound
    self.feedDuration = feedDuration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    self.title = title
  }

  static let speeds = 0.25...4.0
  static let volumes = 0.0...150.0
  /// A position that mpv accepts: finite, not negative, at most about eleven days.
  static func position(_ seconds: Double) -> Double { seconds.isFinite ? min(max(seconds, 0), 1_000_000) : 0 }
}

extension Double {
  /// `self` limited to the range. Nil if it is NaN.
  func clamped(to range: ClosedRange<Double>) -> Double? {
    isNaN ? nil : min(max(self, range.lowerBound), range.upperBound)
  }
}
