import Foundation
import Model

/// The thread that owns the core: it carries out the commands, in order, then waits for the core's events.
///
/// Lives on that thread alone, from `run` to its end. `PlayerThread+Commands` and `+Events` hold the two halves.
final class PlayerThread {
  let options: PlayerOptions
  private let mailbox: PlayerMailbox
  private let deliver: @Sendable (PlayerEvent) -> Void
  /// A clock that stands still while the machine sleeps, as playback does.
  private let epoch = SuspendingClock.now
  /// What is being opened or played; nil when that is over or was given up, whatever mpv still says about it.
  var active: ActiveFile?
  /// What comes after it.
  var upcoming: UpcomingFile?
  private var reportedSpeed: Double?
  private var reportedVolume: Double?
  /// Counts the seeks that mpv was asked for.
  var seekTag: UInt64 = 0

  init(options: PlayerOptions, mailbox: PlayerMailbox, deliver: @escaping @Sendable (PlayerEvent) -> Void) {
    self.options = options
    self.mailbox = mailbox
    self.deliver = deliver
  }

  func run() {
    Self.leaveSignalsToOthers()
    do throws(PlaybackError) {
      let library = options.adaptLibrary(try MpvLibrary(names: options.libraryNames))
      let core = try MpvCore(library: library, options: MpvOption.table(for: options))
      for property in MpvProperty.allCases { core.observe(property) }
      mailbox.setAlarm(core.alarm)
      while carryOut(mailbox.take(), on: core) {
        let event = core.wait(timeout: timeout)
        handle(event, on: core)
        // All that has happened has been told: what mpv is now comes after that.
        if event == .none { lookForEnd(on: core) }
        if active?.watchesSilence == true { listenForSilence(on: core) }
        if let deadline = active?.tracker.deadline, now >= deadline { emit(active?.tracker.timePassed(now: now)) }
        endOutageWhenDue(on: core)
        tellNetworkWait()
        if let deadline = upcoming?.deadline, now >= deadline { forgetUpcoming(on: core) }
      }
      mailbox.setAlarm(nil)
      core.terminate()
      deliver(.shutDown)
    } catch {
      fail(with: error)
    }
  }

  /// Signals are handled where the terminal is: mpv's threads inherit this mask, so none of them is interrupted, and
  /// none runs a handler. The ones that a fault of the thread itself raises stay.
  private static func leaveSignalsToOthers() {
    var signals = sigset_t()
    sigfillset(&signals)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// There is no core. The next load tries again: libmpv may have been installed meanwhile.
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

  /// How long the core may be silent, in seconds; −1: for ever.
  private var timeout: Double {
    let deadlines = [
      active?.tracker.deadline, active?.deadline, active?.network.deadline, upcoming?.deadline,
    ]
    let deadline = deadlines.compactMap { $0 }.min().map { max(0, $0 - now) }
    if active?.watchesSilence == true { return min(deadline ?? .infinity, SilenceWatch.interval) }
    return deadline ?? -1
  }
}

// MARK: Telling

extension PlayerThread {
  /// Delivers what is said about the active file, unless another load has been asked for meanwhile.
  func emit(_ events: [PlayerEvent]?) {
    guard let file = active else { return }
    let generation = file.request.generation
    if let position = file.tracker.position {
      mailbox.note(PlaybackPosition(generation: generation, seconds: position, seek: file.tracker.seek))
    }
    guard let events, !events.isEmpty, mailbox.isCurrent(generation) else { return }
    for event in events { deliver(event) }
  }

  /// The last word about the active file, and the second where it ended.
  func finish(with event: PlayerEvent, at seconds: Double?) {
    guard let file = active else { return }
    let generation = file.request.generation
    active = nil
    if upcoming?.hasBegun != true { upcoming = nil }
    if let seconds {
      mailbox.note(PlaybackPosition(generation: generation, seconds: seconds, seek: file.tracker.seek))
    }
    if mailbox.isCurrent(generation) { deliver(event) }
  }

  /// Something that is not about the active file.
  func emit(_ event: PlayerEvent) { deliver(event) }

  func tellSpeed(_ speed: Double) {
    if reportedSpeed != speed { deliver(.speed(speed)) }
    reportedSpeed = speed
  }

  func tellVolume(_ percent: Double) {
    if reportedVolume != percent { deliver(.volume(percent)) }
    reportedVolume = percent
  }
}
