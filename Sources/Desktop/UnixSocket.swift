import Foundation
import LoopbackSocket

#if canImport(Glibc)
  import Glibc
#endif

/// Unix stream sockets.
enum UnixSocket {
  /// Makes a socket that closes on exec, and whose reads and writes time out after `seconds`.
  private static func make(timeout seconds: Double) -> Int32 {
    let descriptor = LoopbackSocket.make(AF_UNIX)
    if descriptor >= 0 { setTimeout(descriptor, seconds) }
    return descriptor
  }

  static func setTimeout(_ descriptor: Int32, _ seconds: Double) {
    var time = timeval()
    time.tv_sec = .init(seconds)
    time.tv_usec = .init((seconds - seconds.rounded(.down)) * 1_000_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  /// Nil if the path is too long for a socket (sockaddr_un: 108 bytes, 104 on macOS).
  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      buffer.copyBytes(from: bytes)
      return true
    }
    guard fits else { return nil }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  static func listen(_ path: String) throws(DesktopError) -> Int32 {
    let descriptor = make(timeout: 2)
    guard descriptor >= 0 else { throw .cannotListen(path, reason: String(cString: strerror(errno))) }
    // The socket gets its name when it listens. A client that finds a socket without a listener removes it.
    // The temporary name is not longer, so that it fits if the name does.
    let temporary = String(path.dropLast()) + "~"
    unlink(temporary)
    guard let isBound = withAddress(temporary, { bind(descriptor, $0, $1) == 0 }) else {
      close(descriptor)
      throw .cannotListen(path, reason: String(cString: strerror(ENAMETOOLONG)))
    }
    // The directory already keeps others out. The mode is a second protection. An existing socket with this name
    // belongs to a process that has ended, because the name contains the id of this process.
    guard isBound, chmod(temporary, 0o600) == 0, Foundation.listen(descriptor, 128) == 0, rename(temporary, path) == 0
    else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      close(descriptor)
      throw .cannotListen(path, reason: reason)
    }
    return descriptor
  }

  enum Connection {
    case open(Int32)
    /// The process ended without removing its socket.
    case stale
    /// The socket has too many waiting connections.
    case busy
    case failed
  }

  static func connect(_ path: String, timeout: Double) -> Connection {
    let descriptor = make(timeout: timeout)
    guard descriptor >= 0 else { return .failed }
    let isOpen = withAddress(path) { Foundation.connect(descriptor, $0, $1) == 0 } ?? false
    guard !isOpen else { return .open(descriptor) }
    let reason = errno
    close(descriptor)
    switch reason {
    case ECONNREFUSED: return .stale
    case EAGAIN, ETIMEDOUT: return .busy
    default: return .failed
    }
  }

  /// The process id of the peer if it belongs to the same user; else nil (`SO_PEERCRED` of unix(7), getpeereid(3) and
  /// `LOCAL_PEERPID` on macOS).
  static func ownProcess(_ descriptor: Int32) -> Int32? {
    #if os(Linux)
      // struct ucred: process, user, group.
      var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: credentials))
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return nil }
      return credentials.user == geteuid() ? credentials.process : nil
    #else
      var (user, group) = (uid_t(), gid_t())
      guard getpeereid(descriptor, &user, &group) == 0, user == geteuid() else { return nil }
      var process: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      // Only used to distinguish clients.
      return getsockopt(descriptor, SOL_LOCAL, LOCAL_PEERPID, &process, &size) == 0 ? process : 0
    #endif
  }

  /// Reads the next line, without its newline. Nil if the peer closes the connection, is too slow, or sends more than
  /// `limit` bytes.
  /// - Parameter buffered: bytes that were received and not returned yet.
  static func readLine(_ descriptor: Int32, _ buffered: inout [UInt8], limit: Int = 1 << 20) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let end = buffered.firstIndex(of: 10) {
        defer { buffered.removeFirst(end + 1) }
        return Array(buffered[..<end])
      }
      guard buffered.count <= limit else { return nil }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffered += buffer[..<count]
    }
  }

  /// Writes all bytes at once, without waiting. False if they do not fit into the socket's buffer, or if the peer has
  /// ended.
  static func sendNow(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    LoopbackSocket.send(descriptor, bytes[...], waits: false)
  }

  /// Whether the peer has closed the connection.
  static func hasEnded(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return false }
    return entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  @discardableResult
  static func writeLine(_ descriptor: Int32, _ line: some Sequence<UInt8>) -> Bool {
    LoopbackSocket.send(descriptor, (Array(line) + [10])[...])
  }
}
