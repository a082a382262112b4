/// Playback waits because the network or the server has interrupted the stream.
public struct NetworkWait: Sendable, Equatable, Codable {
  /// How long it has been waiting, in seconds.
  public var seconds: Double
  /// A text for the listener, such as "the server cannot be reached: it refuses connections".
  public var cause: String

  public init(seconds: Double, cause: String) {
    self.seconds = seconds
    self.cause = cause
  }
}
