import Desktop
import Foundation
import Model
import Playback
import Store
import TerminalKit

/// Plays one thing without the screen: sound, the place that is kept, signals, and what `earshot ctl` and media keys
/// ask. One thread, one poll, like the full player.
struct PlainPlayer {
  enum Event: Sendable {
    case player(PlayerEvent)
    case remote(RemoteCommand)
  }

  /// How it ended.
  enum End: Equatable {
    case heard
    /// Stopped by a wish.
    case stopped
    case signal(Int32)
    case failed(String)
  }

  struct Options {
    var start: Double
    var speed: Double
    var volume: Double
    /// A line of JSON on stdout for each change and each second; else a line on the terminal.
    var isJSON: Bool
    /// Where the sound goes to.
    var sound: PlayerOptions
  }

  private let target: PlayTarget
  private let library: Library
  private let mailbox: Mailbox<Event>
  private let signals: Signals
  private let player: Player
  private let link: DesktopLink
  private let line: PlainPlayerLine
  private var now = NowPlaying()
  private var end: End?
  /// Up to here what was heard is recorded; nil while nothing sounds.
  private var stretchStart: Double?
  /// Paused by the shell's ^Z, to go on with `fg`.
  private var wasSuspended = false
  private static let generation = 1
  /// A step of the position as long as this was not heard, but skipped. Seconds.
  private static let jump = 10.0

  init(_ target: PlayTarget, _ options: Options, library: Library, control: ControlDirectory) throws {
    self.target = target
    self.library = library
    let mailbox = try Mailbox<Event>()
    self.mailbox = mailbox
    signals = try Signals()
    line = PlainPlayerLine(isJSON: options.isJSON)
    player = Player(options: options.sound) { mailbox.post(.player($0)) }
    link = DesktopLink(control: control, obey: { mailbox.post(.remote($0)) }, log: { _ in })
    now.status = .loading
    now.generation = Self.generation
    now.episode = target.episode
    now.title = target.title
    now.podcast = target.podcast
    now.address = target.address
    now.imageURL = target.imageURL
    now.pubDate = target.pubDate
    now.position = options.start
    now.speed = options.speed
    now.volume = options.volume
    now.hasPrevious = true
    player.load(
      PlayRequest(
        address: target.address, generation: Self.generation, start: options.start, speed: options.speed,
        volume: options.volume, title: target.title))
  }

  /// Until the end, a wish to stop, or a signal.
  mutating func run() throws -> End {
    show()
    while end == nil {
      _ = try Poller.poll([mailbox.fileDescriptor, signals.fileDescriptor], timeoutMilliseconds: nil)
      for signal in signals.drain() { try handle(signal) }
      for event in mailbox.drain() where end == nil {
        switch event {
        case .player(let event): try handle(event)
        case .remote(let command): obey(command)
        }
      }
      show()
    }
    try leave()
    return end ?? .stopped
  }

  // MARK: Signals and wishes

  private mutating func handle(_ signal: Signal) throws {
    switch signal {
    case .terminate: end = .signal(SIGTERM)
    case .hangUp: end = .signal(SIGHUP)
    case .suspend:
      wasSuspended = now.status == .playing
      player.setPaused(true)
      try keepPlace()
      // SIGSTOP: our own handler of SIGTSTP would be asked again.
      kill(getpid(), SIGSTOP)
    case .resume:
      if wasSuspended { player.setPaused(false) }
      wasSuspended = false
    case .resize: break
    }
  }

  private mutating func obey(_ command: RemoteCommand) {
    switch command {
    case .play: player.setPaused(false)
    case .pause: player.setPaused(true)
    case .toggle: player.setPaused(now.status == .playing)
    case .stop, .quit, .next: end = .stopped
    case .previous: seek(to: 0)
    case .seek(let second): seek(to: second)
    case .seekBy(let delta): seek(to: now.position + delta)
    case .speed(let speed): player.setSpeed(min(4, max(0.5, speed)))
    case .volume(let percent): player.setVolume(min(150, max(0, percent)))
    }
  }

  private mutating func seek(to second: Double) {
    guard second.isFinite, now.status == .playing || now.status == .paused else { return }
    recordStretch()
    let place = min(max(0, second), now.duration ?? .greatestFiniteMagnitude)
    player.seek(to: place)
    now.position = place
    now.seeks += 1
    if stretchStart != nil { stretchStart = place }
  }

  // MARK: The player's reports

  private mutating func handle(_ event: PlayerEvent) throws {
    switch event {
    case .started(_, let duration, _):
      now.status = .playing
      now.duration = duration ?? now.duration
      stretchStart = now.position
      record(.start)
    case .position(_, let seconds):
      guard now.status != .loading, seconds.isFinite else { return }
      if abs(seconds - now.position) >= Self.jump {
        recordStretch()
        stretchStart = max(0, seconds)
        now.seeks += 1
      }
      now.position = max(0, seconds)
      try keepPlace()
    case .duration(_, let seconds): now.duration = seconds ?? now.duration
    case .paused(_, let isPaused):
      guard now.status != .loading else { return }
      now.status = isPaused ? .paused : .playing
      if isPaused { recordStretch() }
      record(isPaused ? .pause : .start)
      try keepPlace()
    case .stalled(_, let isStalled): now.isStalled = isStalled
    case .speed(let speed): now.speed = speed
    case .volume(let percent): now.volume = percent
    case .ended(_, let seconds, let atEnd):
      if seconds.isFinite { now.position = max(0, seconds) }
      end = atEnd ? .heard : .failed("the stream broke off")
    case .failed(_, let seconds, let message):
      if let seconds, seconds.isFinite { now.position = max(0, seconds) }
      end = .failed(message)
    case .shutDown: end = end ?? .failed("the player is gone")
    default: break
    }
  }

  // MARK: What is kept

  private func keepPlace() throws { try target.save(now.position, total: now.duration, in: library, now: Date()) }

  private mutating func recordStretch() {
    guard let from = stretchStart, now.position > from else { return }
    stretchStart = now.position
    record(.play(from: from, to: now.position, total: now.duration))
  }

  /// A record that cannot be written costs a line of the history, and nothing else.
  private func record(_ kind: ListeningEvent.Kind) {
    guard let episode = target.episode else { return }
    do throws(StoreError) {
      try library.record(ListeningEvent(episode: episode, kind: kind, timestamp: Date(), speed: now.speed))
    } catch { Report.message(error.description) }
  }

  private mutating func leave() throws {
    let hasSounded = now.status == .playing || now.status == .paused
    if let place = player.currentPosition, place.generation == Self.generation, end != .heard {
      now.position = place.seconds
    }
    now.status = .stopped
    link.update(now)
    link.close()
    line.end()
    player.shutDown()
    guard hasSounded else { return }
    recordStretch()
    try keepPlace()
    if end == .heard {
      try target.finish(in: library, now: Date())
    } else if let episode = target.episode {
      record(.pause)
      try library.setStatus([episode], .paused, now: Date(), isUndoable: false)
    }
    try PlayTarget.tidy(library)
  }

  private func show() {
    link.update(now)
    line.show(now)
  }
}
