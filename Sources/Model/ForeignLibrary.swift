import Foundation

/// The data of another podcast program: the subscriptions, and the episodes that the listener did something with.
public struct ForeignLibrary: Sendable, Equatable {
  /// The program's name for messages.
  public var program: String
  public var podcasts: [ForeignPodcast]
  /// The addresses of subscriptions that cannot be fetched, as they are written.
  public var refused: [String]
  /// What could not be imported, as sentences.
  public var notes: [String]
  /// Folders whose files were its podcasts.
  public var folders: [ForeignFolder] = []
  public init(program: String, podcasts: [ForeignPodcast] = [], refused: [String] = [], notes: [String] = []) {
    self.program = program
    self.podcasts = podcasts
    self.refused = refused
    self.notes = notes
  }
}

/// A folder on another device whose files were a podcast of the other program.
public struct ForeignFolder: Sendable, Equatable {
  /// Its path there as people know it, or its title.
  public var name: String
  public var title: String?
  /// Where the same folder may be on this machine: absolute, or beginning with `~/`.
  public var paths: [String]
  /// Its files by their names, with what the listener did with them.
  public var files: [String: ForeignEpisode] = [:]
  public init(name: String, title: String? = nil, paths: [String] = []) {
    self.name = name
    self.title = title
    self.paths = paths
  }
}

/// A subscription in another program.
public struct ForeignPodcast: Sendable, Equatable {
  public var feedURL: String
  public var title: String?
  public var link: String?
  public var tags: [String]
  /// The user of a feed with Basic authentication.
  public var user: String?
  public var password: String?
  /// Only episodes with data of the listener. The first refresh adds the others.
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

/// An episode in another program, with its listening state.
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
  public private(set) var position: Double
  /// When the listener last did something with it, if the program stores that.
  public var updated: Date?
  /// The position in the other program's queue. Only the order counts.
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
    self.position = (0...MediaTime.maximum).contains(position) ? position : 0
    self.updated = updated
    self.queuePosition = queuePosition
    self.tags = tags
  }

  /// The listener has heard it up to this second. An impossible position is ignored.
  public mutating func begin(at position: Double) {
    guard position > 0, position <= MediaTime.maximum else { return }
    (status, self.position) = (.paused, position)
  }

  /// Whether it has data of the listener.
  public var hasListenerData: Bool { status != .new || position > 0 || queuePosition != nil || !tags.isEmpty }
}
