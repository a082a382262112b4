import Foundation
import Model

/// Reads podliner's `library.json` (its `Library.cs`, schema 1). Times are in milliseconds. An episode counts as played
/// if it is marked as played, or was played up to the last 30 seconds.
///
/// Every member may be missing, as in podliner itself. One of another type counts as missing, so that one bad value
/// does not make the whole file unreadable.
enum PodlinerImport {
  static func read(_ path: String) throws(ImportError) -> ForeignLibrary {
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path: path, why: FileFailure.text(error))
    }
    guard let file = JSONValue(data) else { throw .damaged(path: path, detail: "not a library of podliner") }
    guard let feeds = file["Feeds"]?.array, let episodes = file["Episodes"]?.array else {
      throw .unknown(path: path, detail: "JSON of another program")
    }
    var podcasts = ForeignCollector<String>()
    for feed in feeds {
      guard let id = feed["Id"]?.string?.lowercased(), let url = feed["Url"]?.string, url.contains("://") else {
        continue
      }
      podcasts.add(id, ForeignPodcast(feedURL: url, title: feed["Title"]?.string))
    }
    let queued = (file["Queue"]?.array ?? []).compactMap(\.string)
    let queue = Dictionary(
      queued.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for episode in episodes {
      guard let feed = episode["FeedId"]?.string?.lowercased() else { continue }
      let queuePosition = episode["Id"]?.string.flatMap { queue[$0.lowercased()] }
      podcasts.add(foreign(episode, queuePosition: queuePosition), to: feed)
    }
    return ForeignLibrary(program: "podliner", podcasts: podcasts.all)
  }

  private static func foreign(_ episode: JSONValue, queuePosition: Int?) -> ForeignEpisode {
    let progress = episode["Progress"]
    let length = (episode["DurationMs"]?.number ?? 0) / 1000
    let position = max(0, (progress?["LastPosMs"]?.number ?? 0) / 1000)
    var result = ForeignEpisode(
      title: episode["Title"]?.string, guid: episode["RssGuid"]?.string, mediaURL: episode["AudioUrl"]?.string,
      pubDate: episode["PubDate"]?.string.flatMap(date), duration: length > 0 ? Int(exactly: length.rounded()) : nil,
      updated: progress?["LastPlayedAt"]?.string.flatMap(date), queuePosition: queuePosition,
      tags: episode["Saved"] == .bool(true) ? ["saved"] : [])
    if episode["ManuallyMarkedPlayed"] == .bool(true) || (length > 60 && position >= length - 30) {
      result.status = .played
    } else {
      result.begin(at: position)
    }
    return result
  }

  /// .NET writes up to seven fractional digits, which other parsers of ISO 8601 reject.
  private static func date(_ text: String) -> Date? {
    let whole = text.replacing(/\.[0-9]+/, with: "")
    return try? Date(whole, strategy: .iso8601)
  }
}
