import Foundation

/// What the system tells the program by a signal.
enum Signal: Hashable, Sendable {
  /// The window has another size (SIGWINCH).
  case resize
  /// SIGTERM: save and go.
  case terminate
  /// SIGINT: the same. On the screen ^C is a key, the terminal being raw, and does not come here.
  case interrupt
  /// The terminal went away (SIGHUP).
  case hangUp
  /// Somebody sent SIGTSTP. ^Z is a key.
  case suspend
  /// Running again after a stop (SIGCONT); the terminal's modes may be the shell's now.
  case resume
  /// Another one that would end the program on the spot, the terminal raw and the latest place unsaved (signal(7)). It
  /// ends in order, as upon SIGTERM. What a fault in the program raises is `CrashGuard`'s.
  case other(Int32)

  fileprivate static let numbers: [(number: Int32, signal: Signal)] =
    [
      (SIGWINCH, .resize), (SIGTERM, .terminate), (SIGINT, .interrupt), (SIGHUP, .hangUp), (SIGTSTP, .suspend),
      (SIGCONT, .resume),
    ] + deadly.map { ($0, .other($0)) }

  #if os(Linux)
    /// SIGSTKFLT (16) and SIGPWR (30) have no names in Glibc's module on every machine. The last are the real-time signals,
    /// without those that the C library keeps to itself.
    private static let deadly =
      common + [SIGPOLL, 16, 30] + Array(__libc_current_sigrtmin()...__libc_current_sigrtmax())
  #else
    private static let deadly = common
  #endif
  private static let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU]
}

/// Signals as bytes in a pipe, for the thread that polls. Install before ncurses, which then leaves them alone, and with
/// SA_RESTART, which libmpv asks for in all handlers.
final class Signals {
  private let pipe: WakePipe
  private let previous: [(number: Int32, action: sigaction)]

  init() throws(POSIXFailure) {
    pipe = try WakePipe()
    signalPipe = pipe.writeEnd
    var previous: [(number: Int32, action: sigaction)] = []
    for (number, _) in Signal.numbers {
      var action = sigaction()
      action.setHandler(forwardSignal)
      action.sa_flags = SA_RESTART
      var old = sigaction()
      guard sigaction(number, &action, &old) == 0 else { throw POSIXFailure("sigaction") }
      previous.append((number, old))
    }
    self.previous = previous
    // A peer that closes its socket is an error code to us, not a death.
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

  /// What has arrived, each kind once, in the order of its first arrival.
  func drain() -> [Signal] {
    var signals: [Signal] = []
    for byte in pipe.drain() {
      guard let row = Signal.numbers.first(where: { $0.number == Int32(byte) }) else { continue }
      if !signals.contains(row.signal) { signals.append(row.signal) }
    }
    return signals
  }
}

/// Where the handler writes. Unsafe because a handler takes no argument and may take no lock; written before the first
/// handler is installed and after the last one is gone.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Async-signal-safe: one write, errno kept.
private func forwardSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = saved
}

extension sigaction {
  /// The handler's field has a different name on each system.
  mutating func setHandler(_ handler: (@convention(c) (Int32) -> Void)?) {
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }
}
