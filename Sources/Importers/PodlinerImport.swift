import Foundation
import Model

/// Reads podliner's `library.json` (its `Library.cs`, schema 1). Times are in milliseconds. An episode counts as played
/// if it is marked as played, or was played up to the last 30 seconds.
enum PodlinerImport {
  /// Every key may be missing, as in podliner itself. The names in the file begin with a capital.
  private struct File: Decodable {
    var feeds: [Readable<Feed>]?
    var episodes: [Readable<Episode>]?
    var queue: [Readable<String>]?
  }
  private struct Feed: Decodable {
    @Readable var id: String?
    @Readable var title: String?
    @Readable var url: String?
  }
  private struct Episode: Decodable {
    struct Progress: Decodable {
      @Readable var lastPosMs: Double?
      @Readable var lastPlayedAt: String?
    }
    @Readable var id: String?
    @Readable var feedId: String?
    @Readable var audioUrl: String?
    @Readable var rssGuid: String?
    @Readable var title: String?
    @Readable var pubDate: String?
    @Readable var durationMs: Double?
    @Readable var saved: Bool?
    @Readable var manuallyMarkedPlayed: Bool?
    @Readable var progress: Progress?
  }

  static func read(_ path: String) throws(ImportError) -> ForeignLibrary {
    let file: File
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .custom { LowercasedKey(lowering: $0.last?.stringValue ?? "") }
      file = try decoder.decode(File.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch let error as CocoaError where error.code != .propertyListReadCorrupt && error.isFileError {
      throw .unreadable(path: path, why: FileFailure.text(error))
    } catch {
      throw .damaged(path: path, detail: "not a library of podliner")
    }
    guard let feeds = file.feeds, let episodes = file.episodes else {
      throw .unknown(path: path, detail: "JSON of another program")
    }
    var podcasts = ForeignCollector<String>()
    for feed in feeds.compactMap(\.wrappedValue) {
      guard let id = feed.id?.lowercased(), let url = feed.url, url.contains("://") else { continue }
      podcasts.add(id, ForeignPodcast(feedURL: url, title: feed.title))
    }
    let queued = (file.queue ?? []).compactMap(\.wrappedValue)
    let queue = Dictionary(
      queued.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for episode in episodes.compactMap(\.wrappedValue) {
      guard let feed = episode.feedId?.lowercased() else { continue }
      podcasts.add(foreign(episode, queuePosition: episode.id.flatMap { queue[$0.lowercased()] }), to: feed)
    }
    return ForeignLibrary(program: "podliner", podcasts: podcasts.all)
  }

  private static func foreign(_ episode: Episode, queuePosition: Int?) -> ForeignEpisode {
    let length = (episode.durationMs ?? 0) / 1000
    let position = max(0, (episode.progress?.lastPosMs ?? 0) / 1000)
    var result = ForeignEpisode(
      title: episode.title, guid: episode.rssGuid, mediaURL: episode.audioUrl, pubDate: episode.pubDate.flatMap(date),
      duration: length > 0 ? Int(exactly: length.rounded()) : nil,
      updated: episode.progress?.lastPlayedAt.flatMap(date),
      queuePosition: queuePosition, tags: episode.saved == true ? ["saved"] : [])
    if episode.manuallyMarkedPlayed == true || (length > 60 && position >= length - 30) {
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

/// A value that is nil if it is missing or of another type. So one bad value does not make the whole file unreadable.
@propertyWrapper
private struct Readable<Value: Decodable>: Decodable {
  var wrappedValue: Value?
  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
  init(from decoder: any Decoder) throws { wrappedValue = try? Value(from: decoder) }
}

extension KeyedDecodingContainer {
  /// Called by the decoding that the compiler makes.
  fileprivate func decode<Value>(_ type: Readable<Value>.Type, forKey key: Key) throws -> Readable<Value> {
    try decodeIfPresent(type, forKey: key) ?? Readable(wrappedValue: nil)
  }
}

/// A key of .NET's JSON, with the first letter in lower case.
private struct LowercasedKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(lowering text: String) { stringValue = text.prefix(1).lowercased() + text.dropFirst() }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension CocoaError {
  /// Whether the error is about the file itself, not its contents.
  fileprivate var isFileError: Bool { (256..<1024).contains(code.rawValue) }
}
