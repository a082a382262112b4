import Foundation

/// Where a podcast was found.
public enum PodcastSource: Sendable, Equatable, Codable {
  case rss(url: String)
  case apple(collectionID: String)
  case spotify(id: String)
}

/// How far the listener is with an episode.
public enum EpisodeStatus: String, Sendable, Equatable, Codable, CaseIterable {
  case new, playing, paused, played, deleted
}

/// How the last refresh of a podcast ended.
public enum FeedHealth: Sendable, Equatable {
  case unknown
  case good
  /// `connectivity`: the server was not reached or refused; otherwise what came was no feed. `message` is for people.
  case failed(connectivity: Bool, message: String)
  /// 410: the publisher has ended the feed, and it is asked no more.
  case gone
}

/// A subscription as a list shows it.
public struct PodcastRow: Sendable, Equatable, Identifiable {
  public var id: PodcastID
  public var feedURL: String
  public var title: String
  public var author: String?
  public var unplayed: Int
  public var episodes: Int
  public var lastPubDate: Date?
  public var health: FeedHealth
  /// In alphabetical order.
  public var tags: [String]
  /// Where the listener has put it, counted from 0; nil: nowhere yet.
  public var place: Int?
  /// Something of it is on air.
  public var isLive: Bool
  public init(
    id: PodcastID, feedURL: String, title: String, author: String? = nil, unplayed: Int = 0, episodes: Int = 0,
    lastPubDate: Date? = nil, health: FeedHealth = .unknown, tags: [String] = [], place: Int? = nil,
    isLive: Bool = false
  ) {
    self.id = id
    self.feedURL = feedURL
    self.title = title
    self.author = author
    self.unplayed = unplayed
    self.episodes = episodes
    self.lastPubDate = lastPubDate
    self.health = health
    self.tags = tags
    self.place = place
    self.isLive = isLive
  }
}

/// All that the podcast page shows. `feed` is what the feed last said, read back from the store.
public struct PodcastDetail: Sendable, Equatable, Identifiable {
  public var id: PodcastID
  public var row: PodcastRow
  public var feed: FeedPodcast
  public var imageURLOverride: String?
  public var source: PodcastSource
  public var isSubscribed: Bool
  /// When the listener subscribed or unsubscribed.
  public var subscriptionUpdated: Date?
  public var tags: [String]
  /// When the feed was last asked with success.
  public var lastRefreshed: Date?
  /// What a relative address in the description is relative to (see `EpisodeDetail.notesBase`).
  public var notesBase: String { feed.link ?? row.feedURL }
  public init(
    id: PodcastID, row: PodcastRow, feed: FeedPodcast, imageURLOverride: String? = nil, source: PodcastSource,
    isSubscribed: Bool, subscriptionUpdated: Date? = nil, tags: [String] = [], lastRefreshed: Date? = nil
  ) {
    self.id = id
    self.row = row
    self.feed = feed
    self.imageURLOverride = imageURLOverride
    self.source = source
    self.isSubscribed = isSubscribed
    self.subscriptionUpdated = subscriptionUpdated
    self.tags = tags
    self.lastRefreshed = lastRefreshed
  }
}

/// An episode as a list shows it. `duration` and `position` in seconds.
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
  public var isQueued: Bool
  public var isGoneFromFeed: Bool
  public var hasMedia: Bool
  /// When it last sounded.
  public var heardAt: Date?
  /// A stream that is on air (podcast:liveItem): no place in it is kept.
  public var isLive: Bool
  /// The device on which the listener did the last thing with it, when that was another one and it was heard.
  public var elsewhere: String?
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

/// All that the detail view and the player need of one episode.
public struct EpisodeDetail: Sendable, Equatable, Identifiable {
  public var id: EpisodeID { row.id }
  public var row: EpisodeRow
  /// What the feed last said of it, read back from the store.
  public var feed: FeedEpisode
  /// The podcast's picture, for an episode that has none.
  public var podcastImageURL: String?
  /// The podcast's page, else its feed's address.
  public var podcastAddress: String?
  /// The downloaded file, when there is one.
  public var fileName: String?
  /// When the status changed, and when the position did.
  public var statusUpdated: Date?
  public var positionUpdated: Date?
  /// The device on which the listener did the last thing with it, when that was another one.
  public var elsewhere: String?
  public var tags: [String]
  /// The description, HTML or plain text; the richest of the item's own texts.
  public var notes: String? { feed.contentHTML ?? feed.summary ?? feed.subtitle }
  /// What a relative address in the notes is relative to: the nearest page that has an address, at last the feed, where
  /// the notes were found (RFC 3986 §5.1.3).
  public var notesBase: String? { feed.link ?? podcastAddress }
  public init(
    row: EpisodeRow, feed: FeedEpisode, podcastImageURL: String? = nil, podcastAddress: String? = nil,
    fileName: String? = nil, statusUpdated: Date? = nil, positionUpdated: Date? = nil, elsewhere: String? = nil,
    tags: [String] = []
  ) {
    self.row = row
    self.feed = feed
    self.podcastImageURL = podcastImageURL
    self.podcastAddress = podcastAddress
    self.fileName = fileName
    self.statusUpdated = statusUpdated
    self.positionUpdated = positionUpdated
    self.elsewhere = elsewhere
    self.tags = tags
  }
}

/// Which episodes a list shows, and in which order (newest first, but for the queue).
public struct EpisodeQuery: Sendable, Hashable {
  public enum Scope: Sendable, Hashable {
    case podcast(PodcastID)
    /// Not played, not deleted, of subscribed podcasts: the New screen.
    case new
    case queue
    /// Those that are not complete first, in the order in which they were asked for; then the newest file first.
    case downloads
    /// Most recently heard first.
    case history
    /// The episodes among its items, or what the filter of a smart playlist finds.
    case playlist(PlaylistID)
    /// In the filter's own order.
    case matching(EpisodeFilter)
  }
  public var scope: Scope
  public var unplayedOnly: Bool
  /// Case- and diacritic-insensitive part of the title; nil for all.
  public var titleContains: String?
  public init(_ scope: Scope, unplayedOnly: Bool = false, titleContains: String? = nil) {
    self.scope = scope
    self.unplayedOnly = unplayedOnly
    self.titleContains = titleContains
  }
}
