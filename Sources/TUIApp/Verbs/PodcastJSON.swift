import Foundation
import Model

/// A podcast as JSON: everything that is stored of its feed, except passwords, and what the library knows about it. A
/// key is absent if the feed does not have it.
struct PodcastJSON: Encodable {
  /// Its members are written beside the others.
  private let feed: FeedPodcast
  private let library: JSONObject

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
    let error: String? =
      switch row.health {
      case .failed(_, let message): message
      case .gone: "the publisher has ended this feed"
      case .good, .unknown: nil
      }
    library = [
      "id": row.id, "imageURLOverride": detail.imageURLOverride, "source": Self.json(detail.source),
      "isSubscribed": detail.isSubscribed,
      // When the listener subscribed or unsubscribed.
      "subscriptionUpdated": detail.subscriptionUpdated, "lastRefreshed": detail.lastRefreshed,
      "episodes": row.episodes, "unplayed": row.unplayed,
      // How many of them the New screen lists.
      "new": row.new, "tags": row.tags, "error": error,
    ]
  }

  /// Where the podcast was found: the directory, and its id there.
  private static func json(_ source: PodcastSource) -> JSONObject {
    switch source {
    case .rss(let url): ["type": "rss", "url": url]
    case .apple(let collectionID): ["type": "apple", "collectionId": collectionID]
    case .spotify(let id): ["type": "spotify", "id": id]
    }
  }

  func encode(to encoder: any Encoder) throws {
    try feed.encode(to: encoder)
    try library.encode(to: encoder)
  }
}
