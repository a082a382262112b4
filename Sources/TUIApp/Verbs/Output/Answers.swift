import Foundation
import Synchronization

/// Standard output. All that verbs answer is written here, and a write that fails is never forgotten: it is said once on
/// stderr, and `status(after:)` turns it into the exit status 74.
///
/// A reader that is gone (`| head -1`) is no fault. The program then ends as others do, by SIGPIPE and without a message;
/// what must end in order, like a player, says so before (`endsInOrder`) and looks at `isReaderGone`.
enum Answers {
  private struct State {
    /// Why nothing more is written: errno of the first write that failed.
    var failure: Int32?
    var endsInOrder = false
  }

  private static let state = Mutex(State())

  /// Keeps the program alive when the reader is gone: its verb ends by itself.
  static func endsInOrder() { state.withLock { $0.endsInOrder = true } }

  static var isReaderGone: Bool { state.withLock { $0.failure == EPIPE } }

  static func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer) {
    guard state.withLock({ $0.failure == nil }) else { return }
    if let code = DescriptorOutput.write(bytes, to: STDOUT_FILENO) { fail(code) }
  }

  /// The last act of the program: the status to leave with after a verb that ended with `status`. Does not return when
  /// the reader is gone.
  static func status(after status: Int32) -> Int32 {
    // What C libraries have printed. Nothing of ours lies in a buffer.
    fflush(nil)
    if state.withLock({ $0.failure == nil }), let code = closingFailure() { fail(code) }
    switch state.withLock({ $0.failure }) {
    case nil: return status
    case EPIPE: dieOfBrokenPipe()
    default: return ExitStatus.cannotWrite.rawValue
    }
  }

  /// Ends the program as SIGPIPE does, for which the shell has no message.
  static func dieOfBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Blocked by whoever started us.
    _exit(128 + SIGPIPE)
  }

  private static func fail(_ code: Int32) {
    let endsNow = state.withLock { state in
      state.failure = state.failure ?? code
      return code == EPIPE && !state.endsInOrder
    }
    if endsNow { dieOfBrokenPipe() }
    if code != EPIPE { Report.message(OutputFailure(name: "standard output", code: code).description) }
  }

  /// Network file systems say on close(2) that what was written before did not arrive. A copy is closed, so that the
  /// number 1 is never free for another file.
  private static func closingFailure() -> Int32? {
    let copy = dup(STDOUT_FILENO)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return nil }
    return errno
  }
}
