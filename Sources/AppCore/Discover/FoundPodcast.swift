import Foundation
import Model

/// A podcast as a directory, a link or another podcast names it, before its feed was asked.
public struct FoundPodcast: Equatable, Sendable {
  public var title: String
  public var author: String?
  public var feedURL: String?
  /// podcast:guid.
  public var guid: String?
  /// Apple's collectionId.
  public var appleID: String?
  /// Where a link to Spotify led here.
  public var spotifyID: String?
  /// The largest picture of Apple's directory, which wins over the feed's own.
  public var artworkURL: String?
  public var imageURL: String?
  public var summary = Document()
  public var link: String?
  public var language: String?
  public var genres: [String] = []
  public var episodeCount: Int?
  /// When the newest episode was published.
  public var newest: Date?
  public var isExplicit = false
  /// Its feed could not be read by the directory.
  public var isDead = false
  public var medium: String?
  /// The directories that list it, by the names that people know.
  public var directories: [String] = []
  /// How sure it is that this is what was meant, in words; where that was a guess by titles.
  public var certainty: String?

  public init(title: String) { self.title = title }

  /// Every name under which the library may know it, as `Library.subscriptionNames` has them.
  public var names: [String] {
    [
      feedURL.map { "feed " + AddressKey.feed($0) }, guid.map { "guid " + $0.lowercased() },
      appleID.map { "apple " + $0 },
    ].compactMap { $0 }
  }

  /// Tells it from others.
  public var key: String { names.first ?? title }

  /// What a podroll, a publisher or another list of one feed names.
  public init(_ item: RemoteItem) {
    let address = ShownAddress(item.feedURL)?.description
    self.init(title: item.title ?? address ?? item.feedGuid ?? "A podcast")
    feedURL = item.feedURL
    guid = item.feedGuid
    medium = item.medium
  }
}

/// An episode as a directory names it.
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
  /// The people in it who were looked for.
  public var persons: [String] = []

  public init(title: String, podcast: FoundPodcast) {
    self.title = title
    self.podcast = podcast
  }

  var key: String { "episode " + (guid ?? mediaURL ?? title) + " " + podcast.key }
  var clue: EpisodeClue { EpisodeClue(guid: guid, mediaURL: mediaURL, title: title) }
}

/// By which an episode is found in its feed; whatever is known of it.
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
