import Foundation
import Model

/// A podcast as JSON: everything that is stored of its feed, except passwords. A key is absent if the feed does not
/// have it. The keys are those of `earshot feed`.
struct PodcastJSON: Encodable {
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
  /// The publication date of the newest episode.
  var lastPubDate: Date?
  /// "episodic" or "serial".
  var type: String?
  var copyright: String?
  var generator: String?
  var explicit: Bool?
  var block: Bool?
  var locked: Bool?
  var newFeedURL: String?
  var nextPageURL: String?
  var firstPageURL: String?
  var paymentURL: String?
  var ownerName: String?
  var ownerEmail: String?
  var guid: String?
  var medium: String?
  var categories: [String]?
  var keywords: [String]?
  var funding: [Funding]?
  var persons: [Person]?
  var podroll: [RemoteItem]?
  var liveItems: [LiveItemJSON]?
  var trailers: [Trailer]?
  var updateFrequency: UpdateFrequency?
  var usesPodping: Bool
  var value: ValueBlock?
  var texts: [PurposeText]?
  /// The feed is not well-formed XML, or was cut off.
  var damaged: Bool
  var isCutOff: Bool
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
    (type, copyright, generator) = (feed.type, feed.copyright, feed.generator)
    (explicit, block, locked) = (feed.explicit, feed.block, feed.locked)
    (newFeedURL, nextPageURL, firstPageURL) = (feed.newFeedURL, feed.nextPageURL, feed.firstPageURL)
    (paymentURL, ownerName, ownerEmail) = (feed.paymentURL, feed.ownerName, feed.ownerEmail)
    (guid, medium) = (feed.guid, feed.medium)
    (categories, keywords) = (feed.categories.orNil, feed.keywords.orNil)
    (funding, persons, podroll) = (feed.funding.orNil, feed.persons.orNil, feed.podroll.orNil)
    (liveItems, trailers) = (feed.liveItems.map(LiveItemJSON.init).orNil, feed.trailers.orNil)
    (updateFrequency, value, texts) = (feed.updateFrequency, feed.value, feed.texts.orNil)
    (damaged, isCutOff, usesPodping) = (feed.damaged, feed.isCutOff, feed.usesPodping)
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

/// A live item.
struct LiveItemJSON: Encodable {
  /// "pending", "live" or "ended".
  var status: String
  var start: Date?
  var end: Date?
  var contentLinks: [String]?
  var title: String?
  var guid: String?
  var mediaURL: String?
  var mediaType: String?
  var summary: String?
  var link: String?
  var imageURL: String?
  var duration: Int?
  var pubDate: Date?
  var enclosures: [Enclosure]?
  var alternateEnclosures: [AlternateEnclosure]?
  var persons: [Person]?

  init(_ item: LiveItem) {
    (status, start, end, contentLinks) = (item.status, item.start, item.end, item.contentLinks.orNil)
    let feed = item.episode
    (title, guid, mediaURL, mediaType) = (feed.title, feed.guid, feed.mediaURL, feed.mediaType)
    (summary, link, imageURL) = (feed.contentHTML ?? feed.summary, feed.link, feed.imageURL)
    (duration, pubDate) = (feed.duration, feed.pubDate)
    (enclosures, alternateEnclosures) = (feed.enclosures.orNil, feed.alternateEnclosures.orNil)
    persons = feed.persons.orNil
  }
}

extension Array {
  /// Nil if the array is empty, so that its key is left out.
  var orNil: Self? { isEmpty ? nil : self }
}
