import Foundation

/// Writes to the terminal, and to descriptors that Earshot did not open: standard streams and pipes.
enum DescriptorOutput {
  /// Writes all bytes. Waits if the descriptor is non-blocking.
  /// - Returns: nil, or errno of the failed write.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, part.baseAddress, part.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        // A regular file or a pipe never writes 0 bytes (write(2)).
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

  /// Opens the descriptors 0, 1 and 2 if they are closed. Otherwise a file that is opened later, such as the library,
  /// could get one of these numbers, and output would be written into it. Reading 0 and writing 1 or 2 then fails.
  static func reserveStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) uses the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// A failed write to a file or stream.
struct OutputFailure: Error, Equatable, CustomStringConvertible {
  /// The name for messages.
  var name: String
  /// From errno(3).
  var code: Int32
  /// The file could not even be created.
  var isNew = false

  var description: String { "\(name) cannot be \(isNew ? "created" : "written"): \(String(cString: strerror(code)))" }

  var status: ExitStatus { isNew ? .cannotCreate : .cannotWrite }
}
