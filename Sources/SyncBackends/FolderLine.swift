import Foundation
import Model
import Sync

/// A line of a file in the folder.
struct FolderLine {
  var json: JSONValue
  /// The device that wrote the file.
  var device: String

  /// Seconds since 1970. Nil if there is no time; then the line is ignored.
  private var time: Double? {
    let latest = Date().timeIntervalSince1970 + SyncClock.maxClockFuture
    return json["time"]?.number.flatMap { $0 > 0 && $0 <= latest ? $0 : nil }
  }

  var subscription: SubscriptionChange? {
    guard let url = json["podcast"]?.string, let isSubscribed = json["subscribed"]?.bool, let time,
      SyncAddress.sent(url) != nil
    else { return nil }
    return SubscriptionChange(
      url: url, isSubscribed: isSubscribed, time: time, device: device, title: json["title"]?.string)
  }

  var episode: EpisodeChange? {
    guard let podcast = json["podcast"]?.string, let time, let name = json["status"]?.string,
      let status = EpisodeStatus(rawValue: name), status != .playing
    else { return nil }
    let reference = EpisodeReference(
      podcast: podcast, guid: json["guid"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      mediaURL: json["media"]?.string.flatMap { $0.isEmpty ? nil : $0 })
    guard reference.guid != nil || reference.mediaURL != nil else { return nil }
    let mark = EpisodeMark(status, position: json["position"]?.number ?? 0, isWhole: false)
    return EpisodeChange(
      episode: reference, mark: mark, time: time, started: json["started"]?.number, total: json["total"]?.number,
      device: device)
  }

  var register: RegisterChange? {
    guard let key = json["key"]?.string, !key.isEmpty, key.utf8.count < 10_000, let time, let value = json["value"]
    else { return nil }
    return RegisterChange(key: key, value: value == .null ? nil : value.text, time: time, device: device)
  }

  static func json(_ change: SubscriptionChange) -> JSONValue {
    var members: [String: JSONValue] = [
      "podcast": .string(change.url), "subscribed": .bool(change.isSubscribed), "time": time(change.time ?? 0),
    ]
    members["title"] = change.title.map { .string($0) }
    return .object(members)
  }

  static func json(_ change: EpisodeChange) -> JSONValue {
    var members: [String: JSONValue] = [
      "podcast": .string(change.episode.podcast), "time": time(change.time),
      "status": .string(change.mark.status.rawValue),
    ]
    if change.mark.position > 0 { members["position"] = .number(change.mark.position) }
    members["guid"] = change.episode.guid.map { .string($0) }
    members["media"] = change.episode.mediaURL.map { .string($0) }
    members["started"] = change.started.map { .number(($0 * 1000).rounded() / 1000) }
    members["total"] = change.total.map { .number(($0 * 1000).rounded() / 1000) }
    return .object(members)
  }

  static func json(_ change: RegisterChange) -> JSONValue {
    .object([
      "key": .string(change.key), "time": time(change.time),
      "value": change.value.flatMap { JSONValue($0) } ?? .null,
    ])
  }

  private static func time(_ seconds: Double) -> JSONValue { .number((seconds * 1000).rounded() / 1000) }

  /// The key of what the line describes. The newest line with a key replaces the older ones.
  var identity: String? {
    if let subscription { return subscription.url }
    if let episode = episode?.episode {
      // Two episodes may have the same file, or the same guid.
      return [episode.podcast, episode.guid ?? "", episode.mediaURL ?? ""].joined(separator: "\n")
    }
    return register?.key
  }

  var order: Double { time ?? 0 }
}

/// The names and limits of a folder: `earshot-sync/DEVICE/CATEGORY.NNNNNN.jsonl`. docs/SYNC.md describes them.
public enum FolderFormat {
  public static let root = "earshot-sync"
  /// The file that tells whose directory it is.
  public static let about = "device.json"
  /// The maximum size of a file in bytes. Larger files are not read.
  public static let maxBytes = 64_000_000
  public static let tooLarge = "it is not read, because it is larger than \(maxBytes / 1_000_000) MB"
  /// How many devices, and how many files of one category of a device, are read.
  static let (maxDevices, maxFiles) = (500, 1000)

  /// What a file with this name contains. Nil: it is no file of the format.
  public static func category(of name: String) -> SyncCategory? {
    name.hasSuffix(".jsonl") ? SyncCategory.allCases.first { name.hasPrefix($0.rawValue + ".") } : nil
  }
}
