import Foundation

/// Where a podcast was found.
public enum PodcastSource: Sendable, Equatable, Codable {
  case rss(url: String)
  case apple(collectionID: String)
  case spotify(id: String)
}

/// The listening status of an episode.
public enum EpisodeStatus: String, Sendable, Equatable, Codable, CaseIterable {
  case new, playing, paused, played, deleted

  /// Whether the listener is done with the episode: it is played or deleted.
  public var isOver: Bool { self == .played || self == .deleted }
}

/// The result of a podcast's last refresh.
public enum FeedHealth: Sendable, Equatable {
  case unknown
  case good
  /// `connectivity`: the server could not be reached or refused. Otherwise the response was not a feed. `message` is a
  /// sentence for the listener.
  case failed(connectivity: Bool, message: String)
  /// 410: the publisher has ended the feed. It is not requested any more.
  case gone
}

/// A subscription in a list.
public struct PodcastRow: Sendable, Equatable, Identifiable {
  public var id: PodcastID
  public var feedURL: String
  public var title: String
  public var author: String?
  public var unplayed: Int
  /// How many of its episodes the New screen lists.
  public var new: Int
  public var episodes: Int
  public var lastPubDate: Date?
  public var health: FeedHealth
  /// In alphabetical order.
  public var tags: [String]
  /// The position in the manual order, from 0; nil if it has none yet.
  public var rank: Int?
  /// One of its live items is on air.
  public var isLive: Bool
  public init(
    id: PodcastID, feedURL: String, title: String, author: String? = nil, unplayed: Int = 0, new: Int = 0,
    episodes: Int = 0, lastPubDate: Date? = nil, health: FeedHealth = .unknown, tags: [String] = [], rank: Int? = nil,
    isLive: Bool = false
  ) {
    self.id = id
    self.feedURL = feedURL
    self.title = title
    self.author = author
    self.unplayed = unplayed
    self.new = new
    self.episodes = episodes
    self.lastPubDate = lastPubDate
    self.health = health
    self.tags = tags
    self.rank = rank
    self.isLive = isLive
  }
}

/// All data for the podcast page. `feed` is the last state of the feed, read from the library.
public struct PodcastDetail: Sendable, Equatable, Identifiable {
  public var id: PodcastID { row.id }
  public var row: PodcastRow
  public var feed: FeedPodcast
  public var imageURLOverride: String?
  public var source: PodcastSource
  public var isSubscribed: Bool
  /// When the listener subscribed or unsubscribed.
  public var subscriptionUpdated: Date?
  /// The last successful refresh.
  public var lastRefreshed: Date?
  /// The base of relative addresses in the description (see `EpisodeDetail.notesBase`).
  public var notesBase: String { feed.link ?? row.feedURL }
  public init(
    row: PodcastRow, feed: FeedPodcast, imageURLOverride: String? = nil, source: PodcastSource, isSubscribed: Bool,
    subscriptionUpdated: Date? = nil, lastRefreshed: Date? = nil
  ) {
    self.row = row
    self.feed = feed
    self.imageURLOverride = imageURLOverride
    self.source = source
    self.isSubscribed = isSubscribed
    self.subscriptionUpdated = subscriptionUpdated
    self.lastRefreshed = lastRefreshed
  }
}

/// An episode in a list. `duration` and `position` are in seconds.
public struct EpisodeRow: Sendable, Equatable, Identifiable {
  public var id: EpisodeID
  public var podcast: PodcastID
  public var podcastTitle: String
  public var title: String
  public var pubDate: Date?
  public var duration: Double?
  public var status: EpisodeStatus
  public var position: Double
  public var isDownloaded: Bool
  /// The size of the downloaded file in bytes; nil if there is none, or if it is unknown.
  public var fileBytes: Int64?
  public var isQueued: Bool
  public var isGoneFromFeed: Bool
  public var hasMedia: Bool
  /// When it was last played.
  public var heardAt: Date?
  /// It is a live stream (podcast:liveItem), which has no position.
  public var isLive: Bool
  /// The name of the other device whose event about the episode is the latest. Nil if the latest is from this device.
  public var otherDevice: String?
  public init(
    id: EpisodeID, podcast: PodcastID, podcastTitle: String = "", title: String, pubDate: Date? = nil,
    duration: Double? = nil, status: EpisodeStatus = .new, position: Double = 0, isDownloaded: Bool = false,
    isQueued: Bool = false, isGoneFromFeed: Bool = false, hasMedia: Bool = true, heardAt: Date? = nil,
    isLive: Bool = false
  ) {
    self.id = id
    self.podcast = podcast
    self.podcastTitle = podcastTitle
    self.title = title
    self.pubDate = pubDate
    self.duration = duration
    self.status = status
    self.position = position
    self.isDownloaded = isDownloaded
    self.isQueued = isQueued
    self.isGoneFromFeed = isGoneFromFeed
    self.hasMedia = hasMedia
    self.heardAt = heardAt
    self.isLive = isLive
  }
}

/// All data of an episode for the details and the player.
public struct EpisodeDetail: Sendable, Equatable, Identifiable {
  public var id: EpisodeID { row.id }
  public var row: EpisodeRow
  /// The last state of the feed's item, read from the library.
  public var feed: FeedEpisode
  /// The podcast's picture, for an episode without one.
  public var podcastImageURL: String?
  /// The podcast's web page, else the address of its feed.
  public var podcastAddress: String?
  /// The podcast's people, for an episode that names none.
  public var podcastPersons: [Person] = []
  public var persons: [Person] { feed.persons.isEmpty ? podcastPersons : feed.persons }
  /// The downloaded file; nil if there is none.
  public var fileName: String?
  /// When the status and the position last changed.
  public var statusUpdated: Date?
  public var positionUpdated: Date?
  /// The name of the other device whose event about the episode is the latest. Nil if the latest is from this device.
  public var otherDevice: String?
  public var tags: [String]
  /// The playlists to which the listener has added it, the oldest first.
  public var playlists: [PlaylistID] = []
  /// The transcript that the listener has made or imported. Nil: none.
  public var madeTranscript: TranscriptOrigin?
  /// What rules did with it, and was not taken back.
  public var acts: [RuleAct] = []
  /// The listener's clips, bookmarks, parts to skip and notes, in order of time.
  public var marks: [Clip]
  /// The description as HTML or plain text: the longest of the item's texts.
  public var notes: String? { feed.contentHTML ?? feed.summary ?? feed.subtitle }
  /// The base of relative addresses in the notes: the nearest page with an address, else the feed (RFC 3986 §5.1.3).
  public var notesBase: String? { feed.link ?? podcastAddress }
  public init(
    row: EpisodeRow, feed: FeedEpisode, podcastImageURL: String? = nil, podcastAddress: String? = nil,
    fileName: String? = nil, statusUpdated: Date? = nil, positionUpdated: Date? = nil, otherDevice: String? = nil,
    tags: [String] = [], madeTranscript: TranscriptOrigin? = nil, marks: [Clip] = []
  ) {
    self.madeTranscript = madeTranscript
    self.row = row
    self.feed = feed
    self.podcastImageURL = podcastImageURL
    self.podcastAddress = podcastAddress
    self.fileName = fileName
    self.statusUpdated = statusUpdated
    self.positionUpdated = positionUpdated
    self.otherDevice = otherDevice
    self.tags = tags
    self.marks = marks
  }
}

/// An episode that is not played to its end.
public struct UnplayedEpisode: Sendable, Equatable {
  public var id: EpisodeID
  public var pubDate: Date?
  public init(id: EpisodeID, pubDate: Date?) {
    self.id = id
    self.pubDate = pubDate
  }
}

/// The episodes of a list and their order: newest first, except for the queue.
public struct EpisodeQuery: Sendable, Hashable {
  public enum Scope: Sendable, Hashable {
    case podcast(PodcastID)
    /// The New screen: unplayed episodes of subscribed podcasts, without deleted ones.
    case new
    case queue
    /// Unfinished downloads first, in the order of the queue, then files, newest first.
    case downloads
    /// Most recently played first.
    case history
    /// The episodes of the playlist's items, or those that a smart playlist's filter finds.
    case playlist(PlaylistID)
    /// In the order of the filter.
    case matching(EpisodeFilter)
    /// These, in this order, also those that are deleted.
    case these([EpisodeID])
  }
  public var scope: Scope
  public var unplayedOnly: Bool
  /// A part of the title, without case and accents; nil: all episodes.
  public var titleContains: String?
  /// Episodes of these podcasts are included, whatever their titles contain.
  public var alsoFromPodcasts: [PodcastID] = []
  /// Only the episodes that match. Its order replaces that of the list, unless it is the default order.
  public var filter: EpisodeFilter?
  public init(_ scope: Scope, unplayedOnly: Bool = false, titleContains: String? = nil) {
    self.scope = scope
    self.unplayedOnly = unplayedOnly
    self.titleContains = titleContains
  }
}

/// An episode with what the listener has marked and written in it.
public struct NotedEpisode: Sendable, Equatable, Identifiable {
  public var id: EpisodeID { row.id }
  public var row: EpisodeRow
  /// In order of time.
  public var marks: [Clip]
  public init(row: EpisodeRow, marks: [Clip]) {
    self.row = row
    self.marks = marks
  }
}

/// An episode that a search of the whole library found.
public struct SearchHit: Equatable, Sendable {
  public var row: EpisodeRow
  public var match: SearchMatch
  public init(row: EpisodeRow, match: SearchMatch) {
    self.row = row
    self.match = match
  }
}

/// What a search found in an episode: where the words are.
public struct SearchMatch: Equatable, Sendable {
  /// Plain text around the words. May be empty.
  public var snippet: String
  /// The start in seconds of the chapter or the line of the transcript that has the words; nil for other texts.
  public var time: Double?
  public init(snippet: String, time: Double? = nil) {
    self.snippet = snippet
    self.time = time
  }
}
