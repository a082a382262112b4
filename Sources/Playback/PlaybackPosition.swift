import Model

/// Where playback is, or was when it ended.
public struct PlaybackPosition: Sendable, Equatable {
  /// Of the load that it belongs to.
  public var generation: Int
  public var seconds: Double
  /// The newest seek that led there, or is to lead there.
  public var seek: SeekID

  public init(generation: Int, seconds: Double, seek: SeekID = .none) {
    self.generation = generation
    self.seconds = seconds
    self.seek = seek
  }
}
