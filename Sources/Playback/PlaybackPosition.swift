import Model

/// The current playback position, or the last one of a file that ended.
public struct PlaybackPosition: Sendable, Equatable {
  /// The generation of its load.
  public var generation: Int
  public var seconds: Double
  /// The newest seek that was done or is in progress.
  public var seek: SeekID

  public init(generation: Int, seconds: Double, seek: SeekID = .none) {
    self.generation = generation
    self.seconds = seconds
    self.seek = seek
  }
}
