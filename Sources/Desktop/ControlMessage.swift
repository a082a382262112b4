import Foundation
import Model

/// What `earshot ctl` sends: one line of JSON. The answer is one line too.
struct ControlRequest: Codable, Equatable, Sendable {
  enum Verb: String, Codable, Sendable {
    case play, pause, toggle, stop, next, previous, seek, seekBy, speed, volume, quit, status
  }
  var verb: Verb
  /// Seconds, factor or percent.
  var value: Double?

  init(verb: Verb, value: Double? = nil) {
    self.verb = verb
    self.value = value
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
    }
  }

  /// nil for `status`, and for a command that lacks its number.
  var command: RemoteCommand? {
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
    case .status: nil
    }
  }
}

extension RemoteCommand {
  /// Why it would do nothing, for who waits for an answer; nil when it will do something.
  func refusal(by now: NowPlaying) -> String? {
    switch self {
    case .next: now.hasNext ? nil : "nothing comes next in the queue"
    case .previous, .seek, .seekBy: now.status == .stopped ? "nothing is playing" : nil
    case .play, .pause, .toggle, .stop, .speed, .volume, .quit: nil
    }
  }
}

struct ControlAnswer: Codable, Sendable {
  var error: String?
  var status: PlayerStatus?
}

/// What is playing, as `earshot ctl status --json` prints it. Times in seconds.
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
  /// Left on the sleep timer.
  public var sleep: Double?
  /// Playing, but it waits for data; and, when the stream has broken off, since when and why.
  public var stalled: Bool
  public var waiting: NetworkWait?

  public init(_ now: NowPlaying, pid: Int32 = getpid()) {
    self.pid = pid
    status = now.status
    episode = now.episode?.rawValue
    title = now.title
    podcast = now.podcast
    url = now.address
    chapter = now.chapter
    position = Self.finite(now.position) ?? 0
    duration = now.duration.flatMap(Self.finite)
    speed = Self.finite(now.speed) ?? 1
    volume = Self.finite(now.volume) ?? 100
    queued = now.queued
    sleep = now.sleep.flatMap(Self.finite)
    stalled = now.isStalled
    waiting = now.networkWait.flatMap { wait in
      Self.finite(wait.seconds).map { NetworkWait(seconds: $0.rounded(.down), cause: wait.cause) }
    }
  }

  /// JSON has no other numbers.
  private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
}
