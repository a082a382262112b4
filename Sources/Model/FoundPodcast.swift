import Foundation

/// A podcast as a directory, a link or another podcast describes it. Its own feed was not read.
public struct FoundPodcast: Equatable, Sendable {
  public var title: String
  public var author: String?
  public var feedURL: String?
  /// The podcast:guid.
  public var guid: String?
  /// Apple's collectionId.
  public var appleID: String?
  /// The id at Spotify, if a link to Spotify led here.
  public var spotifyID: String?
  /// The largest picture of Apple's directory. It is preferred to the feed's own.
  public var artworkURL: String?
  public var imageURL: String?
  public var summary = Document()
  public var link: String?
  public var language: String?
  public var genres: [String] = []
  public var episodeCount: Int?
  /// The publication date of the newest episode.
  public var newest: Date?
  public var isExplicit = false
  /// The directory could not read its feed.
  public var isDead = false
  public var medium: String?
  /// The titles of the directories that list it.
  public var directories: [String] = []
  /// If the podcast was guessed by title: how certain that is, as text.
  public var certainty: String?

  public init(title: String) { self.title = title }

  /// All names under which the library may know it, in the form of `Library.subscriptionNames`.
  public var names: [String] { Self.names(feedURL: feedURL, guid: guid, appleID: appleID) }

  public static func names(feedURL: String?, guid: String? = nil, appleID: String? = nil) -> [String] {
    [
      feedURL.map { "feed " + AddressKey.feed($0) }, guid.map { "guid " + $0.lowercased() },
      appleID.map { "apple " + $0 },
    ].compactMap { $0 }
  }

  /// Identifies the podcast.
  public var key: String { names.first ?? title }

  /// A podcast from a podroll, a publisher's list or a similar list in a feed.
  public init(_ item: RemoteItem) {
    let address = ShownAddress(item.feedURL)?.description
    self.init(title: item.title ?? address ?? item.feedGuid ?? "A podcast")
    feedURL = item.feedURL
    guid = item.feedGuid
    medium = item.medium
  }
}

/// An episode as a directory describes it.
public struct FoundEpisode: Equatable, Sendable {
  public var title: String
  public var podcast: FoundPodcast
  public var guid: String?
  public var mediaURL: String?
  /// Seconds.
  public var duration: Double?
  public var pubDate: Date?
  public var summary = Document()
  public var imageURL: String?
  /// The people in it that were searched for.
  public var persons: [String] = []

  public init(title: String, podcast: FoundPodcast) {
    self.title = title
    self.podcast = podcast
  }

  public var key: String { "episode " + (guid ?? mediaURL ?? title) + " " + podcast.key }
  public var clue: EpisodeClue { EpisodeClue(guid: guid, mediaURL: mediaURL, title: title) }
}

/// What is known to find an episode in its feed.
public struct EpisodeClue: Equatable, Sendable {
  public var guid: String?
  public var mediaURL: String?
  public var title: String?
  public init(guid: String? = nil, mediaURL: String? = nil, title: String? = nil) {
    self.guid = guid
    self.mediaURL = mediaURL
    self.title = title
  }
}
