import Foundation
import Model
import Store
import TerminalKit

/// A clip, a bookmark, a skipped part or a note as JSON. Times are in seconds.
struct ClipJSON: Encodable {
  private let clip: Clip
  private let episodeTitle: String
  private let podcast: String
  /// The address of the episode's media with a media fragment for the clip.
  private let link: String?
  /// The range of bytes of the media that contains the clip, estimated from duration and size.
  private let bytes: ClosedRange<Int64>?

  init(_ clip: Clip, of detail: EpisodeDetail?) {
    self.clip = clip
    (episodeTitle, podcast) = (detail?.row.title ?? "", detail?.row.podcastTitle ?? "")
    link = detail.flatMap { clip.link(of: $0.feed.mediaURL) }
    bytes = detail.flatMap { clip.byteRange(mediaBytes: $0.feed.mediaBytes, duration: $0.row.duration) }
  }

  /// `clip`, `bookmark`, `skip` or `note`.
  private var kind: String { clip.isBookmark ? "bookmark" : clip.kind.rawValue }

  func encode(to encoder: any Encoder) throws {
    // To the millisecond, because the difference of two times is not exact.
    let duration = clip.duration.map { ($0 * 1000).rounded() / 1000 }
    let json: JSONObject = [
      "id": clip.id, "episode": clip.episode, "episodeTitle": episodeTitle, "podcast": podcast, "kind": kind,
      // A bookmark and a note about the episode have no end.
      "startTime": clip.startTime, "endTime": clip.endTime, "duration": duration, "title": clip.title,
      "note": clip.note, "dateCreated": clip.dateCreated, "clipURL": clip.clipURL, "userID": clip.userID,
      "tags": clip.tags, "link": link, "firstByte": bytes?.lowerBound, "lastByte": bytes?.upperBound,
    ]
    try json.encode(to: encoder)
  }

  /// Writes clips as the answer of a command.
  /// - Parameter none: said if there are none.
  static func answer(_ clips: [Clip], _ library: Library, _ output: JSONOption, none: String) throws {
    let all = try clips.map { ClipJSON($0, of: try library.episode($0.episode)) }
    if output.json { return try Report.json(all) }
    for clip in all { Report.line(clip.line) }
    if all.isEmpty { Report.message(none) }
  }

  /// Such as `     3  12:00–12:45 (45s)  A Podcast: An episode  “The best part”`.
  var line: String {
    let start = clip.startTime
    let end = clip.endTime.map { "–\(TimeText.clock($0)) (\(TimeText.short(TimeText.span(start, $0))))" }
    let times = kind == "note" ? "note" : TimeText.clock(start) + (end ?? "")
    let name = (clip.title.map { "  “\($0)”" } ?? "") + (clip.note.map { "  \(Sanitize.line($0))" } ?? "")
    return "\(clip.id.description.leftPadded(6))  \(times)  \(podcast): \(episodeTitle)\(name)"
  }
}

/// A playlist as JSON.
struct PlaylistJSON: Encodable {
  enum Item: Encodable {
    case episode(EpisodeJSON)
    case clip(ClipJSON)

    func encode(to encoder: any Encoder) throws {
      let object: JSONObject =
        switch self {
        case .episode(let episode): ["episode": episode]
        case .clip(let clip): ["clip": clip]
        }
      try object.encode(to: encoder)
    }
  }

  var id: Int64
  var title: String
  var slug: String?
  var url: String?
  var sharePermission: SharePermission
  /// Absent if nothing was ever added.
  var lastUpdated: Date?
  var isMyEpisodes: Bool
  var isMyClips: Bool
  /// The filter of a smart playlist.
  var filter: String?
  /// The number of items, also if they are not listed.
  var count: Int
  var items: [Item]?

  /// - Parameter withItems: lists the items, too.
  init(_ playlist: Playlist, in library: Library, withItems: Bool) throws {
    id = playlist.id.rawValue
    title = playlist.title
    slug = playlist.slug
    url = playlist.url
    sharePermission = playlist.sharePermission
    lastUpdated = playlist.lastUpdated.timeIntervalSince1970 > 0 ? playlist.lastUpdated : nil
    isMyEpisodes = playlist.isMyEpisodes
    isMyClips = playlist.isMyClips
    filter = playlist.filter
    let contents =
      playlist.isSmart
      ? try library.episodeIDs(EpisodeQuery(.playlist(playlist.id))).map { Playlist.Item.episode($0) } : playlist.items
    count = contents.count
    guard withItems else { return }
    items = try contents.compactMap { item in
      switch item {
      case .episode(let id): return try library.episode(id).map { .episode(EpisodeJSON($0)) }
      case .clip(let id):
        guard let clip = try library.clip(id) else { return nil }
        return .clip(ClipJSON(clip, of: try library.episode(clip.episode)))
      }
    }
  }
}
