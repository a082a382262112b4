import Model

/// One thing to play, and how. Each request says all that matters, so that nothing of the last file is left over.
public struct PlayRequest: Sendable, Equatable {
  /// http, https, or an absolute path of a local file; anything else fails.
  public var address: String
  /// Chosen by the caller, another one for each load: every event carries it.
  public var generation: Int
  /// Where to begin, in seconds. Exact.
  public var start: Double
  /// What is done when `start` cannot be sought.
  public var reach: Reach
  /// Where to stop, in seconds; nil: at the end.
  public var end: Double?
  public var isPaused: Bool
  /// 0.25 to 4; the pitch is kept.
  public var speed: Double
  /// Percent, 0 to 150.
  public var volume: Double
  public var sound: SoundShape
  /// What mixers and media keys show instead of the file's name.
  public var title: String?
  /// A source that only tests may name, such as `av://lavfi:sine`: passed on unchecked.
  var isTrusted = false
  /// A filter behind ours, of a test.
  var extraFilter: String?

  /// A server may send a file only from its start, without byte ranges, and say nothing of its length.
  public enum Reach: Sendable, Equatable {
    /// `PlayerEvent.unreachable` says so, before anything is heard.
    case ask
    /// The file is read up to the place, which may take as long as a download of it.
    case readThrough
  }

  public init(
    address: String, generation: Int, start: Double = 0, reach: Reach = .ask, end: Double? = nil,
    isPaused: Bool = false,
    speed: Double = 1, volume: Double = 100, sound: SoundShape = SoundShape(), title: String? = nil
  ) {
    self.address = address
    self.generation = generation
    self.start = start
    self.reach = reach
    self.end = end
    self.isPaused = isPaused
    self.speed = speed
    self.volume = volume
    self.sound = sound
    self.title = title
  }

  static let speeds = 0.25...4.0
  static let volumes = 0.0...150.0
  /// A position that mpv can be told: finite, not negative, at most some eleven days.
  static func position(_ seconds: Double) -> Double { seconds.isFinite ? min(max(seconds, 0), 1_000_000) : 0 }
}

extension Double {
  /// `self` within the range; nil when it is no number.
  func clamped(to range: ClosedRange<Double>) -> Double? {
    isNaN ? nil : min(max(self, range.lowerBound), range.upperBound)
  }
}
