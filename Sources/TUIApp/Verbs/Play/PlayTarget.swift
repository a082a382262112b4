import AppCore
import Foundation
import Model
import Services
import Store

/// What `earshot play` plays: an episode of the library, or any file or address. Keeps its place either way.
struct PlayTarget {
  /// What mpv is given.
  var address: String
  var title: String
  var podcast: String?
  var episode: EpisodeID? { detail?.id }
  /// Of an episode of the library.
  private(set) var detail: EpisodeDetail?
  var imageURL: String?
  var pubDate: Date?
  /// Seconds: where it was left. Of an episode, `EpisodeStart` says more.
  private(set) var place: Double
  /// Something that the listener should know.
  private(set) var notice: String?
  private let placeKey: String

  /// Settings that hold places of what is not in the library: a prefix, and what is played.
  private static let prefix = "place:"
  /// So many are remembered.
  private static let limit = 200

  /// A file by its path wins over an episode of that name.
  init(_ text: String, _ context: VerbContext) throws {
    if let path = Self.file(text) {
      address = path
      title = (path as NSString).lastPathComponent
      placeKey = Self.prefix + path
      place = try Self.stored(placeKey, context.library)
      return
    }
    do {
      let detail = try context.episode(text)
      guard let address = context.mediaAddress(of: detail) else {
        throw StoreError.invalid("The feed names no audio for “\(detail.row.title)”.")
      }
      self.address = address
      title = detail.row.title
      podcast = detail.row.podcastTitle
      self.detail = detail
      imageURL = detail.feed.imageURL ?? detail.podcastImageURL
      pubDate = detail.row.pubDate
      placeKey = ""
      place = detail.row.position
      if detail.row.isDownloaded, !address.hasPrefix("/") { notice = detail.absentFileNotice }
    } catch StoreError.unknown(_) where Self.isAddress(text) {
      address = text
      title = Self.name(of: text)
      placeKey = Self.prefix + text
      place = try Self.stored(placeKey, context.library)
    } catch StoreError.unknown(_) {
      throw StoreError.unknown("episode \(text), and there is no such file")
    }
  }

  // MARK: The place

  /// Where the listener is; noted every second.
  func place(at seconds: Double, total: Double?, now: Date) -> ListeningRecorder.Note {
    if let episode { return .position(episode, seconds: seconds, total: total) }
    return .setting(placeKey, "\(seconds) \(Int(now.timeIntervalSince1970))")
  }

  /// Sound has come.
  var begun: ListeningRecorder.Note? {
    episode.map { .setting(Setting.lastPlayed.rawValue, $0.description) }
  }

  /// Heard to its end: an episode is played, a file starts over the next time.
  var finished: [ListeningRecorder.Note] {
    guard let episode else { return [.setting(placeKey, nil)] }
    return [.status(episode, .played), .dequeue(episode)]
  }

  /// Forgets the oldest places of files and addresses.
  static func tidy(_ library: Library) throws(StoreError) {
    let places = try library.settings().filter { $0.key.hasPrefix(prefix) }
    guard places.count > limit else { return }
    let oldest = places.sorted { time($0.value) < time($1.value) }.prefix(places.count - limit)
    for place in oldest { try library.setSetting(place.key, nil) }
  }

  private static func stored(_ key: String, _ library: Library) throws(StoreError) -> Double {
    guard let text = try library.setting(key), let seconds = text.split(separator: " ").first.flatMap({ Double($0) }),
      seconds.isFinite
    else { return 0 }
    return max(0, seconds)
  }

  private static func time(_ value: String) -> Double { value.split(separator: " ").last.flatMap { Double($0) } ?? 0 }

  // MARK: What is meant

  private static func file(_ text: String) -> String? {
    guard !text.isEmpty, !isAddress(text), FileManager.default.fileExists(atPath: text) else { return nil }
    return URL(fileURLWithPath: text).standardizedFileURL.path
  }

  private static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The last part of an address, readable.
  private static func name(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last.map(String.init) ?? address
    return name.removingPercentEncoding ?? name
  }
}
