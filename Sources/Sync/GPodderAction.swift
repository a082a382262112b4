import Foundation

/// An episode action of the gpodder API, which servers and other players read and write. Times in seconds.
/// Source: https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html
public struct GPodderAction: Sendable, Equatable {
  public enum Kind: String, Sendable { case play, download, delete, new }

  public var podcast: String
  public var episode: String
  public var guid: String?
  public var device: String?
  public var kind: Kind
  /// Seconds since 1970. Nil if the server does not send it.
  public var timestamp: Double?
  public var started: Int?
  public var position: Int?
  public var total: Int?

  public init(
    podcast: String, episode: String, guid: String? = nil, device: String? = nil, kind: Kind, timestamp: Double?,
    started: Int? = nil, position: Int? = nil, total: Int? = nil
  ) {
    self.podcast = podcast
    self.episode = episode
    self.guid = guid
    self.device = device
    self.kind = kind
    self.timestamp = timestamp
    self.started = started
    self.position = position
    self.total = total
  }
}

/// Converts between `EpisodeChange` and actions.
///
/// Servers handle `play` best: Nextcloud keeps nothing else, and mygpo takes only one `new` and one `delete` per
/// episode and device. So every state is (also) sent as a `play`: played has the position at the end, new has
/// position 0, and deleted has a `started` that lies `deletedStart` beyond the end, which no other player sends.
/// `started` also varies between repetitions, because mygpo drops a `play` if it has one with the same `started` and
/// `position`. Players use only `position` and `total`.
extension GPodderAction {
  static let deletedStart = 1_000_000
  /// The time for actions without a time. gpodder-fastapi-router sends such actions again and again. If they counted
  /// as new, each pull would undo what the listener has done since.
  static let unknownTime = SyncClock.unknownTime

  /// - Parameters:
  ///   - device: the id of this device, if the server keeps devices.
  ///   - playsOnly: the server stores no other kinds of action.
  public static func actions(for change: EpisodeChange, device: String?, playsOnly: Bool) -> [GPodderAction] {
    guard let url = change.episode.mediaURL else { return [] }
    func action(_ kind: Kind, _ started: Int?, _ position: Int?, _ total: Int?) -> GPodderAction {
      GPodderAction(
        podcast: change.episode.podcast, episode: url, guid: change.episode.guid, device: device, kind: kind,
        timestamp: change.time, started: started, position: position, total: total)
    }
    let position = Self.whole(change.mark.position)
    let total = change.total.map(Self.whole) ?? 0
    let repeats = max(0, change.repeats)
    switch change.mark.status {
    case .playing, .paused:
      // Above the position it stands for an unknown start.
      var started = position + repeats % deletedStart
      if let known = change.started, known >= 0, Self.whole(known) < position { started = Self.whole(known) }
      // If the file is longer than expected, the total is left out, so that the episode does not look played. Then
      // AntennaPod ignores the position. But a total that is made up would become the episode's duration in gPodder.
      let total = total > position ? total : 0
      return [action(.play, started, position, total)]
    case .played:
      let end = max(1, total)
      return [action(.play, max(0, end - repeats % 600), end, end)]
    case .new:
      let play = action(.play, repeats, 0, max(1, total))
      return playsOnly ? [play] : [action(.new, nil, nil, nil), play]
    case .deleted:
      let total = max(1, total)
      let play = action(.play, total + deletedStart + repeats % 1000, position, total)
      return playsOnly ? [play] : [action(.delete, nil, nil, nil), play]
    }
  }

  /// The change that the action describes. Nil if it does not describe the listening state: `download` and `delete` are
  /// about the file on one device.
  public var change: EpisodeChange? {
    let mark: EpisodeMark
    switch kind {
    case .download, .delete: return nil
    case .new: mark = EpisodeMark(.new, position: 0, isWhole: true)
    case .play:
      guard let position, position >= 0 else { return nil }
      let total = total ?? 0
      // Some players send this when they have not played the episode. Earshot sends a total of at least 1 with a reset.
      guard position > 0 || total > 0 else { return nil }
      if total > 0, let started, started >= total + Self.deletedStart {
        mark = EpisodeMark(.deleted, position: Double(position), isWhole: true)
      } else if total > 0, position >= total {
        mark = EpisodeMark(.played, position: 0, isWhole: true)
      } else if position == 0 {
        mark = EpisodeMark(.new, position: 0, isWhole: true)
      } else {
        mark = EpisodeMark(.paused, position: Double(position), isWhole: true)
      }
    }
    let reference = EpisodeReference(podcast: podcast, guid: guid.flatMap(Self.usable), mediaURL: episode)
    var change = EpisodeChange(episode: reference, mark: mark, time: timestamp ?? Self.unknownTime, device: device)
    if kind == .play {
      change.started = started.flatMap { $0 >= 0 && $0 <= (position ?? 0) ? Double($0) : nil }
      change.total = total.flatMap { $0 > 0 ? Double($0) : nil }
    }
    return change
  }

  /// Some clients send "null" or an empty text instead of no guid.
  private static func usable(_ guid: String) -> String? { guid.isEmpty || guid == "null" ? nil : guid }

  /// Whole seconds, limited to 32 bits, because clients and servers store no more.
  private static func whole(_ seconds: Double) -> Int {
    seconds.isFinite ? Int(min(max(0, seconds.rounded()), 1_000_000_000)) : 0
  }
}
