import Foundation
import Model
import Store
import TerminalKit

/// An episode as JSON: what is stored of its feed, and what the library knows about it. A shorter summary of the feed
/// is left out, and the measured duration replaces that of the feed. Times are in seconds. A key is absent if the feed
/// does not have it.
struct EpisodeJSON: Encodable {
  /// Its members are written beside the others. The summary is the longest text of the item, as it is in the feed
  /// (mostly HTML). The image is the podcast's if the episode has none.
  let feed: FeedEpisode
  let library: LibraryValues

  struct LibraryValues: Encodable {
    var id: Int64
    var podcast: String
    var podcastID: Int64
    /// The measured duration, or the feed's.
    var duration: Double?
    var status: EpisodeStatus
    var statusUpdated: Date?
    var playbackPosition: Double
    var positionUpdated: Date?
    var queued: Bool
    var downloadComplete: Bool
    var goneFromFeed: Bool
    var fileName: String?
    var tags: [String]
    /// The numbers of the playlists to which the listener has added it. Those of smart playlists are not among them.
    var playlists: [Int64]
    /// What rules did with it: “queued by rule Daily”.
    var rules: [String]
    /// The listener's note about the episode.
    var note: String?
    /// The listener's clips, bookmarks and skipped parts.
    var marks: [ClipJSON]?
  }

  init(_ detail: EpisodeDetail) {
    let row = detail.row
    var feed = detail.feed
    (feed.title, feed.summary, feed.duration) = (row.title, detail.notes, nil)
    feed.imageURL = feed.imageURL ?? detail.podcastImageURL
    self.feed = feed
    library = LibraryValues(
      id: row.id.rawValue, podcast: row.podcastTitle, podcastID: row.podcast.rawValue, duration: row.duration,
      status: row.status, statusUpdated: detail.statusUpdated, playbackPosition: row.position,
      positionUpdated: detail.positionUpdated, queued: row.isQueued, downloadComplete: row.isDownloaded,
      goneFromFeed: row.isGoneFromFeed, fileName: detail.fileName, tags: detail.tags,
      playlists: detail.playlists.map(\.rawValue),
      rules: detail.acts.map { "\($0.action.done) by rule \($0.rule)" },
      note: detail.marks.episodeNote, marks: Self.marks(of: detail))
  }

  private static func marks(of detail: EpisodeDetail) -> [ClipJSON]? {
    let marks = detail.marks.filter { $0.kind != .note }
    return marks.isEmpty ? nil : marks.map { ClipJSON($0, of: detail) }
  }

  func encode(to encoder: any Encoder) throws {
    try feed.encode(to: encoder)
    try library.encode(to: encoder)
  }

  /// Reads the episodes while they are written, because 150,000 with their texts would take too much memory.
  struct List: Encodable {
    let ids: [EpisodeID]
    let library: Library

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for portion in ids.portions {
        for episode in try library.episodes(portion) { try list.encode(EpisodeJSON(episode)) }
      }
    }
  }
}

extension Array {
  /// Parts that are small enough to be in memory at once.
  var portions: [ArraySlice<Element>] {
    stride(from: 0, to: count, by: 500).map { self[$0..<Swift.min(count, $0 + 500)] }
  }
}

/// Formats an episode as a line of text.
enum EpisodeLine {
  static func text(_ row: EpisodeRow) -> String {
    let day = row.pubDate.map { DayText.text($0) } ?? ""
    let duration = row.duration.map { TimeText.clock($0) } ?? ""
    let state =
      row.position > 0 && !row.status.isOver ? "at \(TimeText.clock(row.position))" : row.status.rawValue
    let id = String(row.id.rawValue).leftPadded(6)
    return "\(id)  \(day.leftPadded(11))  \(duration.leftPadded(8))  \(state.rightPadded(10))  "
      + "\(row.podcastTitle): \(row.title)"
  }
}
