import Foundation

/// A pipe that wakes `poll`. Both ends are non-blocking, and child processes do not inherit them.
final class WakePipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws(POSIXFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw POSIXFailure("pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// If the pipe is full, the write is not needed: the reader wakes anyway.
  func wake(_ byte: UInt8) {
    var byte = byte
    _ = write(writeEnd, &byte, 1)
  }

  /// All bytes in the pipe.
  func drain() -> [UInt8] {
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

/// A failed system call, with the reason.
struct POSIXFailure: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  /// Takes the reason from `errno`.
  init(_ call: String) {
    self.call = call
    code = errno
  }

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}
