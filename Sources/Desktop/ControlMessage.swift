import Foundation
import Model

/// A request of `earshot ctl`: one line of JSON. The answer is one line, too.
struct ControlRequest: Codable, Equatable, Sendable {
  enum Verb: String, Codable, Sendable {
    case play, pause, toggle, stop, next, previous, seek, seekBy, speed, volume, quit, status, watch
    case playEpisode, enqueue, enqueueNext, sleep, chapter, nextChapter, previousChapter, clipStart, clipEnd, bookmark
  }
  var verb: Verb
  /// Seconds, a factor, percent, or the number of a chapter. For `watch`: seconds between two positions.
  var value: Double?
  /// A time for the sleep timer, or the title of a clip.
  var text: String?
  /// Ids of episodes in the library.
  var episodes: [Int64]?

  init(verb: Verb, value: Double? = nil, text: String? = nil, episodes: [EpisodeID]? = nil) {
    self.verb = verb
    self.value = value
    self.text = text
    self.episodes = episodes?.map(\.rawValue)
  }

  init(_ command: RemoteCommand) {
    switch command {
    case .play: self.init(verb: .play)
    case .pause: self.init(verb: .pause)
    case .toggle: self.init(verb: .toggle)
    case .stop: self.init(verb: .stop)
    case .next: self.init(verb: .next)
    case .previous: self.init(verb: .previous)
    case .seek(let second): self.init(verb: .seek, value: second)
    case .seekBy(let delta): self.init(verb: .seekBy, value: delta)
    case .speed(let speed): self.init(verb: .speed, value: speed)
    case .volume(let percent): self.init(verb: .volume, value: percent)
    case .quit: self.init(verb: .quit)
    case .playEpisode(let id): self.init(verb: .playEpisode, episodes: [id])
    case .enqueue(let ids, let next): self.init(verb: next ? .enqueueNext : .enqueue, episodes: ids)
    case .sleep(let text): self.init(verb: .sleep, text: text)
    case .chapter(.next): self.init(verb: .nextChapter)
    case .chapter(.previous): self.init(verb: .previousChapter)
    case .chapter(.number(let number)): self.init(verb: .chapter, value: Double(number))
    case .clipStart: self.init(verb: .clipStart)
    case .clipEnd(let title): self.init(verb: .clipEnd, text: title)
    case .bookmark(let title): self.init(verb: .bookmark, text: title)
    }
  }

  /// Nil for `status` and `watch`, and for a request with a missing value.
  var command: RemoteCommand? {
    let ids = episodes?.map { EpisodeID($0) }
    let number = value.flatMap { $0.isFinite ? $0 : nil }
    return switch verb {
    case .play: .play
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seek: number.map { .seek(to: $0) }
    case .seekBy: number.map { .seekBy($0) }
    case .speed: number.map { .speed($0) }
    case .volume: number.map { .volume($0) }
    case .quit: .quit
    case .playEpisode: ids?.first.map { .playEpisode($0) }
    case .enqueue: ids.map { .enqueue($0, next: false) }
    case .enqueueNext: ids.map { .enqueue($0, next: true) }
    case .sleep: text.map { .sleep($0) }
    case .chapter: number.flatMap { Int(exactly: $0) }.map { .chapter(.number($0)) }
    case .nextChapter: .chapter(.next)
    case .previousChapter: .chapter(.previous)
    case .clipStart: .clipStart
    case .clipEnd: .clipEnd(title: text)
    case .bookmark: .bookmark(title: text)
    case .status, .watch: nil
    }
  }
}

extension RemoteCommand {
  /// Why the command would have no effect, for `earshot ctl`; nil if it has one.
  func refusal(by now: NowPlaying) -> String? {
    switch self {
    case .next: now.hasNext ? nil : "nothing comes next in the queue"
    // A file that is still being opened: the seek waits until it is open.
    case .seek(let second):
      now.status == .loading ? nil : Self.refusalToSeek(now) ?? Self.refusal(ofTarget: second, now)
    case .seekBy: now.status == .loading ? nil : Self.refusalToSeek(now)
    case .previous: Self.refusalToSeek(now)
    case .speed(let speed): Self.speeds.contains(speed) ? nil : "a speed is 0.5 to 4"
    case .volume(let percent): Self.volumes.contains(percent) ? nil : "a volume is 0 to 150"
    // What the sound does next is not known until it is open.
    case .pause, .toggle: now.status == .loading ? Self.opening : nil
    case .play, .stop, .quit: nil
    case .sleep("chapter") where now.chapters == 0: "this episode has no chapters"
    case .playEpisode: now.hasLibrary ? nil : Self.noLibrary
    case .sleep: nil
    case .enqueue: now.hasLibrary ? now.unwritable : Self.noLibrary
    case .chapter(let step): Self.refusalToSeek(now) ?? refusal(of: step, chapters: now.chapters)
    case .clipStart, .bookmark:
      !now.hasLibrary
        ? Self.noLibrary
        : now.status == .stopped || now.status == .loading
          ? "play an episode to start a clip or to set a bookmark" : now.unwritable
    case .clipEnd: !now.hasLibrary ? Self.noLibrary : now.unwritable ?? refusalToEndClip(now)
    }
  }

  private static let opening = "the episode is still being opened"
  private static let noLibrary = "earshot play only plays what it was given"

  private static func refusalToSeek(_ now: NowPlaying) -> String? {
    switch now.status {
    case .stopped: "nothing is playing"
    case .loading: opening
    case .playing, .paused: nil
    }
  }

  private static func refusal(ofTarget second: Double, _ now: NowPlaying) -> String? {
    now.duration.flatMap { second >= $0 + 1 ? "the episode ends at \(TimeText.clock($0))" : nil }
  }

  private func refusalToEndClip(_ now: NowPlaying) -> String? {
    guard let start = now.clipStart else { return "no clip was started. Run “earshot ctl clip start” at its start." }
    return now.position > start ? nil : "a clip ends after its start, which is \(TimeText.clock(start))"
  }

  private func refusal(of step: ChapterStep, chapters: Int) -> String? {
    guard chapters > 0 else { return "this episode has no chapters" }
    if case .number(let number) = step, !(1...chapters).contains(number) {
      return "the chapters here are 1 to \(chapters)"
    }
    return nil
  }

  /// Whether `now` shows that the command was carried out.
  /// - Parameter before: the state when the command came.
  func isDone(before: NowPlaying, now: NowPlaying) -> Bool {
    // Counted if nothing else has changed.
    let isCounted = now.commands != before.commands
    let jumped = now.seeks != before.seeks || now.generation != before.generation || isCounted
    return switch self {
    // A paused player that has only counted the command will play soon: it was asked before, such as by another “play”.
    case .play: now.status == .playing || now.status == .loading || isCounted && now.status == .stopped
    case .pause: now.status == .paused || now.status == .stopped
    case .toggle: now.status != before.status || isCounted
    case .stop: now.status == .stopped
    case .next: now.generation != before.generation
    case .previous, .seek, .seekBy, .chapter: jumped
    case .playEpisode(let id): now.episode == id && (now.status == .playing || now.status == .loading)
    case .enqueue, .sleep, .clipStart, .clipEnd, .bookmark: isCounted
    // Players round to a hundredth and to a whole percent.
    case .speed(let speed): abs(now.speed - speed) <= 0.005 + 1e-9
    case .volume(let percent): abs(now.volume - percent) <= 0.5 + 1e-9
    // The player ends, so its answer would come too late.
    case .quit: true
    }
  }
}

/// The answer to a `ControlRequest`: an error or a status.
struct ControlAnswer: Codable, Sendable {
  var error: String?
  var status: PlayerStatus?
}

/// The output of `earshot ctl status --json`. Times are in seconds.
public struct PlayerStatus: Codable, Equatable, Sendable {
  public var pid: Int32
  public var status: NowPlaying.Status
  public var episode: Int64?
  public var title: String?
  public var podcast: String?
  public var url: String?
  public var chapter: String?
  public var position: Double
  public var duration: Double?
  public var speed: Double
  /// Percent.
  public var volume: Double
  public var queued: Int
  /// The remaining time of the sleep timer, in seconds.
  public var sleep: Double?
  /// The event that the sleep timer waits for: "chapter", "episode", "3 episodes".
  public var sleepsAfter: String?
  /// The number of chapters.
  public var chapters: Int?
  /// The start of a clip that was begun, in seconds.
  public var clipStart: Double?
  /// Playback waits for data. If the stream has broken off, the fields below say since when and why.
  public var stalled: Bool
  public var waiting: NetworkWait?

  public init(_ now: NowPlaying) {
    pid = getpid()
    status = now.status
    episode = now.episode?.rawValue
    title = now.title
    podcast = now.podcast
    url = now.address?.description
    chapter = now.chapter
    position = Self.finite(now.position) ?? 0
    duration = now.duration.flatMap(Self.finite)
    speed = Self.finite(now.speed) ?? 1
    volume = Self.finite(now.volume) ?? 100
    queued = now.queued
    sleep = now.sleep.flatMap(Self.finite)
    sleepsAfter = now.sleepsAfter
    chapters = now.chapters > 0 ? now.chapters : nil
    clipStart = now.clipStart.flatMap(Self.finite)
    stalled = now.isStalled
    waiting = now.networkWait.flatMap { wait in
      Self.finite(wait.seconds).map { NetworkWait(seconds: $0.rounded(.down), cause: wait.cause) }
    }
  }

  /// Rounded to thousandths. Nil for an infinite number, which JSON does not have.
  private static func finite(_ number: Double) -> Double? { number.isFinite ? (number * 1000).rounded() / 1000 : nil }
}
