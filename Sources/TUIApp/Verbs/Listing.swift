import Foundation
import Model
import TerminalKit

/// A podcast as the verbs print it.
struct PodcastJSON: Encodable {
  var id: Int64
  var title: String
  var feedURL: String
  var author: String?
  var episodes: Int
  var unplayed: Int
  var lastPubDate: Date?
  var error: String?

  init(_ row: PodcastRow) {
    id = row.id.rawValue
    title = row.title
    feedURL = row.feedURL
    author = row.author
    episodes = row.episodes
    unplayed = row.unplayed
    lastPubDate = row.lastPubDate
    if case .failed(_, let message) = row.health { error = message }
    if row.health == .gone { error = "the publisher has ended this feed" }
  }
}

/// An episode as the verbs print it. Times in seconds.
struct EpisodeJSON: Encodable {
  var id: Int64
  var podcast: String
  var title: String
  var guid: String?
  var mediaURL: String?
  var pubDate: Date?
  var duration: Double?
  var status: EpisodeStatus
  var playbackPosition: Double
  var queued: Bool
  var downloaded: Bool
  var goneFromFeed: Bool
  var fileName: String?
  var tags: [String]

  init(_ detail: EpisodeDetail) {
    let row = detail.row
    id = row.id.rawValue
    podcast = row.podcastTitle
    title = row.title
    guid = detail.feed.guid
    mediaURL = detail.feed.mediaURL
    pubDate = row.pubDate
    duration = row.duration
    status = row.status
    playbackPosition = row.position
    queued = row.isQueued
    downloaded = row.isDownloaded
    goneFromFeed = row.isGoneFromFeed
    fileName = detail.fileName
    tags = detail.tags
  }
}

/// An episode as a line of text.
enum EpisodeLine {
  static func text(_ row: EpisodeRow) -> String {
    let day = row.pubDate?.formatted(.iso8601.year().month().day()) ?? "          "
    let duration = row.duration.map { TimeText.clock($0) } ?? ""
    let state =
      row.position > 0 && row.status != .played ? "at \(TimeText.clock(row.position))" : row.status.rawValue
    let id = String(row.id.rawValue).leftPadded(6)
    return "\(id)  \(day)  \(duration.leftPadded(8))  \(state.padding(toLength: 10, withPad: " ", startingAt: 0))  "
      + "\(row.podcastTitle): \(row.title)"
  }
}
