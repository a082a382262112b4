import Foundation
import LoopbackSocket
import Synchronization

/// The file or pipe of `play --pcm`.
///
/// mpv's pcm output does not check whether a write succeeds (`ao_pcm.c`, 0.35 to 0.40), and begins a new file whenever
/// it opens its output again. So mpv writes to one pipe for the whole run, and a thread copies the pipe to the file.
final class SampleFile: Sendable {
  /// The path that mpv opens.
  let pipe: String
  private let name: String
  private let file: Int32
  private let (readEnd, writeEnd): (Int32, Int32)
  private let failure = Mutex<OutputFailure?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Creates or empties the file. Waits for a reader if it is a named pipe.
  init(_ path: String) throws {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw OutputFailure(name: path, code: errno, isNew: true) }
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      let failure = POSIXFailure("pipe")
      close(file)
      throw failure
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
    name = path
    pipe = "/dev/fd/\(ends[1])"
  }

  /// Starts to copy. `onFailure` is called at most once, on another thread.
  func start(onFailure: @escaping @Sendable (OutputFailure) -> Void) {
    let thread = Thread { [self] in
      if let code = copy() ?? (close(file) == 0 ? nil : errno) {
        let failure = OutputFailure(name: name, code: code)
        self.failure.withLock { $0 = failure }
        onFailure(failure)
      }
      // If mpv continues to write, it gets an error, which it ignores.
      close(readEnd)
      hasEnded.signal()
    }
    thread.name = "samples"
    thread.start()
  }

  /// Writes the rest, after the player was shut down.
  func finish() throws(OutputFailure) {
    close(writeEnd)
    // A player that could not be shut down in time still has the pipe open.
    _ = hasEnded.wait(timeout: .now() + 5)
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// - Returns: nil at the end of the pipe, or errno of a failed write.
  private func copy() -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      if let code = buffer.withUnsafeBytes({ DescriptorOutput.write(.init(rebasing: $0[..<count]), to: file) }) {
        return code
      }
    }
  }
}
