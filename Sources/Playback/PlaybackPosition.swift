/// Where playback is, or was when it ended.
public struct PlaybackPosition: Sendable, Equatable {
  /// Of the load that it belongs to.
  public var generation: Int
  public var seconds: Double

  public init(generation: Int, seconds: Double) {
    self.generation = generation
    self.seconds = seconds
  }
}
