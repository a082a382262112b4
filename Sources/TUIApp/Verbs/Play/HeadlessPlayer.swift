import Desktop
import FeedKit
import Foundation
import Model
import Playback
import Services
import Session
import Store
import TerminalKit

/// `earshot play`: plays a list without the screen. It handles sound, positions, signals, `earshot ctl` and media keys.
/// It has one thread and one event loop, like the full-screen player.
struct HeadlessPlayer {
  enum Event: Sendable {
    case player(PlayerEvent)
    case remote(RemoteCommand)
    /// The known chapters of the episode.
    case chapters(generation: Int, [Chapter])
    /// The file for samples cannot be written.
    case samplesFailed(OutputFailure)
  }

  /// How an item ended.
  enum End: Equatable {
    case heard
    case failed(String)
    /// The listener skipped to the next one.
    case skipped
    /// Stopped by the listener. Nothing follows.
    case stopped
    /// The item was heard, and the sleep timer ended with it. Nothing follows.
    case asleep
    case signal(Int32)
    /// The samples or the progress output cannot be written. Nothing follows.
    case outputFailed
  }

  struct Options {
    var preferences: Preferences
    /// The speed from the command line, for all items.
    var speedOverride: Double?
    var volume: Double
    /// Whether the position and the history are stored.
    var storesPosition: Bool
    /// Corrects the chapters in files.
    var media: MediaChapters
    /// The options of the player.
    var sound: PlayerOptions
    /// The file for samples, if they are written instead of played.
    var samples: SampleFile?
    /// The keys of the terminal, if it has any.
    var keys: HeadlessKeys?
  }

  private(set) var item: PlayItems.Item
  let chapterService: ChapterService
  private var list: PlayItems
  let options: Options
  let library: Library
  /// Deletes downloads by their rules. The file of the next episode is protected.
  private let cleanUpDownloads: (_ next: EpisodeID?) -> Void
  private let mailbox: Mailbox<Event>
  private let signals: Signals
  let player: Player
  let link: DesktopLink
  let hooks: HookRunner?
  private let events: LibraryEvents
  let line: HeadlessPlayerLine
  var session: ListeningSession<Subject>
  private(set) var end: End?
  /// The player has ended by itself and plays nothing any more.
  private var isPlayerGone = false
  /// The next item was prepared, if there is one.
  private var hasPrepared = false
  /// The remote commands that were carried out and that only `NowPlaying.commands` shows.
  private var remoteRequests = 0
  /// The speeds that the listener has chosen for podcasts with their own speed.
  private var chosenSpeeds: [PodcastID: Double] = [:]
  /// The jump list as it was last stored.
  private var storedJumps: [EpisodePlace]
  /// The loaded item has started to play.
  var hasStarted = false
  /// Writes positions, or keeps them until they can be written.
  let recorder: ListeningRecorder
  /// The listener was told that a write failed for another reason than the disk.
  var hasReportedWriteError = false

  /// What the session knows about an item.
  struct Subject: Playable {
    var podcastID: PodcastID?
    var episodeID: EpisodeID?
    var title: String
  }

  /// - Parameters:
  ///   - item: the first item.
  ///   - list: the items after it.
  init(
    _ item: PlayItems.Item, then list: PlayItems, _ options: Options, on line: HeadlessPlayerLine,
    _ context: VerbContext
  ) throws {
    self.item = item
    self.list = list
    self.options = options
    self.line = line
    library = context.library
    cleanUpDownloads = { context.applyDownloadRules(protecting: $0) }
    recorder = ListeningRecorder(context.library)
    session = ListeningSession(
      speed: options.preferences.speed, volume: options.volume, speedOverride: options.speedOverride)
    session.rewindsAfterPause = options.preferences.rewindsAfterPause
    session.jumps = JumpList(try context.library.setting(Setting.jumps.rawValue) ?? "")
    storedJumps = session.jumps.places
    let mailbox = try Mailbox<Event>()
    self.mailbox = mailbox
    signals = try Signals()
    player = Player(options: options.sound) { mailbox.post(.player($0)) }
    chapterService = ChapterService(
      client: context.client, library: context.library, media: options.media,
      log: LogFile.logger(context.configuration.directories)
    ) { mailbox.post(.chapters(generation: $0, $1)) }
    let control = ControlDirectory(state: context.configuration.directories.state)
    let hooks = HookRunner(context.configuration, log: LogFile.logger(context.configuration.directories)) {
      Report.message($0)
    }
    self.hooks = hooks
    events = LibraryEvents(library: context.library, downloads: context.configuration.directories.downloads)
    link = DesktopLink(
      control: control, onCommand: { mailbox.post(.remote($0)) }, onEvent: hooks?.handle, log: { _ in })
    options.samples?.start { mailbox.post(.samplesFailed($0)) }
  }

  /// Milliseconds without an event after which the library is checked, as while playback is paused.
  private static let checkMilliseconds = 30_000

  /// Runs until the last item has ended, the listener stops it, or a signal comes.
  mutating func run() throws -> (end: End, failure: ExitStatus?) {
    try begin(item)
    Answers.endsInOrder()
    repeat {
      show()
      guard !Answers.isReaderGone else {
        end = .outputFailed
        continue
      }
      let ready = try Poller.poll(
        [mailbox.fileDescriptor, signals.fileDescriptor, options.keys?.fileDescriptor].compactMap(\.self),
        timeoutMilliseconds: Self.checkMilliseconds)
      if ready.allSatisfy(\.isEmpty) { maintainLibrary() }
      for signal in signals.drain() { handle(signal) }
      if ready.count > 2, !ready[2].isEmpty {
        for command in options.keys?.read() ?? [] where end == nil { handle(remote: command) }
      }
      for event in mailbox.drain() {
        // Also after the end of an item, because the next one has no player.
        if case .player(.shutDown) = event { isPlayerGone = true } else if end == nil { handle(event) }
      }
      // A client of the IPC socket has told mpv to quit.
      if isPlayerGone { end = end ?? .stopped }
    } while try end == nil || advance()
    return (end ?? .stopped, list.failure)
  }

  private mutating func handle(_ event: Event) {
    switch event {
    case .player(let event): handle(event)
    case .chapters(let generation, let chapters):
      perform(session.receiveChapters(chapters, generation: generation))
    case .remote(let command): handle(remote: command)
    case .samplesFailed: end = .outputFailed
    }
  }

  // MARK: The list of items

  private mutating func begin(_ item: PlayItems.Item) throws {
    self.item = item
    end = nil
    hasPrepared = false
    hasStarted = false
    let detail = item.target.detail
    session.load(
      Subject(podcastID: detail?.row.podcast, episodeID: detail?.id, title: item.target.title), at: item.start,
      duration: detail?.row.duration, as: item.isStartChosen ? .jump : .resume,
      storedState: detail.map {
        .init(position: $0.row.position, isPlayed: $0.row.status == .played, isDeleted: $0.row.status == .deleted)
      })
    passStoredDuration()
    if let podcast = detail?.row.podcast { session.receive(playback(of: item), of: podcast) }
    session.receive(skipped: detail?.marks.skippedRanges ?? [])
    player.load(request(item, generation: session.generation))
    try beginChapters()
  }

  /// Looks up the chapters of the load.
  private mutating func beginChapters() throws(StoreError) {
    guard let detail = item.target.detail else { return }
    let known = try chapterService.begin(session.generation, detail, address: item.target.address)
    perform(session.receiveChapters(known, generation: session.generation))
  }

  private mutating func passStoredDuration() {
    session.receiveStoredDuration(
      item.storedDuration, feed: item.target.detail?.feed.duration.map(Double.init), generation: session.generation)
  }

  /// Goes to the next item after the current one has ended.
  /// - Returns: false if there is none, or if playback must stop.
  private mutating func advance() throws -> Bool {
    if case .failed(let message) = end {
      line.showMessage("\(item.target.title): \(message)")
      list.fail(item.target.address.hasPrefix("/") ? .invalidData : .unavailable)
    }
    let next: PlayItems.Item? =
      switch end {
      case .heard, .failed, .skipped: isPlayerGone ? nil : list.take()
      case .stopped, .asleep, .signal, .outputFailed, nil: nil
      }
    try savePosition(isLast: next == nil)
    if let next { try begin(next) }
    return next != nil
  }

  /// What would be played next.
  mutating func next() -> PlayTarget? { list.peek()?.target }

  /// Prepares the next item while the current one is ending, so that there is no gap.
  private mutating func prepareNext() {
    guard !hasPrepared, session.isEndNear else { return }
    hasPrepared = true
    if let next = list.peek() { player.prepare(request(next, generation: 0)) }
  }

  /// The server sends the item only from its start. It is read up to the position, because there is nobody to ask.
  private mutating func readUpTo(_ position: Double) {
    line.showMessage(
      "The server sends “\(item.target.title)” only from its start: it is read up to \(TimeText.clock(position))")
    restart(at: position, seekFallback: .readThrough)
  }

  /// Loads the item again, from `start` seconds.
  private mutating func restart(at start: Double, seekFallback: PlayRequest.SeekFallback = .ask) {
    item.start = start
    session.load(
      session.item, at: start, duration: session.duration, as: session.reason, storedState: session.storedState)
    passStoredDuration()
    player.load(request(item, generation: session.generation, seekFallback: seekFallback))
    do throws(StoreError) { try beginChapters() } catch { line.showMessage(error.description) }
  }

  private func request(
    _ item: PlayItems.Item, generation: Int, seekFallback: PlayRequest.SeekFallback = .ask
  ) -> PlayRequest {
    PlayRequest(
      address: item.target.address, generation: generation, start: item.start, seekFallback: seekFallback,
      speed: session.speed(of: playback(of: item)), volume: session.volume,
      sound: item.playback.shape(over: options.preferences.sound),
      feedDuration: item.target.detail?.feed.duration.map(Double.init), title: item.target.title)
  }

  /// The settings of the item's podcast, with the speed that was chosen since the start.
  private func playback(of item: PlayItems.Item) -> PlaybackSettings {
    var playback = item.playback
    if let podcast = item.target.detail?.row.podcast { playback.speed = chosenSpeeds[podcast] ?? playback.speed }
    return playback
  }

  // MARK: Signals and requests

  private mutating func handle(_ signal: Signal) {
    switch signal {
    case .deadly(let number): end = .signal(number)
    case .suspend:
      perform(session.suspend(now: Date()))
      options.keys?.giveBackTerminal()
      // SIGSTOP, because SIGTSTP would call our own handler again. The call returns when the process continues.
      kill(getpid(), SIGSTOP)
      // Before the player's reports from the time of the stop, which are out of date after the seek.
      adoptPosition()
      perform(session.resumeAfterSuspend(now: Date()))
    // Also after a stop that could not be handled.
    case .resume: options.keys?.takeTerminal()
    case .resize: break
    }
  }

  private mutating func handle(remote command: RemoteCommand) {
    switch command {
    case .stop, .quit: end = .stopped
    case .next: end = .skipped
    case .speed(let speed):
      // As in the full-screen player: the podcast's own speed, or the one of all that have none. It is not stored, as
      // `--speed` is not.
      if session.setSpeed(speed), let podcast = item.target.detail?.row.podcast {
        chosenSpeeds[podcast] = session.speed
      }
      player.setSpeed(session.speed)
    case .volume(let percent):
      session.setVolume(percent)
      player.setVolume(session.volume)
    case .sleep(let text):
      remoteRequests += 1
      // Checked by `earshot ctl`, so nothing is thrown. Nil is “off”.
      do { perform(session.setSleep(try SleepTimer.timer(text))) } catch {}
    // Refused earlier, because these need the library on the screen.
    case .playEpisode, .enqueue, .clipStart, .clipEnd, .bookmark: break
    case .play, .pause, .toggle, .previous, .seek, .seekBy, .chapter:
      adoptPosition()
      let effects = session.handle(command, now: Date())
      // Nothing else shows that it was carried out, such as a step behind the last chapter. A seek waits until the
      // item is open.
      if session.phase != .loading, effects.allSatisfy(\.isMessage) { remoteRequests += 1 }
      perform(effects)
    }
  }

  // MARK: The session

  private mutating func handle(_ event: PlayerEvent) {
    switch event {
    case .deviceGone(let name): line.showMessage(PlayerText.deviceGone(Sanitize.line(name)))
    case .ended(session.generation, _, atEnd: false): end = .failed("the stream broke off")
    default: break
    }
    perform(session.handle(event, now: Date()))
    prepareNext()
  }

  mutating func perform(_ effects: [SessionEffect]) {
    for effect in effects {
      switch effect {
      case .setPaused(let isPaused): player.setPaused(isPaused)
      case .seek(let second, let id): player.seek(to: second, id)
      case .setFade(let share): player.setFade(share)
      // The next item stops the previous one, or the player ends.
      case .stopPlayer: break
      case .found(let chapters): found(chapters)
      case .heardToEnd(let sleeps, _):
        record(.ended)
        announceEnd()
        if options.storesPosition, item.target.episode != nil { cleanUpDownloads(list.peek()?.target.episode) }
        end = sleeps ? .asleep : .heard
      case .message(.cannotPlay(let message)): end = .failed(message)
      case .message(.skippedPart(let seconds)): line.showMessage("Skipped \(TimeText.clock(seconds.rounded()))")
      case .message(.seekedElsewhere(let wanted, let position)):
        line.showMessage(PlayerText.seekedElsewhere(wanted, position))
      case .message(.endsBefore(let wanted, let fileEnd)):
        let text = PlayerText.endsBefore(wanted, fileEnd)
        if session.isActive { line.showMessage(text) } else { end = .failed(text) }
      case .unreachable(let position, _): readUpTo(position)
      case .introTooLong(let start): restart(at: start)
      case .endsTooEarly(let fileEnd, let position): end = .failed(PlayerText.endsTooEarly(at: fileEnd, position))
      case .endedEarly(let fileEnd, let before): end = .failed(PlayerText.endedEarly(at: fileEnd, before))
      case .message(.endedBefore(let position)): end = .failed(PlayerText.endedBefore(position))
      case .message(.waitsForStream(let cause)) where session.phase == .loading:
        line.showMessage("\(item.target.title) is still being opened: \(cause)")
      case .message(.sleepTimerEnded):
        line.showMessage("The sleep timer paused playback. Run “earshot ctl play” to continue.")
      // The progress line shows these, and `advance` tells what could not be played.
      case .unplayable, .message, .phase, .compareTranscripts: break
      case .note(let note): record(note)
      }
    }
    guard session.jumps.places != storedJumps else { return }
    storedJumps = session.jumps.places
    store(.setting(Setting.jumps.rawValue, session.jumps.text))
  }

  /// Tells watchers and hooks that the item was heard to its end.
  private func announceEnd() {
    guard link.isWatched else { return }
    let target = item.target
    var event = WatchEvent(.finished)
    // As one expression with `flatMap` and `??`, this crashed in a release build of Swift 6.3.1, also after the usual
    // link, so the optimizer is to blame.
    if let id = target.episode { event.episode = events.episode(id) }
    if event.episode == nil {
      event.episode = WatchEvent.Episode(id: EpisodeID(0), title: target.title, podcast: target.podcast ?? "")
    }
    link.emit(event)
  }

  private mutating func show() {
    var now = session.nowPlaying
    now.episode = item.target.episode
    now.title = item.target.title
    now.podcast = item.target.podcast
    now.address = ShownAddress(item.target.address)
    now.imageURL = ShownAddress(item.target.imageURL)
    now.pubDate = item.target.pubDate
    if session.phase == .loading { now.speed = session.speed(of: playback(of: item)) }
    now.hasPrevious = true
    // After the last item playback ends.
    now.hasNext = true
    now.queued = list.count
    now.commands = remoteRequests
    link.update(now)
    line.show(now)
  }

  /// Merges chapters of the file with those of the episode's feed.
  private mutating func found(_ chapters: [Chapter]) {
    guard item.target.detail != nil else {
      return perform(
        session.receiveChapters(
          options.media.corrected(chapters, in: item.target.address), generation: session.generation))
    }
    chapterService.found(session.generation, chapters)
  }
}
