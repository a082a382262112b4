import Foundation
import Model

/// An episode as JSON: everything that is stored of its feed. Times are in seconds. A key is absent if the feed does
/// not have it. The keys are those of `earshot feed`.
struct EpisodeJSON: Encodable {
  var id: Int64
  var podcast: String
  var podcastID: Int64
  var title: String
  var guid: String?
  var mediaURL: String?
  var mediaType: String?
  var mediaBytes: Int64?
  /// The longest text of the item, as it is in the feed (mostly HTML).
  var summary: String?
  var contentHTML: String?
  var subtitle: String?
  var author: String?
  var link: String?
  /// The podcast's picture if the episode has none.
  var imageURL: String?
  var pubDate: Date?
  var updated: Date?
  var duration: Double?
  var season: Int?
  var seasonName: String?
  var episodeNumber: Int?
  /// The text that the feed wants to be shown instead of the number.
  var episodeDisplay: String?
  /// "full", "trailer" or "bonus".
  var episodeType: String?
  var explicit: Bool?
  var block: Bool?
  var paymentURL: String?
  var categories: [String]?
  var enclosures: [Enclosure]?
  var alternateEnclosures: [AlternateEnclosure]?
  var funding: [Funding]?
  var value: ValueBlock?
  var texts: [PurposeText]?
  /// The chapters in the feed itself. `chaptersURL` has others.
  var chapters: [Chapter]?
  var chaptersURL: String?
  var transcripts: [TranscriptLink]?
  var soundbites: [Soundbite]?
  var persons: [Person]?
  var status: EpisodeStatus
  var statusUpdated: Date?
  var playbackPosition: Double
  var positionUpdated: Date?
  var queued: Bool
  var downloadComplete: Bool
  var goneFromFeed: Bool
  var fileName: String?
  var tags: [String]

  init(_ detail: EpisodeDetail) {
    let (row, feed) = (detail.row, detail.feed)
    id = row.id.rawValue
    podcast = row.podcastTitle
    podcastID = row.podcast.rawValue
    title = row.title
    guid = feed.guid
    mediaURL = feed.mediaURL
    mediaType = feed.mediaType
    mediaBytes = feed.mediaBytes
    summary = detail.notes
    link = feed.link
    imageURL = feed.imageURL ?? detail.podcastImageURL
    pubDate = row.pubDate
    duration = row.duration
    season = feed.season
    episodeNumber = feed.episodeNumber
    (contentHTML, subtitle, author, updated) = (feed.contentHTML, feed.subtitle, feed.author, feed.updated)
    (seasonName, episodeDisplay, episodeType) = (feed.seasonName, feed.episodeDisplay, feed.episodeType)
    (explicit, block, paymentURL) = (feed.explicit, feed.block, feed.paymentURL)
    (categories, enclosures) = (feed.categories.orNil, feed.enclosures.orNil)
    alternateEnclosures = feed.alternateEnclosures.orNil
    (funding, value, texts) = (feed.funding.orNil, feed.value, feed.texts.orNil)
    chapters = feed.chapters.orNil
    chaptersURL = feed.chaptersURL
    transcripts = feed.transcripts.orNil
    soundbites = feed.soundbites.orNil
    persons = feed.persons.orNil
    status = row.status
    statusUpdated = detail.statusUpdated
    playbackPosition = row.position
    positionUpdated = detail.positionUpdated
    queued = row.isQueued
    downloadComplete = row.isDownloaded
    goneFromFeed = row.isGoneFromFeed
    fileName = detail.fileName
    tags = detail.tags
  }
}
