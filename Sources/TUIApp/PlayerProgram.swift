import AppCore
import Foundation
import Logging
import LoopbackSocket
import Model
import Playback
import Services
import Store
import TerminalKit

/// The full-screen player, with one thread and one event loop:
///
///     tty, signals, mailbox → actions → update → reconcile → effects → runner
///                                            ↘ render → terminal
struct PlayerProgram {
  private let terminal: Terminal
  private let signals: Signals
  private let mailbox: Mailbox<Action>
  private let runner: EffectRunner
  private var desktop: DesktopBridge?
  private let hooks: HookRunner?
  private let library: Library
  /// The kind of graphics that covers are drawn for.
  private var graphics: GraphicsTarget
  private let log: Logger
  private var state: State
  private var flood = InputFlood()
  /// For how many milliseconds the event loop has waited since the last input.
  private var silence: UInt64 = 0
  private var isOver = false
  /// The listener's editor, which has the terminal until it ends.
  private var editor: NoteEditor?
  /// State has the position of a seek, or a bookmark, that may not be stored yet.
  private var isSeekUnstored = false
  /// The last wait ended before the position of the seek was stored.
  private var areWritesSlow = false
  /// The message to print after the screen was closed.
  private(set) var exitMessage: String?
  /// Keeps other players out while this one is running.
  private var lock: FileLock?
  /// The background work has begun.
  private var hasBegunWriting = false
  private let configuration: Configuration

  /// Opens everything that the first screen needs, in the order in which it can fail.
  init(isLinear: Bool) throws {
    var configuration = Configuration.load(Directories())
    guard !configuration.lacksDirectories else { throw SetupError.configuration(configuration.problems) }
    if isLinear { configuration.preferences.enableLinearMode() }
    self.configuration = configuration
    let opened = try LibraryOpening.openForPlaying(configuration.directories)
    log = LogFile.logger(configuration.directories)
    library = opened.library
    let held = try PlayerLock.acquire(library: library.path)
    mailbox = try Mailbox<Action>()
    let context = VerbContext(configuration, library)
    var problems = opened.warning.map { [Message(.error, $0)] } ?? []
    do throws(StoreError) { try context.prepareLibrary() } catch {
      // The player works with a full disk.
      guard error.isTransient else { throw error }
      problems.append(Message(.error, error.description))
    }

    var refusal: String?
    switch held {
    case .held(let lock): self.lock = lock
    case .taken(let holder):
      lock = nil
      let who = holder.map { " (process \($0))" } ?? ""
      refusal = "Another Earshot\(who) is running; this one is read-only"
    }
    signals = try Signals()
    terminal = try Terminal(
      Terminal.Options(
        mouse: configuration.mouse && !configuration.preferences.isLinear,
        graphics: configuration.preferences.coverArt ? configuration.graphics : .cells,
        log: configuration.directories.logFile))
    // A player that may only read cannot be controlled from outside, because it plays nothing.
    hooks = HookRunner(configuration, log: log) { [mailbox] in mailbox.post(.message(Message(.warning, $0))) }
    desktop =
      refusal == nil
      ? DesktopBridge(
        library: library, directories: configuration.directories, hooks: hooks, mailbox: mailbox, log: log) : nil
    let preferences = try Preferences.remembered(configuration, library)
    runner = try EffectRunner(
      context, preferences, depth: terminal.colorDepth, refusal: refusal, mailbox: mailbox, log: log)
    graphics = terminal.graphicsTarget
    runner.covers.use(graphics)
    runner.desktop.withLock { [desktop] in $0 = desktop }
    state = try State.remembered(
      configuration, preferences, library, runner.themes, size: terminal.size, plays: refusal == nil)
    state.refuseWrites(refusal, readOnly: library.isReadOnly ? opened.reason : nil)
    if let loss = LibraryLoss(opened) {
      loss.record(in: library, log)
      state.showMessage(Message(.error, loss.text))
    } else if let loss = try LibraryLoss.recorded(in: library) {
      state.showMessage(Message(.error, loss))
    }
    for problem in problems { state.showMessage(problem) }
    for problem in configuration.problems { state.showMessage(Message(.error, problem.description)) }
  }

  /// Runs until the listener quits. The terminal is always restored.
  mutating func run() {
    defer { terminal.restore() }
    let version = try? library.externalVersion()
    showFirstScreen()
    runner.watchOtherProcesses(known: version)
    if lock != nil {
      startWriting()
      if !library.isReadOnly, state.preferences.refreshOnStart { perform(state.startRefresh(nil)) }
    }
    var presented = Self.milliseconds
    // A frame was left out because more input had arrived.
    var isFrameDue = false
    var waitFailure: POSIXFailure?
    while !isOver {
      // `poll` wakes for new messages. If it fails, the descriptor is broken.
      let ready: [Poller.Readiness]
      let start = Self.milliseconds
      do throws(POSIXFailure) {
        ready = try Poller.poll(
          // A negative descriptor is passed over (poll(2)).
          [editor == nil ? terminal.fileDescriptor : -1, mailbox.fileDescriptor, signals.fileDescriptor],
          timeoutMilliseconds: editor == nil && terminal.hasUnread ? 0 : nil)
      } catch {
        log.error("the event loop: \(error)")
        waitFailure = error
        break
      }
      silence += Self.milliseconds - start
      let actions = collectActions(ready)
      let needsFrame = isFrameDue || !state.areReadAhead(actions)
      apply(actions)
      if !needsFrame { continue }
      waitForAnswers()
      guard !isOver else { break }
      // While much input arrives, only some frames are drawn.
      isFrameDue = editor == nil && terminal.hasInput && Self.milliseconds - presented < Self.floodFrameInterval
      if isFrameDue { continue }
      terminal.present(render(state), selection: state.theme[.selection].background)
      presented = Self.milliseconds
    }
    editor?.terminate()
    desktop?.close()
    let failure = runner.finish(onWait: {
      // Otherwise the screen would look frozen.
      terminal.restore()
      Report.message(StoreError.waitsForOthers)
    })
    exitMessage =
      failure.map { "\($0.description) The last position could not be saved." }
      ?? waitFailure.map { "Earshot ended, because it could not wait for input any more: \($0)" }
    do {
      if lock != nil, !library.isReadOnly {
        try library.setSetting(Setting.savedScreen.rawValue, state.savedScreen.description)
        try library.setSetting(Setting.loaded.rawValue, nil)
        try library.markCleanStop()
        try library.compactIfDue()
      }
      try library.close()
    } catch {
      log.error("closing the library: \(error)")
    }
  }

  // MARK: The loop

  /// Waits a few milliseconds for answers of the library, so that a key needs one frame instead of three (the list, its
  /// rows, the details). A later answer gets a frame of its own.
  private mutating func waitForAnswers() {
    let end = DispatchTime.now().uptimeNanoseconds + Self.answerNanoseconds
    while !isOver, state.awaited.isOnScreenSoon {
      let now = DispatchTime.now().uptimeNanoseconds
      guard now < end,
        let ready = try? Poller.poll(
          [mailbox.fileDescriptor], timeoutMilliseconds: Int((end - now + 999_999) / 1_000_000)),
        ready[0].contains(.readable)
      else { return }
      apply(exactPosition + mailbox.drain())
    }
  }

  /// The longest wait for answers, in nanoseconds. Nobody notices this delay.
  private static let answerNanoseconds: UInt64 = 4_000_000

  /// The longest wait until the position of a seek is stored, in milliseconds. It usually takes less than one, but much
  /// longer on a busy machine.
  private static let seekMilliseconds = 1000

  /// The longest wait if the last one ended before the position was stored, in milliseconds.
  private static let slowSeekMilliseconds = 50

  /// Milliseconds between frames while much input arrives.
  private static let floodFrameInterval: UInt64 = 100

  /// A steady clock.
  private static var milliseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }

  /// Collects all actions that are ready.
  private mutating func collectActions(_ ready: [Poller.Readiness]) -> [Action] {
    var actions: [Action] = []
    for signal in signals.drain() {
      switch signal {
      // The editor has the screen. It gets these signals, too.
      case .resize where editor != nil, .deadly(SIGINT) where editor != nil, .resume where editor != nil: break
      case .suspend where editor != nil: kill(getpid(), SIGSTOP)
      case .resize: actions.append(.input(.resize(terminal.resize())))
      case .deadly: actions.append(.terminate)
      case .suspend: actions.append(.suspend)
      case .resume:
        terminal.resumeAfterSuspend()
        actions.append(.input(.resize(terminal.size)))
      }
    }
    if ready[0].contains(.hangUp) {
      actions.append(.terminate)
    } else if ready[0].contains(.readable) || terminal.hasUnread {
      actions += flood.actions(of: terminal.readEvents(after: silence), after: silence)
      silence = 0
    }
    if terminal.graphicsTarget != graphics {
      graphics = terminal.graphicsTarget
      runner.covers.use(graphics)
      actions.append(.coversOutdated)
    }
    return exactPosition + actions + mailbox.drain()
  }

  /// Asks the player for the exact position. The actions that follow may end the sound, and what was heard must be
  /// stored exactly.
  private var exactPosition: [Action] {
    guard state.player.phase == .playing, let current = runner.player.currentPosition else { return [] }
    return [.exactPosition(generation: current.generation, seconds: current.seconds, seek: current.seek)]
  }

  /// Applies a batch of actions and performs their effects.
  private mutating func apply(_ actions: [Action]) {
    for action in actions {
      desktop?.announce(action)
      if case .noteEdited = action { closeEditor() }
      if case .library(.writable) = action { beginWriting() }
      perform(update(&state, action, now: Date()))
      if isOver { return }
    }
    perform(reconcile(&state))
    waitForStoredSeek()
    desktop?.show(state.nowPlaying)
  }

  private mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      if case .terminal(let task) = effect { handle(task) } else { runner.run(effect) }
    }
    if effects.contains(where: \.mustBeStored) { isSeekUnstored = true }
  }

  /// Waits until the positions of seeks and bookmarks are stored. A kill right after the screen, `earshot ctl` or the
  /// desktop has shown them must not lose them.
  private mutating func waitForStoredSeek() {
    guard isSeekUnstored else { return }
    isSeekUnstored = false
    // While the library is slow, the screen must not stop at every key.
    let limit = areWritesSlow ? Self.slowSeekMilliseconds : Self.seekMilliseconds
    areWritesSlow = !runner.writes.awaitEarlierWork(atMost: limit)
  }

  private mutating func handle(_ task: TerminalTask) {
    switch task {
    case .quit: isOver = true
    case .suspend: suspend()
    case .redraw: if editor == nil { terminal.resize() }
    case .becomePlayer: becomePlayer()
    case .copy(let text): terminal.copy(text)
    case .setTitle(let title): terminal.setTitle(title.isEmpty ? "Earshot" : title)
    case .openLink(let address): LinkOpener(mailbox: mailbox).open(address)
    case .openVideo(let id, let second): runner.openVideo(id, from: second)
    case .loadTheme(let name):
      runner.reads.async { [mailbox, themes = runner.themes] in
        do throws(ConfigurationProblem) {
          mailbox.post(.theme(try themes.load(name)))
        } catch {
          mailbox.post(.message(Message(.error, error.description)))
        }
      }
    case .edit(let draft): edit(draft)
    }
  }

  /// Stops the process, and continues when the shell wants it.
  private mutating func suspend() {
    // What was heard is stored before, so that what other devices do meanwhile is newer.
    runner.writes.awaitEarlierWork(atMost: Self.seekMilliseconds)
    terminal.suspend()
    // A stopped process gets no SIGWINCH, so the window's size is read again.
    var actions: [Action] = [.input(.resize(terminal.size))]
    // Before the player's reports from the time of the stop, which are out of date after the seek.
    if let episode = state.player.item?.id, let position = runner.recorder.positionElsewhere(of: episode) {
      actions.append(.library(.movedElsewhere(episode, position)))
    }
    apply(actions + [.resumed])
  }

  /// Gives the terminal to the listener's editor. Playback and everything else go on meanwhile.
  private mutating func edit(_ draft: NoteDraft) {
    guard editor == nil else { return }
    terminal.leave()
    CrashGuard.setIgnoresQuit(true)
    do throws(ReportedError) {
      let editor = try NoteEditor(draft.text, device: terminal.path, environment: ProcessEnvironment.variables)
      self.editor = editor
      editor.whenEnded { [mailbox] in mailbox.post(.noteEdited(draft, $0)) }
    } catch {
      mailbox.post(.noteEdited(draft, .failure(error)))
    }
  }

  private mutating func closeEditor() {
    editor = nil
    CrashGuard.setIgnoresQuit(false)
    terminal.resumeAfterSuspend()
    perform(update(&state, .input(.resize(terminal.size)), now: Date()))
  }

  /// Starts the background work that only the Earshot with the player's lock does. If the disk cannot be written, it
  /// begins later.
  private mutating func startWriting() {
    runner.watchLibrary()
    beginWriting()
  }

  private mutating func beginWriting() {
    guard !hasBegunWriting, lock != nil, !library.isReadOnly else { return }
    hasBegunWriting = true
    if !library.wasCleanStop { runner.checkLibrary() }
    runner.markStarted()
    // Resumes those of the last run.
    runner.downloads.start()
    TranscribingDirectory.deleteLeftovers(in: configuration.directories.cache)
    runner.transcriber?.start()
    runner.maintainLibrary()
    runner.sync?.start()
    runner.runTimedRules(isStart: true)
    runner.startRefreshing(every: configuration.refreshEvery * 60)
  }

  /// Takes over after the other Earshot has ended.
  private mutating func becomePlayer() {
    guard let lock = runner.takeLock() else { return }
    self.lock = lock
    let desktop = DesktopBridge(
      library: library, directories: configuration.directories, hooks: hooks, mailbox: mailbox, log: log)
    self.desktop = desktop
    runner.becomePlayer(desktop)
    startWriting()
    do throws(StoreError) {
      let offered = try library.offeredEpisode()
      perform(
        state.becomePlayer(
          offering: offered?.row, heard: offered?.settings ?? PlaybackSettings(),
          preferences: try Preferences.remembered(configuration, library),
          jumps: try library.setting(Setting.jumps.rawValue)))
    } catch {
      perform(
        state.becomePlayer(offering: nil, heard: PlaybackSettings(), preferences: state.preferences, jumps: nil))
      perform(update(&state, .message(Message(.error, error.description)), now: Date()))
    }
  }

  /// Draws the stored library at once. Its questions are answered on the main thread.
  private mutating func showFirstScreen() {
    var rest = update(&state, .input(.resize(terminal.size)), now: Date())
    for _ in 0..<4 {
      let effects = reconcile(&state)
      guard !effects.isEmpty else { break }
      for effect in effects {
        if case .ask(let request, let question) = effect {
          rest += update(&state, question.action(request, library), now: Date())
        } else {
          rest.append(effect)
        }
      }
    }
    terminal.present(render(state), selection: state.theme[.selection].background)
    perform(rest)
    desktop?.show(state.nowPlaying)
  }
}

extension Effect {
  /// A kill after the screen has shown it must not lose it.
  fileprivate var mustBeStored: Bool {
    switch self {
    case .player(.seek), .write(.addClip(_, kind: _, from: _, to: nil, title: _)), .write(.writeNote): true
    default: false
    }
  }
}
