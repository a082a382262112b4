/// How the queue can be sorted.
public enum QueueOrder: String, Sendable, Equatable, CaseIterable {
  case oldest, newest, shortest, longest, podcast, shuffle

  /// Such as `shortest first`.
  public var words: String {
    switch self {
    case .oldest, .newest, .shortest, .longest: "\(rawValue) first"
    case .podcast: "by podcast"
    case .shuffle: "shuffled"
    }
  }
}
