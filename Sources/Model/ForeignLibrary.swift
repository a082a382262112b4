import Foundation

/// What another podcast program's files say: subscriptions, and the episodes that its listener has touched.
public struct ForeignLibrary: Sendable, Equatable {
  /// The program's name, for people.
  public var program: String
  public var podcasts: [ForeignPodcast]
  /// What could not be taken over, a sentence each, for people.
  public var notes: [String]
  public init(program: String, podcasts: [ForeignPodcast] = [], notes: [String] = []) {
    self.program = program
    self.podcasts = podcasts
    self.notes = notes
  }
}

/// A subscription of another program.
public struct ForeignPodcast: Sendable, Equatable {
  public var feedURL: String
  public var title: String?
  public var link: String?
  public var tags: [String]
  /// Of a feed behind Basic authentication.
  public var user: String?
  public var password: String?
  /// Only those with something of the listener's; the others come with the first refresh.
  public var episodes: [ForeignEpisode]
  public init(
    feedURL: String, title: String? = nil, link: String? = nil, tags: [String] = [], user: String? = nil,
    password: String? = nil, episodes: [ForeignEpisode] = []
  ) {
    self.feedURL = feedURL
    self.title = title
    self.link = link
    self.tags = tags
    self.user = user
    self.password = password
    self.episodes = episodes
  }
}

/// An episode of another program, and how far its listener is.
public struct ForeignEpisode: Sendable, Equatable {
  public var title: String?
  public var guid: String?
  public var mediaURL: String?
  public var link: String?
  public var pubDate: Date?
  /// Seconds.
  public var duration: Int?
  public var status: EpisodeStatus
  /// Seconds.
  public var position: Double
  /// When the listener last did something with it, where the program knows.
  public var updated: Date?
  /// Its place in the other program's queue; only the order counts.
  public var queuePosition: Int?
  public var tags: [String]
  public init(
    title: String? = nil, guid: String? = nil, mediaURL: String? = nil, link: String? = nil, pubDate: Date? = nil,
    duration: Int? = nil, status: EpisodeStatus = .new, position: Double = 0, updated: Date? = nil,
    queuePosition: Int? = nil, tags: [String] = []
  ) {
    self.title = title
    self.guid = guid
    self.mediaURL = mediaURL
    self.link = link
    self.pubDate = pubDate
    self.duration = duration
    self.status = status
    self.position = position
    self.updated = updated
    self.queuePosition = queuePosition
    self.tags = tags
  }

  /// Whether there is anything to take over.
  public var isTouched: Bool { status != .new || position > 0 || queuePosition != nil || !tags.isEmpty }
}
