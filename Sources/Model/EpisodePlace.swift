/// A position in an episode, in seconds.
public struct EpisodePlace: Equatable, Sendable {
  public var episode: EpisodeID
  public var seconds: Double

  public init(episode: EpisodeID, seconds: Double) {
    self.episode = episode
    self.seconds = seconds
  }

  /// Whether both places are in the same episode and less than `near` apart.
  public func isNear(_ other: EpisodePlace) -> Bool {
    episode == other.episode && abs(seconds - other.seconds) < Self.near
  }

  /// Seconds.
  public static let near = 2.0

  /// The stored form, such as `7@93.5`.
  public var text: String { "\(episode)@\(seconds)" }

  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "@")
    guard parts.count == 2, let id = Int64(parts[0]), let seconds = Double(parts[1]), seconds.isFinite, seconds >= 0
    else { return nil }
    self.init(episode: EpisodeID(id), seconds: seconds)
  }
}
