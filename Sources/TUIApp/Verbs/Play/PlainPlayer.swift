import AppCore
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
    /// What is known of the episode's chapters.
    case chapters([Chapter])
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
    var shape = SoundShape()
    /// How the show of an episode is heard, beside that.
    var show = ShowSettings()
    /// Whether the place and what was heard are written down.
    var keepsPlace = true
    /// A line of JSON on stdout for each change and each second; else a line on the terminal.
    var isJSON: Bool
    /// Where the sound goes to.
    var sound: PlayerOptions
  }

  let target: PlayTarget
  let options: Options
  let desk: ChapterDesk
  private let library: Library
  private let mailbox: Mailbox<Event>
  private let signals: Signals
  private let player: Player
  private let link: DesktopLink
  private let line: PlainPlayerLine
  private(set) var now = NowPlaying()
  private(set) var chapters: [Chapter] = []
  private var end: End?
  /// Up to here what was heard is recorded; nil while nothing sounds.
  private var stretchStart: Double?
  /// Paused by the shell's ^Z, to go on with `fg`.
  private var wasSuspended = false
  /// A seek that the player has not reported yet, and how many reports since then were of another place.
  private var pendingSeek: (second: Double, lateReports: Int)?
  /// The library could not be written, and the listener knows.
  private var hasComplained = false
  static let generation = 1

  init(_ target: PlayTarget, _ options: Options, _ context: VerbContext) throws {
    self.target = target
    self.options = options
    library = context.library
    let mailbox = try Mailbox<Event>()
    self.mailbox = mailbox
    signals = try Signals()
    line = PlainPlayerLine(isJSON: options.isJSON)
    player = Player(options: options.sound) { mailbox.post(.player($0)) }
    desk = ChapterDesk(
      client: context.client, library: context.library, log: LogFile.logger(context.configuration.directories)
    ) { mailbox.post(.chapters($1)) }
    let control = ControlDirectory(state: context.configuration.directories.state)
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
    // Ends it: who plays several, one after the other, gets to the next.
    now.hasNext = true
    player.load(
      PlayRequest(
        address: target.address, generation: Self.generation, start: options.start, speed: options.speed,
        volume: options.volume, sound: options.shape, title: target.title))
    if let detail = target.detail { chapters = PlayerState.visible(try desk.begin(Self.generation, detail)) }
  }

  /// Until the end, a wish to stop, or a signal.
  mutating func run() throws -> End {
    show()
    while end == nil {
      _ = try Poller.poll([mailbox.fileDescriptor, signals.fileDescriptor], timeoutMilliseconds: nil)
      for signal in signals.drain() { handle(signal) }
      for event in mailbox.drain() where end == nil {
        switch event {
        case .player(let event): handle(event)
        case .chapters(let chapters): self.chapters = PlayerState.visible(chapters)
        case .remote(let command): obey(command)
        }
      }
      show()
    }
    try leave()
    return end ?? .stopped
  }

  // MARK: Signals and wishes

  private mutating func handle(_ signal: Signal) {
    switch signal {
    case .terminate: end = .signal(SIGTERM)
    case .hangUp: end = .signal(SIGHUP)
    case .suspend:
      wasSuspended = now.status == .playing
      player.setPaused(true)
      keepPlace()
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
    case .seekBy(let delta): seek(to: (pendingSeek?.second ?? now.position) + delta)
    case .speed(let speed): player.setSpeed(min(4, max(0.5, speed)))
    case .volume(let percent): player.setVolume(min(150, max(0, percent)))
    }
  }

  private mutating func seek(to second: Double) {
    guard second.isFinite, now.status == .playing || now.status == .paused else { return }
    recordStretch()
    let place = min(max(0, second), now.duration ?? .greatestFiniteMagnitude)
    player.seek(to: place)
    pendingSeek = (place, 0)
    now.position = place
    now.seeks += 1
    if stretchStart != nil { stretchStart = place }
  }

  // MARK: The player's reports

  private mutating func handle(_ event: PlayerEvent) {
    switch event {
    case .started(_, let duration, _):
      now.status = .playing
      now.duration = duration ?? now.duration
      stretchStart = now.position
      record(.start)
      keep { (target, library, now) throws(StoreError) in try target.begin(in: library, now: now) }
    case .position(_, let seconds):
      if now.status != .loading, seconds.isFinite { moved(to: max(0, seconds)) }
    case .chapters(_, let chapters): if let own = found(chapters) { self.chapters = PlayerState.visible(own) }
    case .duration(_, let seconds): now.duration = seconds ?? now.duration
    case .paused(_, let isPaused):
      guard now.status != .loading else { return }
      now.status = isPaused ? .paused : .playing
      if isPaused { recordStretch() }
      record(isPaused ? .pause : .start)
      keepPlace()
    case .stalled(_, let isStalled): now.isStalled = isStalled
    case .speed(let speed): now.speed = speed
    case .deviceGone(let name): Report.message(PlayerText.deviceGone(name))
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

  private mutating func moved(to second: Double) {
    if let wanted = pendingSeek, PlayerState.isLate(second, sought: wanted.second, lateReports: wanted.lateReports) {
      pendingSeek?.lateReports += 1
      return
    }
    pendingSeek = nil
    let before = now.position
    if abs(second - before) >= PlayerState.jump {
      recordStretch()
      stretchStart = second
      now.seeks += 1
    }
    now.position = second
    keepPlace()
    guard second > before, second - before < PlayerState.jump else { return }
    if options.show.reachesOutro(from: before, to: second, of: now.duration) {
      end = .heard
    } else if let place = placeAfterSkips(from: before) {
      seek(to: place)
    }
  }

  // MARK: What is kept

  private mutating func keepPlace() {
    let (position, duration) = (now.position, now.duration)
    keep { (target, library, now) throws(StoreError) in
      try target.save(position, total: duration, in: library, now: now)
    }
  }

  /// Writes something down. What cannot be written does not end the sound: it is said once, and by `leave` again.
  private mutating func keep(_ write: (PlayTarget, Library, Date) throws(StoreError) -> Void) {
    guard options.keepsPlace else { return }
    do throws(StoreError) {
      try write(target, library, Date())
    } catch {
      guard !hasComplained else { return }
      hasComplained = true
      Report.message(error.description)
    }
  }

  private mutating func recordStretch() {
    guard let from = stretchStart, now.position > from else { return }
    stretchStart = now.position
    record(.play(from: from, to: now.position, total: now.duration))
  }

  /// A record that cannot be written costs a line of the history, and nothing else.
  private mutating func record(_ kind: ListeningEvent.Kind) {
    guard let episode = target.episode else { return }
    let event = ListeningEvent(episode: episode, kind: kind, timestamp: Date(), speed: now.speed)
    keep { (_, library, _) throws(StoreError) in try library.record(event) }
  }

  private mutating func leave() throws {
    let hasSounded = now.status == .playing || now.status == .paused
    // Not when a seek is under way: the player may not have begun with it.
    if let place = player.currentPosition, place.generation == Self.generation, end != .heard, pendingSeek == nil {
      now.position = place.seconds
    }
    now.status = .stopped
    link.update(now)
    link.close()
    line.end()
    player.shutDown()
    guard hasSounded, options.keepsPlace else { return }
    recordStretch()
    try target.save(now.position, total: now.duration, in: library, now: Date())
    if end == .heard {
      try target.finish(in: library, now: Date())
    } else if let episode = target.episode {
      record(.pause)
      try library.setStatus([episode], .paused, now: Date(), isUndoable: false)
    }
    try PlayTarget.tidy(library)
  }

  private mutating func show() {
    now.chapter = chapterTitle
    link.update(now)
    line.show(now)
  }
}
