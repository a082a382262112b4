import Foundation

/// A pipe whose reading end makes `poll` return. Neither end ever waits, and no child inherits them.
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

  /// A full pipe is as good as a written byte: the reader wakes either way.
  func wake(_ byte: UInt8) {
    var byte = byte
    _ = write(writeEnd, &byte, 1)
  }

  /// All bytes that are waiting.
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

/// A system call that failed, and why.
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
