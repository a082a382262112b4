import Foundation
import LoopbackSocket

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The blocking calls of the test server.
extension LoopbackSocket {
  /// Waits for bytes and returns them. Empty when the other side has closed the connection.
  static func receive(_ descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      var result: Int
      repeat { result = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while result < 0 && errno == EINTR
      count = max(0, result)
    }
  }

  /// Waits for this long (−1: forever), or until the other side closes. False if it has closed.
  static func wait(_ descriptor: Int32, milliseconds: Int) -> Bool {
    var events = Int16(POLLIN)
    while true {
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      let result = poll(&entry, 1, Int32(clamping: milliseconds))
      if result < 0 && errno == EINTR { continue }
      if result == 0 { return true }
      guard result > 0, entry.revents & Int16(POLLHUP | POLLERR) == 0 else { return false }
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
      // The next request has arrived. From now on only the end of the connection ends the wait.
      events = 0
    }
  }

  /// Waits until one of the descriptors becomes readable. True if it was the first.
  static func waitForFirst(_ first: Int32, orStop second: Int32) -> Bool {
    var entries = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&entries, 2, -1) < 0 { if errno != EINTR { return false } }
    return entries[1].revents == 0
  }
}
