import Foundation
import Synchronization

/// Standard output. All results of commands are written here. A failed write is reported once on stderr, and
/// `status(after:)` turns it into the exit status 74.
///
/// If the reader has closed the pipe (`| head -1`), that is no error. The program then ends by SIGPIPE without a
/// message, as other programs do. A command that must finish in order, like a player, calls `endsInOrder` first and
/// checks `isReaderGone`.
enum Answers {
  private struct State {
    /// errno of the first failed write. Nothing more is written after it.
    var failure: Int32?
    var endsInOrder = false
  }

  private static let state = Mutex(State())

  /// Keeps the program running when the reader has closed the pipe. The command ends by itself.
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

  /// Called at the very end.
  /// - Returns: the exit status after a command that ended with `status`. Does not return if the reader has closed the
  ///   pipe.
  static func status(after status: Int32) -> Int32 {
    // Flushes the output of C libraries. Our own output is not buffered.
    fflush(nil)
    if state.withLock({ $0.failure == nil }), let code = closingFailure() { fail(code) }
    switch state.withLock({ $0.failure }) {
    case nil: return status
    case EPIPE: exitByBrokenPipe()
    default: return ExitStatus.cannotWrite.rawValue
    }
  }

  /// Ends the program by SIGPIPE, for which the shell prints no message.
  static func exitByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Reached if the parent process has blocked SIGPIPE.
    _exit(128 + SIGPIPE)
  }

  private static func fail(_ code: Int32) {
    let endsNow = state.withLock { state in
      state.failure = state.failure ?? code
      return code == EPIPE && !state.endsInOrder
    }
    if endsNow { exitByBrokenPipe() }
    if code != EPIPE { Report.message(OutputFailure(name: "standard output", code: code).description) }
  }

  /// errno of closing standard output. Network file systems report on close(2) that earlier writes were lost. A copy of
  /// the descriptor is closed, so that no other file can get the number 1.
  private static func closingFailure() -> Int32? {
    let copy = dup(STDOUT_FILENO)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return nil }
    return errno
  }
}
