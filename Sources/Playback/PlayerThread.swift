import Foundation
import Model

/// The thread that owns the core. It runs the commands in order, then waits for the core's events.
///
/// All methods run on that thread. `PlayerThread+Commands` handles the commands, and `PlayerThread+Events` the events.
final class PlayerThread {
  let options: PlayerOptions
  private let mailbox: PlayerMailbox
  private let deliver: @Sendable (PlayerEvent) -> Void
  /// A clock that stops while the machine sleeps, as playback does.
  private let epoch = SuspendingClock.now
  /// The file that is open or being opened. Nil once it has ended or was given up, even if mpv still sends events about
  /// it.
  var active: ActiveFile?
  /// The file to play after `active`.
  var upcoming: UpcomingFile?
  private var reportedSpeed: Double?
  private var reportedVolume: Double?
  /// The tag of the newest seek command.
  var seekTag: UInt64 = 0

  init(options: PlayerOptions, mailbox: PlayerMailbox, deliver: @escaping @Sendable (PlayerEvent) -> Void) {
    self.options = options
    self.mailbox = mailbox
    self.deliver = deliver
  }

  func run() {
    Self.blockSignals()
    do throws(PlaybackError) {
      let library = options.adaptLibrary(try MpvLibrary(names: options.libraryNames))
      let core = try MpvCore(library: library, options: MpvOption.table(for: options))
      for property in MpvProperty.allCases { core.observe(property) }
      mailbox.setWaker(core.waker)
      while run(mailbox.take(), on: core) {
        // A command may have come since `take`, and a seek may have used up its call of the waker.
        let event = core.wait(timeout: mailbox.isEmpty ? timeout : 0)
        // A client of `input-ipc-server` has told mpv to quit. It plays nothing any more.
        if event == .shutDown { break }
        handle(event, on: core)
        // All events have been handled, so mpv's current state is newer than all of them.
        let isCurrent = event == .none
        if isCurrent { checkForEnd(on: core) }
        if active?.detectsSilence == true { checkForSilence(on: core) }
        if let deadline = active?.tracker.deadline, now >= deadline { emit(active?.tracker.timePassed(now: now)) }
        let isPending = active?.isSoundPending == true
        active?.overdue.update(isPending: isPending, now: now)
        // This thread may have waited for the processor. Then the start of the sound is among the events.
        if isCurrent { seekAgainWhenOverdue(on: core) }
        reopenWhenDue(on: core)
        reportNetworkWait()
        reportSlowOpening()
        if let deadline = upcoming?.deadline, now >= deadline { cancelUpcoming(on: core) }
      }
      mailbox.setWaker(nil)
      _ = mailbox.post(.shutDown)
      core.terminate()
      deliver(.shutDown)
    } catch {
      fail(with: error)
    }
  }

  /// Blocks signals on this thread, so that the main thread handles them. mpv's threads inherit the mask: signals do
  /// not interrupt them and run no handlers there. Signals that a thread's own fault raises stay unblocked.
  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Answers commands when the core could not be started. The next load tries again, because libmpv may have been
  /// installed meanwhile.
  private func fail(with error: PlaybackError) {
    repeat {
      for command in mailbox.take() {
        switch command {
        case .load(let request): emit(.failed(generation: request.generation, seconds: nil, message: "\(error)"))
        case .shutDown: deliver(.shutDown)
        case .listDevices: emit(.devices([], chosen: nil))
        default: break
        }
      }
    } while !mailbox.giveUp()
  }

  /// Seconds since the thread began.
  var now: Double { (SuspendingClock.now - epoch) / .seconds(1) }

  /// How long to wait for an event of the core, in seconds. −1: no limit.
  private var timeout: Double {
    let deadlines = [
      active?.tracker.deadline, active?.deadline, active?.network.deadline, active?.openingWatch.deadline,
      active?.overdue.deadline,
      upcoming?.deadline,
    ]
    let deadline = deadlines.compactMap { $0 }.min().map { max(0, $0 - now) }
    if active?.detectsSilence == true { return min(deadline ?? .infinity, SilenceDetector.interval) }
    return deadline ?? -1
  }
}

// MARK: Events

extension PlayerThread {
  /// Delivers events about the active file, unless another load has been requested meanwhile.
  func emit(_ events: [PlayerEvent]?) {
    guard let file = active else { return }
    let generation = file.request.generation
    if let position = file.tracker.position {
      mailbox.record(PlaybackPosition(generation: generation, seconds: position, seek: file.tracker.seek))
    }
    guard let events, !events.isEmpty, mailbox.isCurrent(generation) else { return }
    for event in events { deliver(event) }
  }

  /// Delivers the last event about the active file, and records the position in seconds where it ended.
  func finish(with event: PlayerEvent, at seconds: Double?) {
    guard let file = active else { return }
    let generation = file.request.generation
    active = nil
    if upcoming?.hasBegun != true { upcoming = nil }
    if let seconds {
      mailbox.record(PlaybackPosition(generation: generation, seconds: seconds, seek: file.tracker.seek))
    }
    if mailbox.isCurrent(generation) { deliver(event) }
  }

  /// Delivers an event that does not concern the active file.
  func emit(_ event: PlayerEvent) { deliver(event) }

  func reportSpeed(_ speed: Double) {
    if reportedSpeed != speed { deliver(.speed(speed)) }
    reportedSpeed = speed
  }

  func reportVolume(_ percent: Double) {
    if reportedVolume != percent { deliver(.volume(percent)) }
    reportedVolume = percent
  }
}
