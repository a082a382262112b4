import Foundation

/// A directory of podcasts that can be asked. The raw value is its name on the command line and in the configuration.
public enum DirectoryName: String, Codable, CaseIterable, Sendable {
  case apple, fyyd, podcastindex, gpodder

  /// How it is called on screen.
  public var title: String {
    switch self {
    case .apple: "Apple Podcasts"
    case .fyyd: "fyyd"
    case .podcastindex: "Podcast Index"
    case .gpodder: "gpodder"
    }
  }
}

/// What one or several directories say of a podcast. nil and empty mean that none of them says.
public struct DirectoryPodcast: Sendable, Equatable {
  public var title: String
  public var author: String?
  /// http or https. nil where a directory names a podcast without its feed.
  public var feedURL: String?
  /// podcast:guid.
  public var guid: String?
  /// Apple's collectionId.
  public var appleID: String?
  public var imageURL: String?
  /// Apple's picture, which overrides the feed's own; see `imageURL` for any other.
  public var appleImageURL: String?
  /// Plain text or HTML.
  public var summary: String?
  public var link: String?
  public var language: String?
  public var genres: [String] = []
  public var episodeCount: Int?
  /// When the newest episode was published.
  public var newest: Date?
  public var isExplicit: Bool?
  /// The directory could not read the feed any more.
  public var isDead = false
  /// podcast:medium.
  public var medium: String?
  /// Which directories list it, in the order in which they answered.
  public var directories: [DirectoryName] = []

  public init(title: String) { self.title = title }
}

/// What a directory says of an episode.
public struct DirectoryEpisode: Sendable, Equatable {
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
  /// The names of people that matched.
  public var persons: [String] = []
  public var directory: DirectoryName

  public init(title: String, podcastTitle: String, directory: DirectoryName) {
    self.title = title
    self.podcastTitle = podcastTitle
    self.directory = directory
  }
}
