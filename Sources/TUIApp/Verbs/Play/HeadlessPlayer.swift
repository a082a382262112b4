import AppCore
import Desktop
import Foundation
import Model
import Playback
import Store
import TerminalKit

/// Plays one thing after the other without the screen: sound, the places that are kept, signals, and what `earshot ctl` and
/// media keys ask. One thread, one poll, like the full player.
struct HeadlessPlayer {
  enum Event: Sendable {
    case player(PlayerEvent)
    case remote(RemoteCommand)
    /// What is known of the episode's chapters.
    case chapters(generation: Int, [Chapter])
    /// The samples cannot be written.
    case samplesFailed(OutputFailure)
  }

  /// How one of them ended.
  enum End: Equatable {
    case heard
    case failed(String)
    /// The listener wants the next one.
    case passedOver
    /// Stopped by a wish; nothing follows.
    case stopped
    case signal(Int32)
    /// The samples, or what is said of the playing, cannot be written; nothing follows.
    case unwritten
  }

  struct Options {
    /// Of shows that have none of their own.
    var speed: Double
    /// What was asked for, for all that is played from then on.
    var wantedSpeed: Double?
    var volume: Double
    /// Of shows that say nothing else.
    var shape = SoundShape()
    /// Whether the place and what was heard are written down.
    var keepsPlace = true
    /// Where the sound goes to.
    var sound: PlayerOptions
    /// Where the samples go to, if they are not heard.
    var samples: SampleFile?
  }

  private(set) var item: PlayList.Item
  let desk: ChapterService
  private var list: PlayList
  private(set) var options: Options
  let library: Library
  private let mailbox: Mailbox<Event>
  private let signals: Signals
  let player: Player
  let link: DesktopLink
  let line: HeadlessPlayerLine
  var now = NowPlaying()
  private(set) var chapters: [Chapter] = [] {
    didSet { now.chapters = chapters.count }
  }
  private(set) var end: End?
  /// The next one has been made ready, if there is one.
  private var hasPrepared = false
  /// Up to here what was heard is recorded; nil while nothing sounds.
  var stretchStart: Double?
  /// Paused by the shell's ^Z, to go on with `fg`.
  private var wasSuspended = false
  /// Of what is playing: positions that do not follow it are out of date.
  private(set) var newestSeek = SeekID.none
  /// Writes the place, or remembers it until that is possible.
  let keeper: PlaceKeeper
  /// Something could not be written for another reason than the disk, and the listener knows.
  var hasComplained = false

  /// - Parameters:
  ///   - item: the first.
  ///   - list: what follows it.
  init(
    _ item: PlayList.Item, then list: PlayList, _ options: Options, on line: HeadlessPlayerLine, _ context: VerbContext
  ) throws {
    self.item = item
    self.list = list
    self.options = options
    self.line = line
    library = context.library
    keeper = PlaceKeeper(context.library)
    let mailbox = try Mailbox<Event>()
    self.mailbox = mailbox
    signals = try Signals()
    player = Player(options: options.sound) { mailbox.post(.player($0)) }
    desk = ChapterService(
      client: context.client, library: context.library, log: LogFile.logger(context.configuration.directories)
    ) { mailbox.post(.chapters(generation: $0, $1)) }
    let control = ControlDirectory(state: context.configuration.directories.state)
    link = DesktopLink(control: control, onCommand: { mailbox.post(.remote($0)) }, log: { _ in })
    options.samples?.start { mailbox.post(.samplesFailed($0)) }
  }

  /// After so long without an event, as while it is paused, it is looked whether the library is still there.
  private static let lookMilliseconds = 30_000

  /// Until the last one has ended, a wish to stop, or a signal.
  mutating func run() throws -> (end: End, failure: ExitStatus?) {
    try begin(item)
    Answers.endsInOrder()
    repeat {
      show()
      guard !Answers.isReaderGone else {
        end = .unwritten
        continue
      }
      let ready = try Poller.poll(
        [mailbox.fileDescriptor, signals.fileDescriptor], timeoutMilliseconds: Self.lookMilliseconds)
      if ready.allSatisfy(\.isEmpty) { lookAfterLibrary() }
      for signal in signals.drain() { handle(signal) }
      for event in mailbox.drain() where end == nil { handle(event) }
    } while try end == nil || goOn()
    return (end ?? .stopped, list.failure)
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .player(let event): if (event.generation ?? now.generation) == now.generation { handle(event) }
    case .chapters(let generation, let chapters):
      if generation == now.generation { self.chapters = PlayerState.visible(chapters) }
    case .remote(let command): handle(remote: command)
    case .samplesFailed: end = .unwritten
    }
  }

  // MARK: One after the other

  private mutating func begin(_ item: PlayList.Item) throws {
    self.item = item
    let target = item.target
    let generation = now.generation + 1
    end = nil
    hasPrepared = false
    stretchStart = nil
    newestSeek = .none
    now = NowPlaying()
    now.status = .loading
    now.generation = generation
    now.episode = target.episode
    now.title = target.title
    now.podcast = target.podcast
    now.address = ShownAddress(target.address)
    now.imageURL = ShownAddress(target.imageURL)
    now.pubDate = target.pubDate
    now.position = item.start
    now.speed = speed(of: item)
    now.volume = options.volume
    now.hasPrevious = true
    // After the last one it ends.
    now.hasNext = true
    now.queued = list.count
    player.load(request(item, generation: generation))
    chapters = []
    if let detail = target.detail { chapters = PlayerState.visible(try desk.begin(generation, detail)) }
  }

  /// What is playing has ended. False when nothing follows, or nothing shall.
  private mutating func goOn() throws -> Bool {
    if case .failed(let message) = end {
      line.say("\(item.target.title): \(message)")
      list.fail(item.target.address.hasPrefix("/") ? .invalidData : .unavailable)
    }
    let next: PlayList.Item? =
      switch end {
      case .heard, .failed, .passedOver: list.take()
      case .stopped, .signal, .unwritten, nil: nil
      }
    try leave(isLast: next == nil)
    if let next { try begin(next) }
    return next != nil
  }

  /// Opens the next one while the end of this one is near, so that no silence lies between them.
  private mutating func prepareNext() {
    guard !hasPrepared, let end = now.duration.map({ $0 - (item.show.outro ?? 0) }),
      end - now.position <= State.upcomingSeconds * max(1, now.speed)
    else { return }
    hasPrepared = true
    if let next = list.peek() { player.prepare(request(next, generation: 0)) }
  }

  private func speed(of item: PlayList.Item) -> Double { options.wantedSpeed ?? item.show.speed ?? options.speed }

  private func request(_ item: PlayList.Item, generation: Int) -> PlayRequest {
    PlayRequest(
      address: item.target.address, generation: generation, start: item.start, speed: speed(of: item),
      volume: options.volume, sound: item.show.shape(over: options.shape), title: item.target.title)
  }

  // MARK: Signals and wishes

  private mutating func handle(_ signal: Signal) {
    switch signal {
    case .terminate: end = .signal(SIGTERM)
    case .interrupt: end = .signal(SIGINT)
    case .hangUp: end = .signal(SIGHUP)
    case .other(let number): end = .signal(number)
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

  private mutating func handle(remote command: RemoteCommand) {
    switch command {
    case .play: player.setPaused(false)
    case .pause: player.setPaused(true)
    case .toggle: player.setPaused(now.status == .playing)
    case .stop, .quit: end = .stopped
    case .next: end = .passedOver
    case .previous: seek(to: 0)
    case .seek(let second): seek(to: second)
    case .seekBy(let delta): seek(to: now.position + delta)
    case .speed(let speed):
      let speed = min(4, max(0.5, speed))
      options.wantedSpeed = speed
      player.setSpeed(speed)
    case .volume(let percent):
      options.volume = min(150, max(0, percent))
      player.setVolume(options.volume)
    case .chapter(let step): seek(to: step)
    // Refused before they come here: there is no library to choose from.
    case .playEpisode, .enqueue, .sleep, .clipStart, .clipEnd: break
    }
  }

  private mutating func seek(to step: RemoteCommand.ChapterStep) {
    let current = chapters.lastIndex { $0.start <= now.position } ?? 0
    let index =
      switch step {
      case .next: current + 1
      // Far in a chapter its own start is meant.
      case .previous:
        chapters.indices.contains(current) && now.position > chapters[current].start + 3 ? current : current - 1
      case .number(let number): number - 1
      }
    if chapters.indices.contains(index) { seek(to: chapters[index].start) } else if index < 0 { seek(to: 0) }
  }

  private mutating func seek(to second: Double) {
    guard second.isFinite, now.status == .playing || now.status == .paused else { return }
    recordStretch()
    let place = min(max(0, second), now.duration ?? .greatestFiniteMagnitude)
    newestSeek = newestSeek.next
    player.seek(to: place, newestSeek)
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
      for note in item.target.begun { keep(note) }
    case .position(_, let seconds, let seek):
      if now.status != .loading, seek == newestSeek, seconds.isFinite { moved(to: max(0, seconds)) }
    case .chapters(_, let chapters): if let own = found(chapters) { self.chapters = PlayerState.visible(own) }
    case .duration(_, let seconds): now.duration = seconds ?? now.duration
    case .paused(_, let isPaused):
      guard now.status != .loading else { return }
      now.status = isPaused ? .paused : .playing
      if isPaused { recordStretch() }
      record(isPaused ? .pause : .start)
      keepPlace()
    case .stalled(_, let isStalled):
      now.isStalled = isStalled
      if !isStalled { now.networkWait = nil }
    case .waitsForNetwork(_, let wait): now.networkWait = wait
    case .speed(let speed): now.speed = speed
    case .deviceGone(let name): line.say(PlayerText.deviceGone(name))
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
    let before = now.position
    if abs(second - before) >= PlayerState.jump {
      recordStretch()
      stretchStart = second
      now.seeks += 1
    }
    now.position = second
    keepPlace()
    prepareNext()
    guard second > before, second - before < PlayerState.jump else { return }
    if item.show.reachesOutro(from: before, to: second, of: now.duration) {
      end = .heard
    } else if let place = placeAfterSkips(from: before) {
      seek(to: place)
    }
  }

  private mutating func show() {
    now.chapter = chapterTitle
    link.update(now)
    line.show(now)
  }
}
