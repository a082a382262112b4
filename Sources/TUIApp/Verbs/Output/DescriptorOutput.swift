import Foundation

/// Writing to descriptors that others gave us: the standard streams, pipes.
enum DescriptorOutput {
  /// Writes all of it. Waits where the descriptor does not.
  /// - Returns: nil, or errno of the write that failed.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, part.baseAddress, part.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        // A regular file or a pipe never takes nothing of something (write(2)).
        return EIO
      } else if errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Makes sure that 0, 1 and 2 are taken, so that no file that is opened later, the library above all, gets one of
  /// these numbers and answers are written into it. What was closed stays of no use: reading 0 and writing 1 or 2 fails.
  static func occupyStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) takes the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// A file or stream that could not be written.
struct OutputFailure: Error, Equatable, CustomStringConvertible {
  /// As the listener knows it.
  var name: String
  /// Of errno(3).
  var code: Int32
  /// It could not even be made.
  var isNew = false

  var description: String { "\(name) cannot be \(isNew ? "created" : "written"): \(String(cString: strerror(code)))" }

  var status: ExitStatus { isNew ? .cannotCreate : .cannotWrite }
}
