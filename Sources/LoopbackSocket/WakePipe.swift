import Foundation

/// A pipe that wakes a thread in `poll`. Both ends are non-blocking, and child processes do not inherit them.
///
/// A byte wakes the thread, and not the closing of the writing end: a child process that another thread starts at the
/// same time may hold a copy of that end, and then the reading end does not report that it was closed.
public final class WakePipe: Sendable {
  public let readEnd: Int32
  /// For signal handlers, which may only call write(2).
  public let writeEnd: Int32

  public init() throws(POSIXFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXFailure("pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// If the pipe is full, the write is not needed: the reader wakes anyway.
  public func wake() {
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// All bytes in the pipe.
  public func drain() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(readEnd, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      if count < 0, errno == EINTR { continue }
      if count < buffer.count { return bytes }
    }
  }
}
