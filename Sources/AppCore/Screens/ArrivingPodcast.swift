/// A podcast that is being added, as far as its feed has arrived. It is shown until the feed is complete.
public struct ArrivingPodcast: Equatable, Sendable {
  /// Nil until that part of the feed has arrived.
  public var title: String?
  /// The titles of the first episodes in the feed, which usually are the newest. At most `titleLimit`.
  public var titles: [String]
  /// The number of episodes that have arrived.
  public var episodes: Int

  /// More than a box on the screen can show.
  public static let titleLimit = 10

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
