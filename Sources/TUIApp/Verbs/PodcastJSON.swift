import Foundation
import Model

/// A podcast as the verbs print it: all that is kept of it but passwords.
struct PodcastJSON: Encodable {
  /// Where it was found: the directory, and what that calls it.
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

  var id: Int64
  var title: String
  var feedURL: String
  var summary: String?
  var iTunesAuthor: String?
  var link: String?
  var language: String?
  var imageURL: String?
  var itunesImageURL: String?
  var imageURLOverride: String?
  var lastBuildDate: Date?
  /// Of the newest episode.
  var lastPubDate: Date?
  var source: Source
  var isSubscribed: Bool
  /// When the listener subscribed or unsubscribed.
  var subscriptionUpdated: Date?
  var lastRefreshed: Date?
  var episodes: Int
  var unplayed: Int
  var tags: [String]
  var error: String?

  init(_ detail: PodcastDetail) {
    let (row, feed) = (detail.row, detail.feed)
    id = row.id.rawValue
    title = row.title
    feedURL = row.feedURL
    summary = feed.summary
    iTunesAuthor = row.author
    link = feed.link
    language = feed.language
    imageURL = feed.imageURL
    itunesImageURL = feed.itunesImageURL
    imageURLOverride = detail.imageURLOverride
    lastBuildDate = feed.lastBuildDate
    lastPubDate = row.lastPubDate
    source = Source(detail.source)
    isSubscribed = detail.isSubscribed
    subscriptionUpdated = detail.subscriptionUpdated
    lastRefreshed = detail.lastRefreshed
    episodes = row.episodes
    unplayed = row.unplayed
    tags = detail.tags
    if case .failed(_, let message) = row.health { error = message }
    if row.health == .gone { error = "the publisher has ended this feed" }
  }
}
