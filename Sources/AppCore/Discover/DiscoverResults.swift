import Model

/// What the directories have answered so far: merged, ranked, and what went wrong beside it.
public struct DiscoverResults: Equatable, Sendable {
  public var podcasts: [FoundPodcast] = []
  public var episodes: [FoundEpisode] = []
  /// In words that name the directory.
  public var failures: [String] = []
  /// Entries without a feed, or that could not be read.
  public var skipped = 0
  /// How many directories were asked, and how many of them have answered.
  public var asked = 0
  public var answered = 0
  /// Directories that have not answered yet, by the names that people know.
  public var waiting: [String] = []
  public init() {}
}

/// How a search of directories gets on. The last report is the one in which nobody is waited for.
public enum DiscoverReport: Equatable, Sendable {
  case results(DiscoverResults)
  /// Nobody could be asked: why.
  case failed(ReportedError)
}

/// What the listener wants to look at without subscribing.
public struct VisitWish: Equatable, Sendable {
  /// A feed's address, a shared link, or nil where the podcast has only its podcast:guid.
  public var address: String?
  /// What is known of it; where it was found is kept with it.
  public var podcast: FoundPodcast?
  public var episode: EpisodeClue?
  public init(address: String?, podcast: FoundPodcast? = nil, episode: EpisodeClue? = nil) {
    self.address = address
    self.podcast = podcast
    self.episode = episode
  }
}

/// A podcast that was fetched to be looked at.
public struct VisitedPodcast: Equatable, Sendable {
  public var id: PodcastID
  /// What its feed says, in place of what led here.
  public var podcast: FoundPodcast
  /// The episode that a link named.
  public var episode: EpisodeID?
  /// The link named an episode that the feed has not, or no more.
  public var lacksEpisode = false
  public init(id: PodcastID, podcast: FoundPodcast, episode: EpisodeID? = nil) {
    self.id = id
    self.podcast = podcast
    self.episode = episode
  }
}

/// Podcasts of which one is, perhaps, what a link means.
public struct LinkMatches: Equatable, Sendable {
  /// Where the link leads: `Spotify`.
  public var site: String
  /// The likeliest first, each with how sure it is.
  public var podcasts: [FoundPodcast]
  public var episode: EpisodeClue?
  public init(site: String, podcasts: [FoundPodcast], episode: EpisodeClue? = nil) {
    self.site = site
    self.podcasts = podcasts
    self.episode = episode
  }
}
