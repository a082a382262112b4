/// The order of a podcast's episodes in its list.
public enum EpisodeOrder: String, Sendable, Equatable, Codable, CaseIterable {
  case newest
  /// As they are heard from the first to the last. New then has only the next one after the last heard.
  case oldest

  /// Such as `newest first`.
  public var words: String { "\(rawValue) first" }
}
