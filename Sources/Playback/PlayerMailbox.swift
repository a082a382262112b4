import Model
import Synchronization

/// A command to the thread that owns the core.
enum PlayerCommand: Sendable, Equatable {
  case load(PlayRequest)
  /// The file that will probably be loaded when the current one ends. Nil: none.
  case prepare(PlayRequest?)
  case setPaused(Bool)
  case seek(Double, SeekID)
  case setSpeed(Double)
  case setVolume(Double)
  case setSound(SoundShape)
  case setFade(Double)
  case setDevice(String)
  case listDevices
  /// Only starts the core.
  case warmUp
  case stop
  case shutDown

  /// Whether `earlier`, which is still waiting, can be dropped. A load can take over a prefetched file, so it must
  /// not drop the commands that cancel the prefetch. The sound device does not belong to a file.
  func supersedes(_ earlier: PlayerCommand) -> Bool {
    switch self {
    case .load:
      switch earlier {
      case .stop, .prepare(nil), .setDevice, .listDevices: false
      default: true
      }
    case .shutDown: true
    case .prepare, .setPaused, .seek, .setSpeed, .setVolume, .setSound, .setFade, .setDevice, .listDevices,
      .warmUp, .stop:
      false
    }
  }
}

/// What callers share with the player thread: pending commands, the waker and the newest position.
final class PlayerMailbox: Sendable {
  enum Phase: Sendable {
    /// No thread has been started, or it could not start the core.
    case cold
    case running
    case shutDown
  }

  private struct State {
    var phase = Phase.cold
    var commands: [PlayerCommand] = []
    var waker: MpvWaker?
    var position: PlaybackPosition?
    /// The generation of the newest load.
    var generation: Int?
  }

  private let state = Mutex(State())

  /// Adds a command. True if the caller must start the player thread.
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
      state.waker?.wake()
      return startsThread
    }
  }

  var phase: Phase { state.withLock { $0.phase } }
  var position: PlaybackPosition? { state.withLock { $0.position } }

  /// Whether events of this load are still wanted.
  func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  // MARK: Called by the player thread

  /// Whether no command is waiting.
  var isEmpty: Bool { state.withLock { $0.commands.isEmpty } }

  func take() -> [PlayerCommand] {
    state.withLock { state in
      defer { state.commands.removeAll() }
      return state.commands
    }
  }

  func setWaker(_ waker: MpvWaker?) { state.withLock { $0.waker = waker } }

  func record(_ position: PlaybackPosition) {
    state.withLock { if $0.generation == position.generation { $0.position = position } }
  }

  /// The core could not be started. True if the thread may end; false if more commands have arrived.
  func giveUp() -> Bool {
    state.withLock { state in
      guard state.commands.isEmpty else { return false }
      if state.phase == .running { state.phase = .cold }
      return true
    }
  }
}

/// The current playback position, or the last one of a file that ended.
public struct PlaybackPosition: Sendable, Equatable {
  /// The generation of its load.
  public var generation: Int
  public var seconds: Double
  /// The newest seek that was done or is in progress.
  public var seek = SeekID.none
}
