import Foundation
import LoopbackSocket

/// Waits for file descriptors with poll(2).
enum Poller {
  struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8
    /// There is something to read.
    static let readable = Readiness(rawValue: 1)
    /// The other end is closed. poll would return at once from now on.
    static let hangUp = Readiness(rawValue: 2)
  }

  /// Polls the descriptors.
  /// - Parameter timeoutMilliseconds: the longest wait; nil: no limit.
  /// - Returns: one answer for each descriptor. A signal ends the wait early without answers; its byte is in the signal
  ///   pipe.
  static func poll(_ descriptors: [Int32], timeoutMilliseconds: Int?) throws(POSIXFailure) -> [Readiness] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let timeout = timeoutMilliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    if Foundation.poll(&entries, nfds_t(entries.count), timeout) < 0 {
      guard errno == EINTR || errno == EAGAIN else { throw POSIXFailure("poll") }
      return descriptors.map { _ in [] }
    }
    return entries.map { entry in
      var readiness: Readiness = []
      if entry.revents & Int16(POLLIN) != 0 { readiness.insert(.readable) }
      if entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.hangUp) }
      return readiness
    }
  }
}
