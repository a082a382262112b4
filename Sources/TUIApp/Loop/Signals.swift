import Foundation
import LoopbackSocket

/// A signal that the program handles.
enum Signal: Hashable, Sendable {
  /// SIGWINCH: the size of the window has changed.
  case resize
  /// SIGTSTP from another process. `^Z` is a key.
  case suspend
  /// SIGCONT: running again after a stop. The terminal may be in the shell's modes.
  case resume
  /// A signal that would end the program at once, with the terminal in raw mode and the position unsaved (signal(7)):
  /// save and quit. On the screen `^C` is a key and no SIGINT, because the terminal is in raw mode. `CrashGuard`
  /// handles the signals of crashes.
  case deadly(Int32)

  fileprivate static let numbers: [(number: Int32, signal: Signal)] =
    [(SIGWINCH, .resize), (SIGTSTP, .suspend), (SIGCONT, .resume)] + (usual + rare).map { ($0, .deadly($0)) }

  private static let usual = [SIGTERM, SIGINT, SIGHUP]

  #if os(Linux)
    /// SIGSTKFLT (16) and SIGPWR (30) are not in Glibc's module on every machine. The last ones are the real-time
    /// signals, without those that the C library uses.
    fileprivate static let rare =
      common + [SIGPOLL, 16, 30] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
  #else
    fileprivate static let rare = common
  #endif
  private static let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
}

/// Writes signals as bytes to a pipe for the thread that polls. Install it before ncurses, which then leaves these
/// handlers alone. SA_RESTART is set because libmpv requires it.
final class Signals {
  private let pipe: WakePipe
  private let previous: [(number: Int32, action: sigaction)]

  init() throws(POSIXFailure) {
    pipe = try WakePipe()
    signalPipe = pipe.writeEnd
    var previous: [(number: Int32, action: sigaction)] = []
    for number in Signal.numbers.map(\.number) {
      var action = sigaction()
      action.handler = forwardSignal
      action.sa_flags = SA_RESTART
      var old = sigaction()
      guard sigaction(number, &action, &old) == 0 else {
        // Some tools keep a real-time signal for themselves. valgrind keeps the last one.
        if errno == EINVAL, Signal.rare.contains(number) { continue }
        throw POSIXFailure("sigaction")
      }
      previous.append((number, old))
    }
    self.previous = previous
    // With SIGPIPE ignored, a closed socket is an error code of a write.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    for (number, action) in previous {
      var action = action
      sigaction(number, &action, nil)
    }
    signalPipe = -1
  }

  var fileDescriptor: Int32 { pipe.readEnd }

  /// The signals since the last call, each kind once, in order of arrival.
  func drain() -> [Signal] {
    var signals: [Signal] = []
    for byte in pipe.drain() {
      guard let row = Signal.numbers.first(where: { $0.number == Int32(byte) }) else { continue }
      if !signals.contains(row.signal) { signals.append(row.signal) }
    }
    return signals
  }
}

/// The pipe of the handler. Unsafe because a signal handler takes no argument and no lock. It is written before the
/// first handler is installed and after the last one is removed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Async-signal-safe: one write, and errno is restored.
private func forwardSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = saved
}

/// Calls a closure when a command is to end (SIGINT, SIGTERM, SIGHUP), so that it can clean up. A signal that was
/// ignored stays so: nohup(1) does that with SIGHUP, and a shell with SIGINT of a command in the background.
struct Interruptions {
  private let sources: [(number: Int32, source: any DispatchSourceSignal)]

  init(_ handle: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      signal(number, SIG_IGN)
      source.setEventHandler(handler: handle)
      source.resume()
      return (number, source)
    }
  }

  /// From now on these signals end the process at once.
  func end() {
    for (number, source) in sources {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.isIgnored
  }
}

extension sigaction {
  /// The field of the handler has a different name on each system.
  var handler: (@convention(c) (Int32) -> Void)? {
    get {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler
      #else
        __sigaction_handler.sa_handler
      #endif
    }
    set {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler = newValue
      #else
        __sigaction_handler.sa_handler = newValue
      #endif
    }
  }

  /// SIG_IGN is a number in the place of a function, and functions cannot be compared.
  fileprivate var isIgnored: Bool { unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) }
}
