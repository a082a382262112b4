import Foundation
import Model

/// An episode as the verbs print it. Times in seconds.
struct EpisodeJSON: Encodable {
  var id: Int64
  var podcast: String
  var podcastID: Int64
  var title: String
  var guid: String?
  var mediaURL: String?
  var mediaType: String?
  var mediaBytes: Int64?
  /// As the feed has it, mostly HTML.
  var summary: String?
  var link: String?
  /// The podcast's, where the episode has none.
  var imageURL: String?
  var pubDate: Date?
  var duration: Double?
  var season: Int?
  var episodeNumber: Int?
  /// Those of the feed itself, and where others are.
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
    chapters = Self.some(feed.chapters)
    chaptersURL = feed.chaptersURL
    transcripts = Self.some(feed.transcripts)
    soundbites = Self.some(feed.soundbites)
    persons = Self.some(feed.persons)
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

  private static func some<Part>(_ parts: [Part]) -> [Part]? { parts.isEmpty ? nil : parts }
}
