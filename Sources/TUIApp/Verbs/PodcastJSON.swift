import Foundation
import Model

/// A podcast as JSON: everything that is stored of its feed, except passwords, and what the library knows about it. A
/// key is absent if the feed does not have it.
struct PodcastJSON: Encodable {
  /// Its members are written beside the others.
  let feed: FeedPodcast
  private(set) var library: LibraryValues

  struct LibraryValues: Encodable {
    var id: Int64
    var imageURLOverride: String?
    var source: Source
    var isSubscribed: Bool
    /// When the listener subscribed or unsubscribed.
    var subscriptionUpdated: Date?
    var lastRefreshed: Date?
    var episodes: Int
    var unplayed: Int
    /// How many of them the New screen lists.
    var new: Int
    var tags: [String]
    var error: String?
  }

  /// Where the podcast was found: the directory, and its id there.
  struct Source: Encodable {
    var url: String?
    var collectionId: String?
    var id: String?
    var type: String

    init(_ source: PodcastSource) {
      switch source {
      case .rss(let url): (type, self.url) = ("rss", url)
      case .apple(let collectionID): (type, collectionId) = ("apple", collectionID)
      case .spotify(let id): (type, self.id) = ("spotify", id)
      }
    }
  }

  init(_ detail: PodcastDetail) {
    let row = detail.row
    var feed = detail.feed
    (feed.title, feed.feedURL, feed.iTunesAuthor, feed.lastPubDate) = (
      row.title, row.feedURL, row.author, row.lastPubDate
    )
    for index in feed.liveItems.indices {
      feed.liveItems[index].episode.summary =
        feed.liveItems[index].episode.contentHTML ?? feed.liveItems[index].episode.summary
    }
    self.feed = feed
    library = LibraryValues(
      id: row.id.rawValue, imageURLOverride: detail.imageURLOverride, source: Source(detail.source),
      isSubscribed: detail.isSubscribed, subscriptionUpdated: detail.subscriptionUpdated,
      lastRefreshed: detail.lastRefreshed, episodes: row.episodes, unplayed: row.unplayed, new: row.new,
      tags: row.tags)
    if case .failed(_, let message) = row.health { library.error = message }
    if row.health == .gone { library.error = "the publisher has ended this feed" }
  }

  func encode(to encoder: any Encoder) throws {
    try feed.encode(to: encoder)
    try library.encode(to: encoder)
  }
}
