/// A search on the Discover screen.
public struct DiscoverQuery: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case podcasts, episodes
    /// Podcasts and episodes with a person.
    case people
    /// The charts of a country, for one genre or for all.
    case charts(genre: String?)
  }

  public var kind: Kind
  public var words: String
  /// The two-letter country; nil: the listener's.
  public var country: String?

  public init(_ kind: Kind, _ words: String = "", country: String? = nil) {
    self.kind = kind
    self.words = words
    self.country = country
  }
}

/// The merged and ranked answers of the directories so far, with their errors.
public struct DiscoverResults: Equatable, Sendable {
  public var podcasts: [FoundPodcast] = []
  public var episodes: [FoundEpisode] = []
  /// Error messages that name the directory.
  public var failures: [String] = []
  /// How many entries had no feed or could not be read.
  public var skipped = 0
  /// How many directories were asked, and how many of them have answered.
  public var asked = 0
  public var answered = 0
  /// The titles of directories that have not answered yet.
  public var waiting: [String] = []
  public init() {}
}

/// The progress of a search. In the last report, `DiscoverResults.waiting` is empty.
public enum DiscoverReport: Equatable, Sendable {
  case results(DiscoverResults)
  /// No directory could be asked.
  case failed(ReportedError)
}

/// A podcast that the listener wants to see without subscribing.
public struct VisitRequest: Equatable, Sendable {
  /// The feed's address or a shared link. Nil if only the podcast:guid is known.
  public var address: String?
  /// The directory's data about the podcast. It is stored as the podcast's source.
  public var podcast: FoundPodcast?
  public var episode: EpisodeClue?
  public init(address: String?, podcast: FoundPodcast? = nil, episode: EpisodeClue? = nil) {
    self.address = address
    self.podcast = podcast
    self.episode = episode
  }
}

/// A podcast that was fetched without subscribing.
public struct VisitedPodcast: Equatable, Sendable {
  public var id: PodcastID
  /// The podcast as its own feed describes it.
  public var podcast: FoundPodcast
  /// The episode that a link named.
  public var episode: EpisodeID?
  /// The link named an episode that the feed does not list, or no longer lists.
  public var lacksEpisode = false
  public init(id: PodcastID, podcast: FoundPodcast, episode: EpisodeID? = nil) {
    self.id = id
    self.podcast = podcast
    self.episode = episode
  }
}

/// Podcasts that a link may mean.
public struct LinkMatches: Equatable, Sendable {
  /// The site of the link, such as `Spotify`.
  public var site: String
  /// Most likely first. Each says how certain it is.
  public var podcasts: [FoundPodcast]
  public var episode: EpisodeClue?
  public init(site: String, podcasts: [FoundPodcast], episode: EpisodeClue? = nil) {
    self.site = site
    self.podcasts = podcasts
    self.episode = episode
  }
}

/// A suggestion, made from the library without any request.
public struct Suggestion: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    /// A podcast that another one recommends.
    case podcast(RemoteItem)
    /// A search for everything with this person.
    case person(String)
    /// The charts of a category, as written in feeds.
    case category(String)
  }

  public var target: Target
  /// The titles of the podcasts that led to the suggestion, most played first.
  public var podcasts: [String]
  /// Its rank: the number of played episodes behind it.
  public var weight: Int

  public init(target: Target, podcasts: [String], weight: Int) {
    self.target = target
    self.podcasts = podcasts
    self.weight = weight
  }
}
