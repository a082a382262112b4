import CCrashTrace
import Foundation

/// What happens when the program crashes: the terminal is restored, the stack is written to the log and its top to
/// stderr, and the program dies of the same signal.
///
/// The handler may only use async-signal-safe functions (signal-safety(7)), and `endwin` is not. So everything is
/// prepared: the bytes that undo our modes, the terminal's original settings, and all texts.
enum CrashGuard {
  /// A Swift trap is SIGILL on x86-64 and SIGTRAP on arm64. SIGQUIT is how people request a core dump.
  private static let numbers = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT]

  /// Installs the handler. Must be called once, on the main thread, before there are others.
  /// - Parameter log: the path of the log file, which need not exist.
  static func arm(log: String) {
    crash.title = strdup("earshot \(Version.full) crashed")
    crash.log = strdup(log)
    (crash.quit, crash.quitCount) = bytes("earshot crashed. Its log: \(log)\n")
    useOwnStack()
    for number in numbers { handle(number, by: reportAndDie) }
  }

  /// While another program uses the terminal, `^\` is for that one, as system(3) says.
  static func setIgnoresQuit(_ ignores: Bool) { handle(SIGQUIT, by: ignores ? SIG_IGN : reportAndDie) }

  private static func handle(_ number: Int32, by handler: (@convention(c) (Int32) -> Void)?) {
    var action = sigaction()
    action.handler = handler
    // ONSTACK, because a stack overflow leaves no room for the handler. RESETHAND, so that a crash in the handler ends
    // the program.
    action.sa_flags = Int32(truncatingIfNeeded: Int64(SA_ONSTACK) | Int64(SA_NODEFER) | Int64(SA_RESETHAND))
    sigaction(number, &action, nil)
  }

  /// Lets the handler restore a terminal.
  /// - Parameter messages: where the messages of a crash are written after that.
  static func protect(terminal: Int32, leaving: String, modes: termios, messages: Int32) {
    unprotect()
    crash.modes = .allocate(capacity: 1)
    crash.modes?.initialize(to: modes)
    (crash.leaving, crash.leavingCount) = bytes(leaving)
    crash.messages = messages
    // Last, because the handler reads the others only if there is a terminal.
    crash.terminal = terminal
  }

  /// Undoes `protect`.
  static func unprotect() {
    guard crash.terminal >= 0 else { return }
    crash.terminal = -1
    crash.messages = STDERR_FILENO
    crash.modes?.deallocate()
    crash.leaving?.deallocate()
    (crash.modes, crash.leaving) = (nil, nil)
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
    // The child that writes the trace demangles names on it.
    let size = 256 * 1024
    var stack = stack_t()
    stack.ss_sp = .allocate(byteCount: size, alignment: 16)
    stack.ss_size = .init(size)
    sigaltstack(&stack, nil)
  }
}

private struct CrashState {
  var title: UnsafeMutablePointer<CChar>?
  var log: UnsafeMutablePointer<CChar>?
  var quit: UnsafeMutablePointer<UInt8>?
  var quitCount = 0
  var messages = STDERR_FILENO
  var terminal: Int32 = -1
  var modes: UnsafeMutablePointer<termios>?
  var leaving: UnsafeMutablePointer<UInt8>?
  var leavingCount = 0
}

/// Unsafe because a signal handler takes no argument and no lock. Only the main thread writes it.
private nonisolated(unsafe) var crash = CrashState()

private func reportAndDie(_ number: Int32) {
  if crash.terminal >= 0 {
    if let leaving = crash.leaving { _ = write(crash.terminal, leaving, crash.leavingCount) }
    if let modes = crash.modes { tcsetattr(crash.terminal, TCSANOW, modes) }
    crash.terminal = -1
  }
  if let title = crash.title { earshot_crash_trace(number, title, crash.log, crash.messages) }
  if let quit = crash.quit { _ = write(crash.messages, quit, crash.quitCount) }
  signal(number, SIG_DFL)
  raise(number)
}
