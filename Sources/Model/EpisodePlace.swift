import Foundation

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

/// Where playback of an episode resumes. Times are in seconds.
public enum ResumePosition {
  /// How far to go back after a pause. The longer it was, the more the listener has forgotten.
  public static func rewind(after pause: TimeInterval) -> Double {
    table.last { pause >= $0.pause }?.rewind ?? 0
  }

  private static let table: [(pause: TimeInterval, rewind: Double)] = [
    (60, 2), (10 * 60, 5), (3600, 10), (24 * 3600, 20), (7 * 24 * 3600, 30),
  ]

  /// - Parameters:
  ///   - position: the stored position, 0 for the beginning.
  ///   - savedAt: when it was stored; nil if that is unknown, or if playback must not go back.
  ///   - intro: seconds of the beginning that are skipped.
  public static func start(position: Double, savedAt: Date?, now: Date, intro: Double) -> Double {
    let back = savedAt.map { rewind(after: now.timeIntervalSince($0)) } ?? 0
    return max(position > 0 ? max(0, position - back) : 0, intro)
  }
}
