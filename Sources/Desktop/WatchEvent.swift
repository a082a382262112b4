import Foundation
import Model

/// Something that happened in the player or in the library, for `earshot ctl watch` and hooks. docs/HOOKS.md documents
/// the JSON for other programs, so names and meanings stay. Times are in seconds.
public struct WatchEvent: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The first line of `watch`: what is playing now.
    case state
    case playing, paused, stopped
    /// Only if a watcher asked for it.
    case position
    case seek, chapter
    /// An episode was heard to its end.
    case finished
    case queue, downloaded
    case newEpisodes = "new-episodes"
    /// A rule with the action `notify` has found episodes.
    case notify
    case sync, quit
  }

  public struct Episode: Codable, Sendable, Equatable {
    public var id: Int64
    public var title: String
    public var podcast: String
    /// The address of the media, without passwords and keys.
    public var url: String?
    /// The downloaded file.
    public var file: String?
    public var duration: Double?

    public init(
      id: EpisodeID, title: String, podcast: String, url: ShownAddress? = nil, file: String? = nil,
      duration: Double? = nil
    ) {
      (self.id, self.title, self.podcast) = (id.rawValue, title, podcast)
      (self.url, self.file, self.duration) = (url?.description, file, duration)
    }
  }

  public var event: Kind
  public var time: String
  /// What is playing. Absent for events of the library.
  public var status: PlayerStatus?
  /// For `seek`: where it began.
  public var from: Double?
  /// For `finished` and `downloaded`.
  public var episode: Episode?
  /// For `new-episodes` and `notify`.
  public private(set) var episodes: [Episode]?
  /// The number of episodes in the queue, of new ones, or of those that a rule has found.
  public var count: Int?
  /// The rules of `notify`, or the error of `sync`.
  public var text: String?

  public init(_ event: Kind, status: PlayerStatus? = nil) {
    self.event = event
    time = Date().formatted(.iso8601)
    self.status = status
  }

  /// The events between two states of the player.
  public static func changes(from before: NowPlaying, to now: NowPlaying) -> [WatchEvent] {
    var events: [WatchEvent] = []
    func add(_ kind: Kind, _ edit: (inout WatchEvent) -> Void = { _ in }) {
      var event = WatchEvent(kind, status: PlayerStatus(now))
      edit(&event)
      events.append(event)
    }
    let isOther = now.generation != before.generation
    switch now.status {
    case .playing: if before.status != .playing || isOther { add(.playing) }
    case .paused: if before.status != .paused || isOther { add(.paused) }
    case .stopped: if before.status != .stopped { add(.stopped) }
    case .loading: break
    }
    if now.seeks != before.seeks, !isOther { add(.seek) { $0.from = PlayerStatus(before).position } }
    if now.chapter != before.chapter, now.chapter != nil, now.status != .loading { add(.chapter) }
    if now.queue != before.queue || now.queued != before.queued { add(.queue) { $0.count = now.queued } }
    return events
  }

  /// One line for people: `playing  A show: A title  1:23/10:00`.
  public var line: String {
    var parts = [event.rawValue]
    if let status {
      if let title = status.title { parts.append((status.podcast.map { "\($0): " } ?? "") + title) }
      if event == .chapter, let chapter = status.chapter { parts.append(chapter) }
      if status.title != nil {
        let duration = status.duration.map { "/\(TimeText.clock($0))" } ?? ""
        parts.append((from.map { "\(TimeText.clock($0)) → " } ?? "") + TimeText.clock(status.position) + duration)
      }
    }
    if let episode { parts.append("\(episode.podcast): \(episode.title)") }
    if let count { parts.append(String(count)) }
    if let text { parts.append(text) }
    for episode in episodes ?? [] { parts.append("\(episode.podcast): \(episode.title)") }
    return parts.joined(separator: "  ")
  }

  /// Lists the first of these episodes: at most 100, and not more than fits into the buffer of a socket, because a
  /// watcher to which a line cannot be written at once is cut off.
  public mutating func list(_ episodes: some Sequence<Episode>) {
    var list: [Episode] = []
    var bytes = 0
    for episode in episodes.prefix(100) {
      bytes += [episode.title, episode.podcast, episode.url ?? "", episode.file ?? ""].reduce(0) { $0 + $1.utf8.count }
      guard bytes <= 64_000 else { break }
      list.append(episode)
    }
    self.episodes = list
  }
}
