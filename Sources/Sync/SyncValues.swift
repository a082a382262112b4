import Foundation
import Model

/// Identifies an episode on every device. At least one of `guid` and `mediaURL` is set.
public struct EpisodeReference: Sendable, Hashable {
  /// The feed's address, without user name and password.
  public var podcast: String
  public var guid: String?
  public var mediaURL: String?
  public init(podcast: String, guid: String?, mediaURL: String?) {
    self.podcast = podcast
    self.guid = guid
    self.mediaURL = mediaURL
  }
}

/// The state of an episode as one device reports it.
public struct EpisodeChange: Sendable, Equatable {
  public var episode: EpisodeReference
  public var mark: EpisodeMark
  /// When the state changed: seconds since 1970, shared (`SyncClock`).
  public var time: Double
  /// The position where the last playback started, in seconds. Nil if unknown.
  public var started: Double?
  /// The duration that the player measured, in seconds.
  public var total: Double?
  /// The device of the change. Nil if the server does not send it.
  public var device: String?
  /// How often this episode was sent before. Servers drop actions that look like repetitions.
  public var repeats = 0

  public init(
    episode: EpisodeReference, mark: EpisodeMark, time: Double, started: Double? = nil, total: Double? = nil,
    device: String? = nil, repeats: Int = 0
  ) {
    self.episode = episode
    self.mark = mark
    self.time = time
    self.started = started
    self.total = total
    self.device = device
    self.repeats = repeats
  }

  /// Whether the position can be one.
  public var isPossible: Bool { mark.position <= MediaTime.maximum }

  /// `total`, if it can be the duration of this episode, in seconds.
  public var possibleTotal: Double? {
    total.flatMap { $0 > 1 && $0 >= mark.position && $0 <= MediaTime.maximum ? $0 : nil }
  }

  /// The part that was played before `time`, in seconds: of no length if its start is unknown.
  public var played: ClosedRange<Double> {
    let start = started.map { $0.isFinite ? max(0, $0) : mark.position } ?? mark.position
    return min(start, mark.position)...mark.position
  }

  /// Whether this is the newer of two changes to the same episode.
  public func supersedes(_ other: EpisodeChange) -> Bool {
    time != other.time ? time > other.time : mark.outranks(other.mark)
  }
}

/// Whether a podcast is subscribed, as a device or a server reports it.
public struct SubscriptionChange: Sendable, Equatable {
  /// The feed's address, without user name and password.
  public var url: String
  public var isSubscribed: Bool
  /// Seconds since 1970, shared. Nil if the server stores no time.
  public var time: Double?
  public var device: String?
  public var title: String?
  /// The podcast is only on the server's list of another device. Such a list may be old, so it adds only podcasts that
  /// this library has never seen there.
  public var isElsewhere = false
  public init(
    url: String, isSubscribed: Bool, time: Double? = nil, device: String? = nil, title: String? = nil
  ) {
    self.url = url
    self.isSubscribed = isSubscribed
    self.time = time
    self.device = device
    self.title = title
  }
}

/// One value of the queue, playlists, clips, tags or settings: JSON with a key. docs/SYNC.md lists the keys and
/// values.
public struct RegisterChange: Sendable, Equatable {
  public var key: String
  /// JSON. Nil: removed.
  public var value: String?
  /// Seconds since 1970, shared.
  public var time: Double
  public var device: String?
  public init(key: String, value: String?, time: Double, device: String? = nil) {
    self.key = key
    self.value = value
    self.time = time
    self.device = device
  }
}

/// The value of a register. Nil means removed, which is a value too.
public struct RegisterValue: SyncComparable {
  public var json: String?
  public init(_ json: String?) { self.json = json }
  public func outranks(_ other: RegisterValue) -> Bool {
    switch (json, other.json) {
    case (let mine?, let other?): mine > other
    // On a conflict, a value wins over a removal.
    case (.some, nil): true
    case (nil, _): false
    }
  }
}
