import Foundation

/// A podcast directory. The raw value is its name on the command line and in the configuration.
public enum DirectoryName: String, Codable, CaseIterable, Sendable {
  case apple, fyyd, podcastindex, gpodder

  /// The display name.
  public var title: String {
    switch self {
    case .apple: "Apple Podcasts"
    case .fyyd: "fyyd"
    case .podcastindex: "Podcast Index"
    case .gpodder: "gpodder"
    }
  }
}

/// The metadata of a podcast, merged from one or more directories. Nil or empty: none of them has it.
public struct DirectoryPodcast: Sendable, Equatable, Encodable {
  public var title: String
  public var author: String?
  /// http or https. Nil if the directory does not give the feed.
  public var feedURL: String?
  /// The value of podcast:guid.
  public var guid: String?
  /// Apple's collectionId.
  public var appleID: String?
  public var imageURL: String?
  /// Apple's image, which overrides the feed's own. `imageURL` may be from any directory.
  public var appleImageURL: String?
  /// Plain text or HTML.
  public var summary: String?
  public var link: String?
  public var language: String?
  public var genres: [String] = []
  public var episodeCount: Int?
  /// The date of the newest episode.
  public var newest: Date?
  public var isExplicit: Bool?
  /// The directory could no longer read the feed.
  public var isDead = false
  /// The value of podcast:medium.
  public var medium: String?
  /// The directories that list the podcast, in the order in which they answered.
  public var directories: [DirectoryName] = []

  public init(title: String) { self.title = title }

  private enum CodingKeys: String, CodingKey {
    case title, author, feedURL, guid, appleID, imageURL, summary, link, language, genres, episodeCount, newest
    case isExplicit = "explicit"
    case isDead = "dead"
    case medium, directories
  }
}

/// The metadata of an episode in a directory.
public struct DirectoryEpisode: Sendable, Equatable, Encodable {
  public var title: String
  public var podcastTitle: String
  public var feedURL: String?
  public var guid: String?
  public var mediaURL: String?
  /// Seconds.
  public var duration: Double?
  public var pubDate: Date?
  public var summary: String?
  public var imageURL: String?
  /// The people whose names matched.
  public var persons: [String] = []
  public var directory: DirectoryName

  private enum CodingKeys: String, CodingKey {
    case podcastTitle = "podcast"
    case title, feedURL, guid, mediaURL, duration, pubDate, summary, imageURL, persons, directory
  }
}
