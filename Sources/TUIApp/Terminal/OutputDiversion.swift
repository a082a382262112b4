import Foundation
import LoopbackSocket

/// Redirects stdout and stderr to a file while a player uses the terminal, because libraries may print to them.
final class OutputDiversion {
  /// The original stderr, for the message of a crash.
  let messages: Int32
  private var saved: [(descriptor: Int32, copy: Int32)] = []

  /// Appends to the file at `path`, which only its owner can read. Without a path, or if the file cannot be written,
  /// the output is dropped.
  init(to path: String?, _ descriptors: [Int32] = [STDOUT_FILENO, STDERR_FILENO]) throws(POSIXFailure) {
    fflush(nil)
    var file = path.map { open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600) } ?? -1
    if file < 0 { file = open("/dev/null", O_WRONLY | O_CLOEXEC) }
    guard file >= 0 else { throw POSIXFailure("open /dev/null") }
    for descriptor in descriptors {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { continue }  // Closed from the start: nothing to divert.
      dup2(file, descriptor)
      saved.append((descriptor, copy))
    }
    close(file)
    messages = saved.last?.copy ?? STDERR_FILENO
  }

  /// Restores stdout and stderr. May be called again.
  func end() {
    fflush(nil)
    for (descriptor, copy) in saved {
      dup2(copy, descriptor)
      close(copy)
    }
    saved = []
  }
}
