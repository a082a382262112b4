import Model
import Synchronization

/// What may be asked of the thread that owns the core.
enum PlayerCommand: Sendable, Equatable {
  case load(PlayRequest)
  /// What is likely to be loaded when the file ends; nil: nothing.
  case prepare(PlayRequest?)
  case setPaused(Bool)
  case seek(Double, SeekID)
  case seekBy(Double, SeekID)
  case setSpeed(Double)
  case setVolume(Double)
  case setSound(SoundShape)
  case setFade(Double)
  case setDevice(String)
  case listDevices
  /// Nothing but a core that runs.
  case warmUp
  case stop
  case shutDown

  /// Whether `earlier`, which has not been carried out yet, matters no more. A load takes over what was opened ahead, so
  /// that it must not overtake what silences that.
  func supersedes(_ earlier: PlayerCommand) -> Bool {
    switch self {
    case .load: earlier != .stop && earlier != .prepare(nil)
    case .shutDown: true
    case .prepare, .setPaused, .seek, .seekBy, .setSpeed, .setVolume, .setSound, .setFade, .setDevice, .listDevices,
      .warmUp, .stop:
      false
    }
  }
}

/// What the callers' threads and the core's thread share: the commands, the alarm, the newest position.
final class PlayerMailbox: Sendable {
  enum Phase: Sendable {
    /// No thread yet, or it could not start the core.
    case cold
    case running
    case shutDown
  }

  private struct State {
    var phase = Phase.cold
    var commands: [PlayerCommand] = []
    var alarm: MpvAlarm?
    var position: PlaybackPosition?
    /// Of the newest load.
    var generation: Int?
  }

  private let state = Mutex(State())

  /// Leaves a command. True when a thread has to be started for it.
  func post(_ command: PlayerCommand) -> Bool {
    state.withLock { state in
      guard state.phase != .shutDown else { return false }
      var startsThread = false
      switch command {
      case .load(let request):
        state.generation = request.generation
        startsThread = state.phase == .cold
        state.phase = .running
      case .listDevices, .warmUp:
        startsThread = state.phase == .cold
        state.phase = .running
      case .shutDown: break
      default: if state.phase == .cold { return false }  // Nothing plays, so there is nothing to change.
      }
      if command == .shutDown { state.phase = .shutDown }
      state.commands.removeAll(where: command.supersedes)
      state.commands.append(command)
      state.alarm?.ring()
      return startsThread
    }
  }

  var phase: Phase { state.withLock { $0.phase } }
  var position: PlaybackPosition? { state.withLock { $0.position } }

  /// Whether events of this load are still wanted.
  func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  // MARK: For the core's thread

  func take() -> [PlayerCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  func setAlarm(_ alarm: MpvAlarm?) { state.withLock { $0.alarm = alarm } }

  func note(_ position: PlaybackPosition) {
    state.withLock { if $0.generation == position.generation { $0.position = position } }
  }

  /// The core could not be started. True when the thread may end; false when another load has come.
  func giveUp() -> Bool {
    state.withLock { state in
      guard state.commands.isEmpty else { return false }
      if state.phase == .running { state.phase = .cold }
      return true
    }
  }
}
