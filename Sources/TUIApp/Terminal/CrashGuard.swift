import Foundation

/// Restores the terminal when the program crashes, then lets it die of the same signal.
///
/// The handler may only use async-signal-safe functions (signal-safety(7)), and `endwin` is not. So everything is
/// prepared: the bytes that undo our modes, the terminal's original settings, and a line that names the log file.
enum CrashGuard {
  /// A Swift trap is SIGILL on x86-64 and SIGTRAP on arm64. SIGQUIT is how people request a core dump.
  private static let numbers = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT]

  /// Installs the handler.
  /// - Parameter quit: a text that is written to `messages` after the terminal was restored.
  static func arm(terminal: Int32, leaving: String, modes: termios, messages: Int32, quit: String) {
    disarm()
    crash.modes = .allocate(capacity: 1)
    crash.modes?.initialize(to: modes)
    (crash.leaving, crash.leavingCount) = bytes(leaving)
    (crash.quit, crash.quitCount) = bytes(quit)
    crash.messages = messages
    crash.terminal = terminal
    useOwnStack()
    for number in numbers {
      var action = sigaction()
      action.setHandler(restoreAndDie)
      // ONSTACK, because a stack overflow leaves no room for the handler. RESETHAND, so that a crash in the handler
      // ends the program.
      action.sa_flags = Int32(truncatingIfNeeded: Int64(SA_ONSTACK) | Int64(SA_NODEFER) | Int64(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// Removes the handlers.
  static func disarm() {
    guard crash.terminal >= 0 else { return }
    crash.terminal = -1
    for number in numbers { signal(number, SIG_DFL) }
    crash.modes?.deallocate()
    crash.leaving?.deallocate()
    crash.quit?.deallocate()
    crash = CrashState()
  }

  private static func bytes(_ text: String) -> (UnsafeMutablePointer<UInt8>?, Int) {
    let bytes = Array(text.utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    copy.initialize(from: bytes, count: bytes.count)
    return (copy, bytes.count)
  }

  /// Sets an alternative stack for the main thread. It is never freed.
  private static func useOwnStack() {
    var current = stack_t()
    guard sigaltstack(nil, &current) == 0, current.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    let size = 64 * 1024
    var stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = .init(size)
    sigaltstack(&stack, nil)
  }
}

private struct CrashState {
  var terminal: Int32 = -1
  var messages: Int32 = -1
  var modes: UnsafeMutablePointer<termios>?
  var leaving: UnsafeMutablePointer<UInt8>?
  var leavingCount = 0
  var quit: UnsafeMutablePointer<UInt8>?
  var quitCount = 0
}

/// Unsafe because a signal handler takes no argument and no lock. The main thread writes it while the handlers are not
/// installed; only they read it.
private nonisolated(unsafe) var crash = CrashState()

private func restoreAndDie(_ number: Int32) {
  if crash.terminal >= 0 {
    if let leaving = crash.leaving { _ = write(crash.terminal, leaving, crash.leavingCount) }
    if let modes = crash.modes { tcsetattr(crash.terminal, TCSANOW, modes) }
    if let quit = crash.quit { _ = write(crash.messages, quit, crash.quitCount) }
    crash.terminal = -1
  }
  signal(number, SIG_DFL)
  raise(number)
}
