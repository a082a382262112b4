/// A podcast that is being added, as far as its feed has arrived. Shown until all of it has.
public struct ArrivingPodcast: Equatable, Sendable {
  /// Nil: the feed has not said it yet.
  public var title: String?
  /// Titles of the first episodes in the feed, which are the newest in nearly every one; at most `mostTitles`.
  public var titles: [String]
  /// How many have arrived.
  public var episodes: Int

  /// More than the box has room for.
  public static let mostTitles = 10

  public init(title: String?, titles: [String], episodes: Int) {
    self.title = title
    self.titles = titles
    self.episodes = episodes
  }
}

extension State {
  mutating func receive(_ podcast: ArrivingPodcast, _ request: RequestID) {
    guard awaited.subject(of: request) != nil else { return }
    arriving[request] = podcast
  }
}
