/// A podcast that was added, or was known before.
public struct AddedPodcast: Equatable, Sendable {
  public var id: PodcastID
  public var title: String
  public var episodes: Int
  /// The episode that the link named.
  public var episode: EpisodeID?
  /// The link named an episode that the feed does not list.
  public var lacksEpisode = false
  /// The title of another subscription with the same podcast:guid.
  public var duplicate: String?
  /// The message for a podcast that was not in the library before.
  public var text: String {
    if isCutOff {
      let count = Counted.text(episodes, "episode")
      return "Added “\(title)”, but its feed is cut off: \(count) could be read; a refresh asks again"
    }
    let lack = lacksEpisode ? "; the episode of the link is not among them" : ""
    let part = problem.map { "; \($0)" } ?? ""
    let same = duplicate.map { "; it says that it is the same podcast as “\($0)”" } ?? ""
    return "Added “\(title)” with \(Counted.text(episodes, "episode"))\(lack)\(part)\(same)"
  }
  /// The listener was already subscribed to it.
  public var wasKnown: Bool
  /// The feed was cut off, so it may have more episodes.
  public var isCutOff = false
  /// What could not be read of it, in words for the listener without the title.
  public var problem: String?
  public init(id: PodcastID, title: String, episodes: Int, wasKnown: Bool = false) {
    self.id = id
    self.title = title
    self.episodes = episodes
    self.wasKnown = wasKnown
  }
}

/// A podcast that is being added, as far as its feed has arrived. It is shown until the feed is complete.
public struct ArrivingPodcast: Equatable, Sendable {
  /// Nil until that part of the feed has arrived.
  public var title: String?
  /// The titles of the first episodes in the feed, which usually are the newest. At most `titleLimit`.
  public var titles: [String]
  /// The number of episodes that have arrived, or of files of a folder that were read.
  public var episodes: Int
  /// How many files of a folder must be read. Nil for feeds.
  public var files: Int?

  /// More than a box on the screen can show.
  public static let titleLimit = 10

  public init(title: String?, titles: [String], episodes: Int, files: Int? = nil) {
    self.title = title
    self.titles = titles
    self.episodes = episodes
    self.files = files
  }

  /// Such as `12 episodes so far`, or `50 of 300 files read`.
  public var progress: String {
    files.map { "\(episodes) of \(Counted.text($0, "file")) read" } ?? "\(Counted.text(episodes, "episode")) so far"
  }
}
