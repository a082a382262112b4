/// The sound waits because its stream has broken off: the network is away, or the server.
public struct NetworkWait: Sendable, Equatable, Codable {
  /// For how long already.
  public var seconds: Double
  /// For people: "the server cannot be reached: it refuses connections".
  public var cause: String

  public init(seconds: Double, cause: String) {
    self.seconds = seconds
    self.cause = cause
  }
}
