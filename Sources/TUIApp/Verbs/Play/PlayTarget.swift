import Foundation
import Model
import Services
import Store

/// An item for `earshot play`: an episode of the library, or any file or address. Its position is stored in both cases.
struct PlayTarget {
  /// The address for mpv.
  var address: String
  var title: String
  var podcast: String? { detail?.row.podcastTitle }
  var episode: EpisodeID? { detail?.id }
  /// The episode, if it is in the library.
  private(set) var detail: EpisodeDetail?
  var imageURL: String? { detail?.feed.imageURL ?? detail?.podcastImageURL }
  var pubDate: Date? { detail?.row.pubDate }
  /// The stored position, in seconds. `EpisodeStart` may choose another start for an episode.
  private(set) var position: Double
  /// A message for the listener.
  private(set) var notice: String?
  private let settingKey: String

  /// The prefix of settings with the positions of items outside of the library.
  private static let prefix = "place:"
  /// The maximum number of positions that are stored.
  private static let limit = 200

  /// If the text is both the path of a file and the name of an episode, the file is played.
  /// - Parameter playsPages: whether the sound of pages with a video is found.
  init(_ text: String, _ context: VerbContext, playsPages: Bool) throws {
    if let path = Self.file(text) {
      address = path
      title = (path as NSString).lastPathComponent
      settingKey = Self.prefix + path
      position = try Self.stored(settingKey, context.library)
      return
    }
    do {
      let detail = try context.episode(text)
      let address = try context.requiredMediaAddress(of: detail)
      guard playsPages || !detail.feed.isVideoPage(address) else {
        throw StoreError.invalid("“\(detail.row.title)” is \(VideoPage.cause): \(detail.feed.link ?? address)")
      }
      self.address = address
      title = detail.row.title
      self.detail = detail
      settingKey = ""
      position = detail.row.position
      notice = detail.streamingNotice(context.downloadFiles.state(of: detail))
    } catch StoreError.unknown(_) where Self.isAddress(text) {
      if !playsPages, VideoPage.isAddress(text) {
        throw StoreError.invalid("\(ShownAddress(text)): \(Sites.advice.reason)")
      }
      address = text
      title = Self.name(of: text)
      settingKey = Self.prefix + text
      position = try Self.stored(settingKey, context.library)
    } catch StoreError.unknown(_) {
      throw StoreError.unknown("episode \(text), and there is no such file")
    }
  }

  /// A live stream of a podcast, which has no position.
  var isLive: Bool { detail?.row.isLive == true }

  // MARK: The position

  /// What is written for a note. For files and addresses outside of the library only the position is, and at the end
  /// it is deleted, so that the next time starts from the beginning.
  func entry(_ note: ListeningNote, now: Date) -> ListeningRecorder.Entry? {
    if let episode { return .note(episode, note) }
    switch note {
    case .position(let seconds, _): return .setting(settingKey, "\(seconds) \(Int(now.timeIntervalSince1970))")
    case .ended: return .setting(settingKey, nil)
    default: return nil
    }
  }

  /// Deletes the oldest positions of files and addresses.
  static func deleteOldPositions(in library: Library) throws(StoreError) {
    let positions = try library.settings().filter { $0.key.hasPrefix(prefix) }
    guard positions.count > limit else { return }
    let oldest = positions.sorted { time($0.value) < time($1.value) }.prefix(positions.count - limit)
    for position in oldest { try library.setSetting(position.key, nil) }
  }

  private static func stored(_ key: String, _ library: Library) throws(StoreError) -> Double {
    guard let text = try library.setting(key), let seconds = text.split(separator: " ").first.flatMap({ Double($0) }),
      seconds.isFinite
    else { return 0 }
    return max(0, seconds)
  }

  private static func time(_ value: String) -> Double { value.split(separator: " ").last.flatMap { Double($0) } ?? 0 }

  // MARK: Parsing

  private static func file(_ text: String) -> String? {
    guard !text.isEmpty, !isAddress(text), FileManager.default.fileExists(atPath: text) else { return nil }
    return URL(fileURLWithPath: text).standardizedFileURL.path
  }

  private static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The last component of an address, readable.
  private static func name(of address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last.map(String.init) ?? address
    return name.removingPercentEncoding ?? name
  }
}
