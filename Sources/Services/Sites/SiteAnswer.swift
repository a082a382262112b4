import Directories
import Foundation
import HTTP
import Model

/// yt-dlp's description of a page, as JSON: a video, or a list of videos. All of it comes from the site, so nothing of
/// it is believed: addresses are http or https, texts and lists have limits.
package struct SiteAnswer: Sendable, Equatable {
  /// The list, or the channel of the video.
  package var podcast = FeedPodcast()
  /// The videos, in the order of the site. If the page is a video: this one.
  package var episodes: [FeedEpisode] = []
  package var isVideo: Bool
  /// The feed that the site has for it.
  package var feedURL: String?
  /// The file with the sound, or why there is none.
  package var file: Result<PageFile, PageFailure>

  private static let episodeLimit = 10_000
  private static let chapterLimit = 2_000

  init(_ json: JSONValue, at page: WebAddress) {
    let entries = Self.entries(json["entries"], depth: 0)
    isVideo = json["entries"]?.array == nil
    let author = json["channel"]?.line ?? json["uploader"]?.line
    podcast.title = (isVideo ? author : nil) ?? json["title"]?.line ?? author ?? page.host
    podcast.iTunesAuthor = author
    podcast.link = json[isVideo ? "channel_url" : "webpage_url"]?.address ?? page.text
    if !isVideo {
      podcast.summary = json["description"]?.longText
      podcast.imageURL = Self.picture(json)
    }
    episodes = isVideo ? [Self.episode(json, at: page)].compactMap { $0 } : entries.compactMap { Self.episode($0) }
    feedURL = Self.feedOfYouTube(json, isVideo: isVideo)
    file = Self.file(json, at: page)
  }

  /// The videos of a list. The list of a channel may have lists of its own.
  private static func entries(_ json: JSONValue?, depth: Int) -> [JSONValue] {
    var found: [JSONValue] = []
    for entry in json?.array ?? [] where found.count < episodeLimit {
      if entry["entries"]?.array == nil {
        found.append(entry)
      } else if depth < 3 {
        found += entries(entry["entries"], depth: depth + 1)
      }
    }
    return Array(found.prefix(episodeLimit))
  }

  // MARK: One video

  /// - Parameter page: the address that was asked; nil for an entry of a list, which has its own.
  private static func episode(_ json: JSONValue, at page: WebAddress? = nil) -> FeedEpisode? {
    let site = (json["ie_key"]?.line ?? json["extractor_key"]?.line ?? json["extractor"]?.line ?? "").lowercased()
    // An entry without these is a list.
    guard !site.hasSuffix("tab"), !site.hasSuffix("playlist"), !site.hasSuffix("channel") else { return nil }
    let title = json["title"]?.line
    guard title != "[Private video]", title != "[Deleted video]" else { return nil }
    let id = json["id"]?.id
    guard let address = json["webpage_url"]?.address ?? (page == nil ? json["url"]?.address : page?.text) else {
      return nil
    }
    var episode = FeedEpisode()
    episode.title = title
    episode.mediaURL = address
    episode.mediaType = VideoPage.mediaType
    episode.link = address
    if site == "youtube", let id, id.wholeMatch(of: /[\w-]{6,20}/) != nil {
      // As in the site's own feeds.
      episode.guid = "yt:video:\(id)"
      episode.mediaURL = "https://www.youtube.com/v/\(id)?version=3"
    } else {
      episode.guid = id.map { "\(site):\($0)" } ?? address
    }
    episode.duration = json["duration"]?.number.flatMap { (1..<1e6).contains($0) ? Int($0.rounded()) : nil }
    episode.summary = json["description"]?.longText
    episode.author = json["channel"]?.line ?? json["uploader"]?.line
    episode.pubDate =
      json["timestamp"]?.unixTime ?? json["release_timestamp"]?.unixTime ?? day(json["upload_date"]?.line)
    episode.imageURL = picture(json)
    episode.chapters = chapters(json["chapters"])
    return episode
  }

  private static func chapters(_ json: JSONValue?) -> [Chapter] {
    (json?.array ?? []).prefix(chapterLimit).compactMap { chapter in
      guard let start = chapter["start_time"]?.number, (0..<1e6).contains(start) else { return nil }
      return Chapter(start: start, title: chapter["title"]?.line)
    }.sorted { $0.start < $1.start }
  }

  /// The last picture of a list is the largest.
  private static func picture(_ json: JSONValue) -> String? {
    json["thumbnail"]?.address
      ?? json["thumbnails"]?.array?.suffix(50).reversed().lazy.compactMap { $0["url"]?.address }.first
  }

  /// A day as `20261127`.
  private static func day(_ text: String?) -> Date? {
    guard let text, let match = text.wholeMatch(of: /(\d{4})(\d\d)(\d\d)/) else { return nil }
    return try? Date("\(match.1)-\(match.2)-\(match.3)T00:00:00Z", strategy: .iso8601)
  }

  // MARK: Its file

  private static func file(_ json: JSONValue, at page: WebAddress) -> Result<PageFile, PageFailure> {
    if json["live_status"]?.line == "is_upcoming" {
      return .failure(PageFailure("it has not begun" + (begin(json).map { ": live in \($0)" } ?? "")))
    }
    guard let text = json["url"]?.address, let address = try? WebAddress(text) else {
      return .failure(PageFailure("it has no sound that can be played"))
    }
    guard !(json["protocol"]?.line ?? "").contains("dash") else {
      return .failure(PageFailure("its sound comes only in pieces (DASH), which Earshot cannot join"))
    }
    // As yt-dlp spells them.
    let allowed = ["User-Agent", "Referer", "Origin", "Accept", "Accept-Language"]
    var headers: [String: String] = [:]
    for name in allowed { headers[name] = json["http_headers"]?[name]?.line }
    return .success(PageFile(address: address, headers: headers))
  }

  private static func begin(_ json: JSONValue) -> String? {
    guard let start = json["release_timestamp"]?.unixTime, let now = json["epoch"]?.unixTime, start > now else {
      return nil
    }
    let minutes = Int((start.timeIntervalSince(now) / 60).rounded(.up))
    return minutes < 120 ? "\(minutes) min" : minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
  }

  // MARK: YouTube

  private static func feedOfYouTube(_ json: JSONValue, isVideo: Bool) -> String? {
    guard (json["extractor_key"]?.line ?? json["extractor"]?.line ?? "").lowercased().hasPrefix("youtube") else {
      return nil
    }
    let id = json["id"]?.id ?? ""
    if !isVideo, id.wholeMatch(of: /(?:PL|OL|FL|UU)[\w-]{8,60}/) != nil {
      return "\(feeds)?playlist_id=\(id)"
    }
    let channel =
      isVideo ? json["channel_id"]?.id : [json["channel_id"]?.id, id].compactMap { $0 }.first(where: isChannel)
    return channel.flatMap { isChannel($0) ? "\(feeds)?channel_id=\($0)" : nil }
  }

  private static func isChannel(_ id: String) -> Bool { id.wholeMatch(of: /UC[\w-]{10,40}/) != nil }

  private static let feeds = "https://www.youtube.com/feeds/videos.xml"

  /// The page with all videos of a feed of YouTube, which has only the newest 15. Nil for other feeds.
  package static func list(ofFeed feedURL: String) -> String? {
    guard let parts = URLComponents(string: feedURL), parts.path == "/feeds/videos.xml",
      ["youtube.com", "www.youtube.com"].contains(parts.host?.lowercased())
    else { return nil }
    let query = { (name: String) in parts.queryItems?.first { $0.name == name }?.value }
    let list = query("playlist_id") ?? query("channel_id").flatMap { isChannel($0) ? "UU" + $0.dropFirst(2) : nil }
    guard let list, list.wholeMatch(of: /[\w-]{10,60}/) != nil else { return nil }
    return "https://www.youtube.com/playlist?list=\(list)"
  }
}

extension FeedEpisode {
  /// The episode, with what `other` knows and this one does not. Lists of sites have only a few values of each video.
  func filled(by other: FeedEpisode) -> FeedEpisode {
    var filled = self
    filled.summary = summary ?? other.summary
    filled.duration = duration ?? other.duration
    filled.imageURL = imageURL ?? other.imageURL
    filled.author = author ?? other.author
    filled.pubDate = pubDate ?? other.pubDate
    if chapters.isEmpty { filled.chapters = other.chapters }
    return filled
  }
}
