/// What the bytes of an mp3 stream that have been seen tell about its seconds. In a file of constant bit rate, seconds
/// are in proportion to bytes, and a seek can go straight to the byte.
public struct StreamTiming: Sendable, Equatable {
  /// Up to this second, seconds are known to be in proportion to bytes. Infinite if the file's index says so and
  /// agrees with the size of the file.
  public var proportionalUntil: Double
  /// The duration in seconds if the rest of the file has the same bit rate, too. Nil: it is known not to.
  public var durationAtConstantRate: Double?

  /// It is a chained Ogg file, in which no seek leads to a second.
  public private(set) var isChained = false

  public static var chained: StreamTiming {
    var timing = StreamTiming(proportionalUntil: 0, durationAtConstantRate: nil)
    timing.isChained = true
    return timing
  }

  /// The index at the start is of another file, such as an advertisement that a server has put in front. What follows
  /// may have another bit rate.
  public var isJoined: Bool

  public init(proportionalUntil: Double, durationAtConstantRate: Double?, isJoined: Bool = false) {
    self.isJoined = isJoined
    self.proportionalUntil = proportionalUntil
    self.durationAtConstantRate = durationAtConstantRate
  }

  /// Whether a seek in proportion to the bytes leads to this second.
  /// - Parameter feedDuration: the duration that the feed states, in seconds. If it is what a constant bit rate gives,
  ///   nothing of another rate was joined to the file.
  public func isProportional(at second: Double, feedDuration: Double?) -> Bool {
    if second <= proportionalUntil { return true }
    guard let feedDuration, let durationAtConstantRate else { return false }
    return abs(feedDuration - durationAtConstantRate) <= Self.tolerance
  }

  /// Seconds. Feeds state whole seconds.
  public static let tolerance = 1.1
}
