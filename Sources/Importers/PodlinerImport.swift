import Foundation
import Model

/// podliner's `library.json` (its `Library.cs`, schema 1). Times are milliseconds. An episode counts as played when it
/// was marked so, or heard to within half a minute of its end.
enum PodlinerImport {
  /// Every key may be absent: podliner itself reads its file so.
  private struct File: Decodable {
    var Feeds: [Feed]?
    var Episodes: [Episode]?
    var Queue: [String]?
  }
  private struct Feed: Decodable {
    var Id: String?
    var Title: String?
    var Url: String?
  }
  private struct Episode: Decodable {
    struct Progress: Decodable {
      var LastPosMs: Double?
      var LastPlayedAt: String?
    }
    var Id: String?
    var FeedId: String?
    var AudioUrl: String?
    var RssGuid: String?
    var Title: String?
    var PubDate: String?
    var DurationMs: Double?
    var Saved: Bool?
    var ManuallyMarkedPlayed: Bool?
    var Progress: Progress?
  }

  static func read(_ path: String) throws(ImportError) -> ForeignLibrary {
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch let error as CocoaError where error.code != .propertyListReadCorrupt && error.isFileError {
      throw .unreadable(path: path, why: error.localizedDescription)
    } catch {
      throw .damaged(path: path, detail: "no library of podliner")
    }
    guard let feeds = file.Feeds, let episodes = file.Episodes else {
      throw .unknown(path: path, detail: "JSON of another program")
    }
    var podcasts = ForeignCollector<String>()
    for feed in feeds {
      guard let id = feed.Id?.lowercased(), let url = feed.Url, url.contains("://") else { continue }
      podcasts.add(id, ForeignPodcast(feedURL: url, title: feed.Title))
    }
    let places = Dictionary(
      (file.Queue ?? []).enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for episode in episodes {
      guard let feed = episode.FeedId?.lowercased() else { continue }
      podcasts.add(foreign(episode, place: episode.Id.flatMap { places[$0.lowercased()] }), to: feed)
    }
    return ForeignLibrary(program: "podliner", podcasts: podcasts.all)
  }

  private static func foreign(_ episode: Episode, place: Int?) -> ForeignEpisode {
    let length = (episode.DurationMs ?? 0) / 1000
    let position = max(0, (episode.Progress?.LastPosMs ?? 0) / 1000)
    var result = ForeignEpisode(
      title: episode.Title, guid: episode.RssGuid, mediaURL: episode.AudioUrl, pubDate: episode.PubDate.flatMap(date),
      duration: length > 0 ? Int(exactly: length.rounded()) : nil,
      updated: episode.Progress?.LastPlayedAt.flatMap(date),
      queuePosition: place, tags: episode.Saved == true ? ["saved"] : [])
    if episode.ManuallyMarkedPlayed == true || (length > 60 && position >= length - 30) {
      result.status = .played
    } else if position > 0, position.isFinite {
      (result.status, result.position) = (.paused, position)
    }
    return result
  }

  /// .NET writes up to seven digits of a second, which ISO 8601 readers elsewhere refuse.
  private static func date(_ text: String) -> Date? {
    let whole = text.replacing(/\.[0-9]+/, with: "")
    return try? Date(whole, strategy: .iso8601)
  }
}

extension CocoaError {
  /// Not what is in the file, but the file.
  fileprivate var isFileError: Bool { (256..<1024).contains(code.rawValue) }
}
